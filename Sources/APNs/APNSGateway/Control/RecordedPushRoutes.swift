import Hummingbird
import PushModel

extension ControlEndpoint {
    /// Adds `GET /pushes`: the latest pushes of providers, or those that a test waits for.
    func addPushes(of recorder: PushRecorder, to router: Router<BasicRequestContext>) {
        router.get("pushes") { request, _ in
            let parameters = try PushParameters(request.parameters)
            let pushes = try await recorder.pushes(
                parameters.query,
                limit: parameters.limit,
                count: parameters.count,
                within: parameters.time
            )
            return Response("pushes", pushes.map(\.json))
        }
    }
}

/// The query string of `GET /pushes`.
struct PushParameters {
    private(set) var query = PushQuery()
    /// The number of pushes to return, the latest ones.
    private(set) var limit = 100
    /// The number of pushes to wait for.
    private(set) var count = 1
    /// The time to wait for them.
    private(set) var time = Duration.zero

    /// The longest wait in seconds, below the idle limits of common HTTP clients.
    static let longestWait = 60.0

    /// - Throws: ``ControlRefusal`` for an unknown name or a value that cannot be one.
    init(_ parameters: some Sequence<(name: String, value: String)>) throws(ControlRefusal) {
        for (name, value) in parameters { try set(name, value) }
    }

    private mutating func set(_ name: String, _ value: String) throws(ControlRefusal) {
        func number(from least: Int, to most: Int = .max) throws(ControlRefusal) -> Int {
            try ControlParameter.integer(name, value, from: least, to: most)
        }
        switch name {
        case "token": query.token = DeviceToken(written: value)?.hexadecimal ?? value
        case "topic": query.topic = value
        case "collapse-id": query.collapseID = value
        case "apns-id": query.apnsID = value
        case "text": query.text = value
        case "reason": query.reason = APNSReason(rawValue: value)
        case "environment": query.environment = try ControlParameter.environment(value)
        case "number": query.number = try number(from: 1)
        case "status": query.status = try number(from: 100, to: 599)
        case "after": query.after = try number(from: 0)
        case "limit": limit = try number(from: 1, to: PushRecorder.limit)
        case "count": count = try number(from: 1, to: PushRecorder.limit)
        case "wait":
            guard let seconds = Double(value), (0...Self.longestWait).contains(seconds) else {
                throw .bad("'wait' is '\(value)'; expected seconds from 0 to \(Int(Self.longestWait)).")
            }
            time = .seconds(seconds)
        default:
            throw .bad(
                "There is no parameter '\(name)'; expected token, topic, collapse-id, apns-id, environment, status, reason, "
                    + "text, number, after, limit, count or wait."
            )
        }
    }
}
