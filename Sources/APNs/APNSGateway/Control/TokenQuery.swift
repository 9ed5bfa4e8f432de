import DeviceLink
import Foundation
package import PushModel
import Synchronization

/// The query string of `GET /tokens`: conditions for issued device tokens, nil for any value.
struct TokenQuery: Sendable {
    private(set) var topic: String?
    private(set) var environment: APNSEnvironment?
    /// The id of a device.
    private(set) var device: String?
    private(set) var state: TokenFacts.State?
    /// Only tokens with a lower number, to read the ones before those of an answer.
    private(set) var before = Int.max
    /// The number of tokens to return, the latest ones.
    private(set) var limit = 100

    static let greatestLimit = 1000

    /// - Throws: ``ControlRefusal`` for an unknown name or a value that cannot be one.
    init(_ parameters: some Sequence<(name: String, value: String)>) throws(ControlRefusal) {
        for (name, value) in parameters { try set(name, value) }
    }

    private mutating func set(_ name: String, _ value: String) throws(ControlRefusal) {
        switch name {
        case "topic": topic = value
        case "device": device = value
        case "environment": environment = try ControlParameter.environment(value)
        case "state":
            state = TokenFacts.State(rawValue: value)
            guard state != nil else { throw .bad("'state' is '\(value)'; expected valid, unregistered or expired.") }
        case "before": before = try ControlParameter.integer(name, value, from: 1)
        case "limit": limit = try ControlParameter.integer(name, value, from: 1, to: Self.greatestLimit)
        default:
            throw .bad("There is no parameter '\(name)'; expected topic, environment, device, state, before or limit.")
        }
    }

    func matches(_ facts: TokenFacts) -> Bool {
        (topic ?? facts.topic) == facts.topic && (environment ?? facts.environment) == facts.environment
            && (device == nil || device == facts.device) && (state ?? facts.state) == facts.state
    }
}

/// Reads the values of query strings.
enum ControlParameter {
    /// - Throws: ``ControlRefusal`` for anything but an integer in these bounds.
    static func integer(
        _ name: String,
        _ value: String,
        from least: Int,
        to most: Int = .max
    ) throws(ControlRefusal) -> Int {
        let bounds = most == .max ? "or more" : "to \(most)"
        guard let number = Int(value), (least...most).contains(number) else {
            throw .bad("'\(name)' is '\(value)'; expected an integer, \(least) \(bounds).")
        }
        return number
    }

    /// - Throws: ``ControlRefusal`` for anything but an environment.
    static func environment(_ value: String) throws(ControlRefusal) -> APNSEnvironment {
        guard let environment = APNSEnvironment(rawValue: value) else {
            throw .bad("'environment' is '\(value)'; expected development or production.")
        }
        return environment
    }
}

/// A device token with its number in the order of issue.
package typealias IssuedToken = (number: Int, token: DeviceToken, facts: TokenFacts)

extension Gateway {
    /// Returns the latest issued tokens that meet the conditions, in the order of their issue, each with its number there.
    ///
    /// This may look at all tokens: it is meant for people and tests.
    func tokens(_ query: TokenQuery) -> [IssuedToken] {
        state.withLock { state in
            var found: [IssuedToken] = []
            var index = min(query.before - 1, state.records.count)
            while index > 0, found.count < query.limit {
                let facts = TokenFacts(state.records[index - 1])
                if query.matches(facts) { found.append((index, state.token(at: index - 1), facts)) }
                index -= 1
            }
            return found.reversed()
        }
    }
}

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
        JSONObject(present: [
            "topic": topic, "environment": environment, "state": state.rawValue,
            "since": deadSince.map { Int64($0.timeIntervalSince1970 * 1000) }, "device": device, "waiting": waiting,
        ])
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
