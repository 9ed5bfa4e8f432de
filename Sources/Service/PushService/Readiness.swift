import Foundation
import PushClock
package import PushModel
import Synchronization

/// Checks whether APNs, or the gateway in its place, can be reached.
package protocol APNSReachability: Sendable {
    /// Opens and closes a connection.
    ///
    /// - Parameter environment: the environment whose endpoint is tried.
    /// - Returns: the problem, in words that anyone may read; nil if there is none.
    func problem(of environment: APNSEnvironment) async -> String?
}

/// Whether the service can do its work: its disk takes writes, APNs can be reached, and it is not shutting down.
///
/// Anyone may ask, so a check serves all requests of ``Readiness/lifetime``, and of the time that it takes.
package actor Readiness {
    /// The result of the checks: for each, the problem, or nil.
    package struct Report: Hashable, Sendable {
        package var store: String?
        package var apns: [APNSEnvironment: String]
        package var isDraining: Bool

        package var isReady: Bool { store == nil && apns.isEmpty && !isDraining }

        /// `{"status":"ready","store":"ok","apns":{"development":"ok","production":"ok"},"draining":false}`.
        package var json: JSONValue {
            let environments = APNSEnvironment.allCases.map { ($0.rawValue, JSONValue.string(apns[$0] ?? "ok")) }
            return [
                "status": .string(isReady ? "ready" : "not ready"), "store": .string(store ?? "ok"),
                "apns": .object(JSONObject(environments)), "draining": .bool(isDraining),
            ]
        }
    }

    /// The number of seconds for which a result holds.
    private static let lifetime: TimeInterval = 10
    private static let key = "readiness.checked"

    private let store: any KeyValueStore
    private let apns: (any APNSReachability)?
    private let clock: any CivilClock
    private let checking = AsyncMutex()
    private nonisolated let draining = Atomic(false)
    private var last: (store: String?, apns: [APNSEnvironment: String], at: Date)?

    init(store: any KeyValueStore, apns: (any APNSReachability)?, clock: any CivilClock) {
        self.store = store
        self.apns = apns
        self.clock = clock
    }

    /// Must be called when the service begins to shut down.
    package nonisolated func beginDraining() { draining.store(true, ordering: .relaxed) }

    /// Returns the result of checks that were made at most ten seconds ago.
    package func report() async -> Report {
        await checking.withLock {
            let now = clock.date
            if let last, (0..<Self.lifetime).contains(now.timeIntervalSince(last.at)) { return }
            async let store = storeProblem(at: now)
            async let apns = apnsProblems()
            last = (await store, await apns, now)
        }
        return Report(store: last?.store, apns: last?.apns ?? [:], isDraining: draining.load(ordering: .relaxed))
    }

    /// Writes a value, which waits until it is on disk.
    private func storeProblem(at now: Date) async -> String? {
        do {
            try await store.setValue(Array("\(Int64(now.timeIntervalSince1970))".utf8), for: Self.key)
            return nil
        } catch { return "\(error)" }
    }

    private func apnsProblems() async -> [APNSEnvironment: String] {
        guard let apns else { return [:] }
        async let development = apns.problem(of: .development)
        async let production = apns.problem(of: .production)
        var problems: [APNSEnvironment: String] = [:]
        if let problem = await development { problems[.development] = problem }
        if let problem = await production { problems[.production] = problem }
        return problems
    }
}
