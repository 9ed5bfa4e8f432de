import DeviceLink
import Foundation
import PushModel
import Synchronization

/// The gateway's record of a device token.
struct TokenFacts: Sendable {
    var topic: String
    var environment: APNSEnvironment
    /// The device id; nil for a token without a device.
    var device: String?
    /// The date since which the token is dead.
    var deadSince: Date?
    var hasExpired: Bool
    /// The number of pushes that wait for it.
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
    /// Returns the facts about a token; nil if the gateway has not issued it.
    func facts(about token: DeviceToken) -> TokenFacts? {
        state.withLock { state in
            index(of: token, state).map { index in
                let record = state.records[index]
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
