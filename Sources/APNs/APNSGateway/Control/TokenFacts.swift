import DeviceLink
import Foundation
package import PushModel
import Synchronization

/// The gateway's record of a device token.
package struct TokenFacts: Sendable {
    package var topic: String
    package var environment: APNSEnvironment
    /// The device id; nil for a token without a device.
    package var device: String?
    /// The date since which the token is dead.
    var deadSince: Date?
    var hasExpired: Bool
    /// The number of pushes that wait for it.
    package var waiting: Int

    package enum State: String, CaseIterable, Sendable {
        case valid
        case unregistered
        case expired
    }

    package var state: State { deadSince == nil ? .valid : hasExpired ? .expired : .unregistered }

    init(_ record: TokenRecord) {
        topic = record.topic
        environment = record.environment
        device = record.app?.device
        deadSince = record.unregistered
        hasExpired = record.hasExpired
        waiting = record.mailbox.waitingCount
    }

    var json: JSONObject {
        var object: JSONObject = [
            "topic": .string(topic), "environment": .string(environment.rawValue), "state": .string(state.rawValue),
        ]
        object["since"] = deadSince.map { .integer(Int64($0.timeIntervalSince1970 * 1000)) }
        object["device"] = device.map { .string($0) }
        object["waiting"] = .number(waiting)
        return object
    }
}

extension Gateway {
    /// Returns the facts about a token; nil if the gateway has not issued it.
    func facts(about token: DeviceToken) -> TokenFacts? {
        state.withLock { state in
            index(of: token, state).map { TokenFacts(state.records[$0]) }
        }
    }
}
