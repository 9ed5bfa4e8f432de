import Foundation
import PushClock
package import PushModel
import Synchronization

/// Checks whether APNs, or the gateway in its place, can be reached.
package protocol APNSReachability: Sendable {
    /// Opens and closes a connection to the endpoint of an environment; returns the problem, in words that anyone may read.
    func problem(of environment: APNSEnvironment) async -> String?
}

/// Whether the service can do its work: its disk takes writes, APNs can be reached, and it is not shutting down.
///
/// APNs counts in the environments that some app has a credential for, or in all while no app has one.
///
/// Anyone may ask, so a check serves all requests of ``Readiness/lifetime``, and of the time that it takes.
package actor Readiness {
    /// The result of the checks: for each, the problem, or nil.
    package struct Report: Hashable, Sendable {
        package var store: String?
        /// The same for anyone.
        package var publicStore: String?
        package var apns: [APNSEnvironment: String]
        /// The environments that are not checked, since no app can push there.
        package var unused: Set<APNSEnvironment> = []
        /// The apps whose pushes are paused, which does not keep the service from its work. The answer is for anyone, so it has numbers
        /// alone.
        package var paused: [PauseCount] = []
        package var isDraining: Bool

        package var isReady: Bool { store == nil && apns.isEmpty && !isDraining }

        /// Whether APNs can be reached: `ok`, `unused`, or the problem.
        func state(_ environment: APNSEnvironment) -> String {
            apns[environment] ?? (unused.contains(environment) ? "unused" : "ok")
        }

        /// `{"status":"ready","store":"ok","apns":{"development":"ok","production":"ok"},"paused":[],"draining":false}`.
        ///
        /// A member of `paused` is `{"environment":"production","topic":"voip","reason":"credentialScope","apps":1}`.
        package var json: JSONValue {
            let environments = APNSEnvironment.allCases.map { ($0.rawValue, JSONValue.string(state($0))) }
            return .object(
                JSONObject(present: [
                    "status": isReady ? "ready" : "not ready", "store": publicStore ?? "ok",
                    "apns": JSONValue.object(JSONObject(environments)), "paused": paused.map(\.members),
                    "draining": isDraining,
                ])
            )
        }
    }

    /// The number of seconds for which a result holds.
    private static let lifetime: TimeInterval = 10
    private static let key = "readiness.checked"

    private struct Checked {
        var store: (any Error)?
        var apns: [APNSEnvironment: String]
        var unused: Set<APNSEnvironment>
        var paused: [PauseCount]
        var date: Date
    }

    private let store: any KeyValueStore & CredentialEnvironments
    private let environments: Set<APNSEnvironment>
    private let apns: (any APNSReachability)?
    private let clock: any CivilClock
    private let checking = AsyncMutex()
    private nonisolated let draining = Atomic(false)
    private var last: Checked?

    /// Checks the store, and the environments that can be used.
    init(
        store: any KeyValueStore & CredentialEnvironments,
        apns: (any APNSReachability)?,
        environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases),
        clock: any CivilClock
    ) {
        self.store = store
        self.apns = apns
        self.environments = environments
        self.clock = clock
    }

    /// Must be called when the service begins to shut down, or a node to hand over its work, and with false when it takes work again.
    package nonisolated func setDraining(_ isDraining: Bool) { draining.store(isDraining, ordering: .relaxed) }

    /// Returns the result of checks that were made at most ten seconds ago.
    package func report() async -> Report {
        await checking.withLock {
            let now = clock.date
            if let last, (0..<Self.lifetime).contains(now.timeIntervalSince(last.date)) { return }
            async let store = storeProblem(at: now)
            let used = await usedEnvironments()
            let apns = await problems(of: used)
            let unused = Set(APNSEnvironment.allCases).subtracting(used)
            let paused = (try? await self.store.pauseCounts()) ?? []
            last = Checked(store: await store, apns: apns, unused: unused, paused: paused, date: now)
        }
        return Report(
            store: last?.store.map { "\($0)" },
            publicStore: last?.store.map(Self.publicDescription),
            apns: last?.apns ?? [:],
            unused: last?.unused ?? [],
            paused: last?.paused ?? [],
            isDraining: draining.load(ordering: .relaxed)
        )
    }

    /// Returns the environments that some app can push to; all that can be used if there is none, or the store cannot be read.
    private func usedEnvironments() async -> Set<APNSEnvironment> {
        let used = ((try? await store.credentialEnvironments()) ?? []).intersection(environments)
        return used.isEmpty ? environments : used
    }

    /// Writes a value, which waits until it is on disk.
    private func storeProblem(at now: Date) async -> (any Error)? {
        do {
            try await store.setValue(Array("\(Int64(now.timeIntervalSince1970))".utf8), for: Self.key)
            return nil
        } catch { return error }
    }

    /// The problem of the store in words for anyone.
    private static func publicDescription(of error: any Error) -> String {
        (error as? StoreError)?.publicDescription ?? "The service cannot write to its store; operators see why."
    }

    private func problems(of environments: Set<APNSEnvironment>) async -> [APNSEnvironment: String] {
        guard let apns else { return [:] }
        return await withTaskGroup { group in
            for environment in environments { group.addTask { (environment, await apns.problem(of: environment)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }
}

extension PauseCount {
    fileprivate var members: JSONMembers {
        ["environment": environment.rawValue, "topic": topic.name, "reason": reason.rawValue, "apps": apps]
    }
}
