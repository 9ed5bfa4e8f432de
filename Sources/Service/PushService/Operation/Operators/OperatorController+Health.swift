package import Foundation
import PushClock
package import PushModel

extension OperatorController {
    /// Returns whether the service can do its work, its open links, its connections to APNs, its lanes and its disk.
    func showHealth() async throws -> HealthAnswer {
        guard let doctor else { throw OperatorError(.needsService, Remark(.serviceNeeded)) }
        let report = await doctor.readiness.report()
        let now = clock.date
        let apps = try await store.apps()
        let lanes = try await doctor.lanes()
        let connections = await doctor.sender.connections()
        let callbacks = try await doctor.store.waitingCallbacks()
        return HealthAnswer(
            ready: report.isReady,
            store: report.store ?? "ok",
            apns: HealthAnswer.APNs(development: report.state(.development), production: report.state(.production)),
            draining: report.isDraining,
            callbacksWaiting: callbacks.values.reduce(0, +),
            callbacks: apps.compactMap { app in
                callbacks[app.id].map { HealthAnswer.Callbacks(app: app.key.text, waiting: $0) }
            },
            links: doctor.metrics.linkCount,
            connections: apps.flatMap { app in
                APNSEnvironment.allCases.flatMap { environment in
                    connections.filter { $0.app == app.id && $0.environment == environment }.map {
                        HealthAnswer.Connections($0, of: app.key.text)
                    }
                }
            },
            lanes: lanes.map { one in
                let app = apps.first { $0.id == one.lane.app }?.key.text
                return HealthAnswer.Lane(one, of: app, isWorking: doctor.laneRegistry.isBusy(one.lane), at: now)
            },
            freeBytes: machine?.facts().freeBytes
        )
    }
}

/// The state of a running service.
package struct HealthAnswer: Codable, Sendable {
    package struct Connections: Codable, Sendable {
        package let app: String
        package let environment: APNSEnvironment
        /// The id of the app's credential.
        package let credential: SealedCredential.ID
        package let open: Int
        package let waiting: Int
        package let credentialRefused: Bool
        @OrNull package var lastTrouble: String?

        init(_ connections: SenderConnections, of app: String) {
            self.app = app
            environment = connections.environment
            credential = connections.credential
            open = connections.open
            waiting = connections.waiting
            credentialRefused = connections.isCredentialRefused
            lastTrouble = connections.lastTrouble
        }
    }

    package struct Lane: Codable, Sendable {
        @OrNull package var app: String?
        package let environment: APNSEnvironment
        /// `notification`, `voip` or `live_activity`.
        package let topic: String
        /// `immediate` or `bulk`.
        package let `class`: String
        package let dueAt: Date
        /// The seconds since then.
        package let lag: Int
        package let working: Bool
        @OrNull package var pausedUntil: Date?

        init(_ one: WaitingLane, of app: String?, isWorking: Bool, at now: Date) {
            self.app = app
            environment = one.lane.environment
            dueAt = one.dueAt
            working = isWorking
            topic = one.lane.topic.name
            `class` = one.lane.delivery == .immediate ? "immediate" : "bulk"
            lag = Int(max(now.timeIntervalSince(one.dueAt), 0))
            pausedUntil = one.pausedUntil.flatMap { $0 > now ? $0 : nil }
        }
    }

    package struct Callbacks: Codable, Sendable {
        let app: String
        let waiting: Int
    }

    /// Whether APNs can be reached: `ok`, `unused`, or the problem.
    package struct APNs: Codable, Sendable {
        package let development: String
        package let production: String
    }

    package let ready: Bool
    /// `ok`, or the problem.
    package let store: String
    package let apns: APNs
    package let draining: Bool
    let callbacksWaiting: Int
    let callbacks: [Callbacks]
    package let links: Int
    package let connections: [Connections]
    package let lanes: [Lane]
    @OrNull package var freeBytes: Int64?
}

extension Doctor {
    /// The lanes in which something waits that no worker has taken up yet.
    func lanes() async throws -> [WaitingLane] { try await store.waiting(for: .onlyNode, at: .distantFuture) }
}
