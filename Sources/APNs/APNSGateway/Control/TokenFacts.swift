import DeviceLink
import Foundation
import PushModel
import Synchronization

/// What the gateway knows of a device token.
struct TokenFacts: Sendable {
    var topic: String
    var environment: APNSEnvironment
    /// Nil for a token that belongs to no device.
    var device: String?
    /// Since when it is dead.
    var deadSince: Date?
    var hasExpired: Bool
    /// Pushes that wait for it.
    var waiting: Int

    var json: JSONObject {
        let state = deadSince == nil ? "valid" : hasExpired ? "expired" : "unregistered"
        var object: JSONObject = [
            "topic": .string(topic), "environment": .string(environment.rawValue), "state": .string(state),
        ]
        object["since"] = deadSince.map { .integer(Int64($0.timeIntervalSince1970 * 1000)) }
        object["device"] = device.map { .string($0) }
        object["waiting"] = .integer(Int64(waiting))
        return object
    }
}

extension Gateway {
    /// Nil if it has issued no such token.
    func facts(about token: DeviceToken) -> TokenFacts? {
        state.withLock { state in
            place(of: token, state).map { place in
                let record = state.records[place]
                return TokenFacts(
                    topic: record.topic,
                    environment: record.environment,
                    device: record.app?.device,
                    deadSince: record.unregistered,
                    hasExpired: record.hasExpired,
                    waiting: record.mailbox.waitingCount
                )
            }
        }
    }
}
