import APNSTransport
package import PushModel

/// The conditions under which a fault applies to a request or a delivery; nil conditions are ignored.
package struct FaultConditions: Hashable, Sendable {
    package enum Connection: Hashable, Sendable {
        case each
        /// The first connection that the fault meets, and no other after that.
        case first
        /// The connection with this number.
        case number(Int)
    }

    package var environment: APNSEnvironment?
    package var token: DeviceToken?
    package var topic: String?
    /// The path of the request; with a trailing `*`, a prefix.
    package var path: String?
    package var connection = Connection.each

    /// `first` is the first connection that met the fault; nil if there is none.
    func hold(for request: FaultRequest, first: Int?) -> Bool {
        switch connection {
        case .each: break
        case .first: if let first, first != request.connection { return false }
        case .number(let number): if number != request.connection { return false }
        }
        if let environment, environment != request.environment { return false }
        if let topic, topic != request.topic { return false }
        if let token, token != request.token { return false }
        guard let path else { return true }
        return path.last == "*" ? request.path.hasPrefix(path.dropLast()) : request.path == path
    }

    func hold(for delivery: FaultDelivery) -> Bool {
        (environment ?? delivery.environment) == delivery.environment && (topic ?? delivery.topic) == delivery.topic
            && (token ?? delivery.token) == delivery.token
    }
}

/// The properties of a request that fault conditions can test.
package struct FaultRequest: Hashable, Sendable {
    package var environment: APNSEnvironment
    /// The number of the connection.
    package var connection: Int
    package var path: String
    package var topic: String?
    package var apnsID: String?

    var token: DeviceToken? { path.split(separator: "/").last.flatMap { DeviceToken($0) } }
}

extension FaultRequest {
    init(_ request: HTTP2Message, _ environment: APNSEnvironment, connection: Int) {
        self.init(
            environment: environment,
            connection: connection,
            path: request.text(of: .path) ?? "",
            topic: request.text(of: .topic),
            apnsID: request.text(of: .apnsID)
        )
    }
}

/// The properties of a delivery that fault conditions can test.
package struct FaultDelivery: Hashable, Sendable {
    package var environment: APNSEnvironment
    package var topic: String
    package var token: DeviceToken
    package var apnsID: String
}

/// The effect of faults on one request.
package struct FaultDecision: Hashable, Sendable {
    /// The way in which a request ends.
    package enum Ending: Hashable, Sendable {
        case judged
        case answered(FaultAnswer)
        case reset(code: Int, isTaken: Bool)
        case closed(isTaken: Bool)
    }

    /// The fault that a request waits for.
    package struct Stall: Hashable, Sendable {
        package var fault: Int
        /// The time to wait; nil: until the fault ends or is lifted.
        package var seconds: Double?
    }

    package var goAways: [FaultGoAway] = []
    /// The delay in seconds.
    package var delay: Double = 0
    package var stall: Stall?
    package var ending: Ending = .judged

    var isLater: Bool { delay > 0 || stall != nil }
}

/// The effect of faults on one delivery.
package enum FaultyDelivery: Hashable, Sendable {
    /// The device gets this number of copies; one is normal.
    case copies(Int)
    /// The device gets the push when it reconnects.
    case dropped
    case lost
}
