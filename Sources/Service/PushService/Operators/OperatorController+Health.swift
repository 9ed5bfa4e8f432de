import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// Whether the service can do its work, its open links, its connections to APNs, its lanes and its disk.
    func showHealth() async throws -> JSONObject {
        guard let doctor else {
            throw OperatorError(.needsService, Remark(.serviceNeeded))
        }
        let report = await doctor.readiness.report()
        let now = clock.date
        let apps = try await store.apps()
        let lanes = try await doctor.lanes()
        let connections = await doctor.sender.connections()
        let callbacks = try await doctor.store.waitingCallbacks()
        return [
            "ready": .bool(report.isReady), "store": .string(report.store ?? "ok"),
            "apns": report.json.object?["apns"] ?? .null, "draining": .bool(report.isDraining),
            "callbacks_waiting": .number(callbacks.values.reduce(0, +)),
            "callbacks": .array(
                apps.compactMap { app in
                    callbacks[app.id].map { ["app": .string(app.key.text), "waiting": .number($0)] }
                }
            ),
            "links": .number(doctor.metrics.linkCount),
            "connections": .array(
                apps.flatMap { app in
                    APNSEnvironment.allCases.flatMap { environment in
                        connections.filter { $0.app == app.id && $0.environment == environment }.map {
                            Self.json($0, app: app.key.text)
                        }
                    }
                }
            ),
            "lanes": .array(
                lanes.map { one in
                    let app = apps.first { $0.id == one.lane.app }?.key.text
                    return Self.json(one, app: app, isWorking: doctor.laneRegistry.isBusy(one.lane), at: now)
                }
            ),
            "free_bytes": machine?.facts().freeBytes.map { .integer($0) } ?? .null,
        ]
    }

    private static func json(_ connections: SenderConnections, app: String) -> JSONValue {
        [
            "app": .string(app), "environment": .string(connections.environment.rawValue),
            "open": .number(connections.open), "waiting": .number(connections.waiting),
            "credential_refused": .bool(connections.isCredentialRefused),
            "last_trouble": .orNull(connections.lastTrouble),
        ]
    }

    private static func json(_ one: WaitingLane, app: String?, isWorking: Bool, at now: Date) -> JSONValue {
        let pause = one.pausedUntil.flatMap { $0 > now ? $0 : nil }
        return [
            "app": .orNull(app), "environment": .string(one.lane.environment.rawValue),
            "class": one.lane.delivery == .immediate ? "immediate" : "bulk", "due_at": .date(one.dueAt),
            "lag": .integer(Int64(max(now.timeIntervalSince(one.dueAt), 0))), "working": .bool(isWorking),
            "paused_until": .orNull(pause),
        ]
    }
}

extension Doctor {
    /// The lanes in which something waits that no worker has taken up yet.
    func lanes() async throws -> [WaitingLane] { try await store.waiting(for: .onlyNode, at: .distantFuture) }
}
