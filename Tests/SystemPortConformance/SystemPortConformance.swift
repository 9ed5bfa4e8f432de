public import Testing

/// The promises that every engine behind ``SystemPort/SystemPort`` keeps, clause by clause.
///
/// ```swift
/// @Test(arguments: SystemPortConformance.clauses(with: [.relaunch]))
/// func keeps(_ clause: SystemPortConformance.Clause) async throws {
///     try await clause.check(MyHost())
/// }
/// ```
public enum SystemPortConformance {
    /// One promise, and how to check it.
    public struct Clause: Sendable, CustomTestStringConvertible {
        /// The promise, in one sentence; unique.
        public let testDescription: String
        /// The abilities of the host that the check needs.
        public let needs: Set<HostAbility>
        private let body: @Sendable (Stage) async throws -> Void

        init(
            _ promise: String,
            needs: Set<HostAbility> = [],
            _ body: @escaping @Sendable (Stage) async throws -> Void
        ) {
            testDescription = promise
            self.needs = needs
            self.body = body
        }

        /// Checks the promise. Each wait for the engine ends after ten seconds of real time.
        ///
        /// - Parameter host: a host on which the app has never run.
        /// - Throws: ``ConformanceFailure`` if the engine does not keep the promise, or an error of the host.
        public func check(_ host: some SystemPortHost) async throws {
            let stage = Stage(host)
            try await stage.launch()
            try await body(stage)
        }
    }

    /// Returns the clauses that a host with these abilities can check; with all of them, the whole contract.
    public static func clauses(with abilities: Set<HostAbility>) -> [Clause] {
        all.filter { $0.needs.isSubset(of: abilities) }
    }

    private static let all = reading + storage + requests + delivery + permission + identity + process
}
