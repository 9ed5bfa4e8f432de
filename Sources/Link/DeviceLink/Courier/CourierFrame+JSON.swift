import Foundation
package import PushModel

extension CourierFrame {
    /// The frame as text for the link.
    public var text: String {
        let object: JSONObject =
            switch self {
            case .hello(let device, let key): ["type": "hello", "device": .string(device), "key": .string(key)]
            case .register(let topic, let environment): Self.members("register", of: topic, in: environment)
            case .unregister(let topic, let environment): Self.members("unregister", of: topic, in: environment)
            case .awake(let isAwake): ["type": "awake", "awake": .bool(isAwake)]
            case .subscribe(let topic, let environment, let channel):
                Self.members("subscribe", of: topic, in: environment, channel: channel)
            case .unsubscribe(let topic, let environment, let channel):
                Self.members("unsubscribe", of: topic, in: environment, channel: channel)
            case .registered(let topic, let environment, let token):
                Self.members("registered", of: topic, in: environment, token: token)
            case .push(let push): push.members
            case .ack(let apnsID): ["type": "ack", "apns-id": .string(apnsID)]
            case .events(let events): ["type": "events", "events": .array(events.map(\.json))]
            case .eventsAck(let number): ["type": "events-ack", "through": .integer(number)]
            case .refused(let message): ["type": "refused", "message": .string(message)]
            }
        return JSONValue.object(object).text
    }

    private static func members(
        _ type: String,
        of topic: String,
        in environment: APNSEnvironment,
        channel: String? = nil,
        token: DeviceToken? = nil
    ) -> JSONObject {
        var object: JSONObject = ["type": .string(type), "topic": .string(topic)]
        object["environment"] = .string(environment.rawValue)
        object["channel"] = JSONValue(channel)
        object["token"] = JSONValue(token?.hexadecimal)
        return object
    }

    /// Parses the text of a WebSocket message.
    public init(text: String) throws(LinkFrameError) { try self.init(parsing: text) }
}

extension CourierFrame: JSONFrame {
    package init?(type: String, members: JSONReader) throws(JSONProblem) {
        switch type {
        case "hello": self = .hello(device: try members.string("device"), key: try members.string("key"))
        case "register":
            self = .register(topic: try members.string("topic"), environment: try members.environment("environment"))
        case "unregister":
            self = .unregister(topic: try members.string("topic"), environment: try members.environment("environment"))
        case "awake": self = .awake(try members.need("awake", .bool))
        case "subscribe": self = try CourierChannel(members).subscribe
        case "unsubscribe": self = try CourierChannel(members).unsubscribe
        case "registered":
            let token = try members.need("token", .deviceToken)
            let environment = try members.environment("environment")
            self = .registered(topic: try members.string("topic"), environment: environment, token: token)
        case "push": self = .push(try CourierPush(members))
        case "ack": self = .ack(apnsID: try members.string("apns-id"))
        case "events":
            self = .events(try members.need("events", .array("an array of events", of: CourierEvent.init(json:))))
        case "events-ack": self = .eventsAck(through: try members.integer("through"))
        case "refused": self = .refused(message: try members.string("message"))
        default: return nil
        }
    }
}

extension CourierChannel {
    fileprivate init(_ members: JSONReader) throws(JSONProblem) {
        environment = try members.environment("environment")
        id = try members.string("channel")
        topic = try members.string("topic")
    }
}

extension CourierPush {
    fileprivate var members: JSONObject {
        var object: JSONObject = ["type": "push", "apns-id": .string(apnsID), "topic": .string(topic)]
        object["environment"] = .string(environment.rawValue)
        object["push-type"] = JSONValue(pushType?.rawValue)
        object["priority"] = .number(priority)
        object["collapse-id"] = JSONValue(collapseID)
        object["channel"] = JSONValue(channel)
        object["expiration"] = JSONValue(expiration?.rawValue)
        // A payload is almost always text; one that is not UTF-8 still arrives unchanged.
        if let text = String(validating: payload, as: UTF8.self) {
            object["payload"] = .string(text)
        } else {
            object["payload-base64"] = .string(Data(payload).base64EncodedString())
        }
        return object
    }

    fileprivate init(_ members: JSONReader) throws(JSONProblem) {
        let payload: [UInt8]
        if members["payload-base64"] != nil {
            payload = try members.need("payload-base64", .base64)
        } else {
            payload = Array(try members.string("payload").utf8)
        }
        self.init(
            apnsID: try members.string("apns-id"),
            topic: try members.string("topic"),
            environment: try members.environment("environment"),
            pushType: members["push-type"]?.string.map(APNSPushType.init(rawValue:)),
            priority: Int(try members.integer("priority")),
            collapseID: members["collapse-id"]?.string,
            payload: payload,
            channel: members["channel"]?.string,
            expiration: members["expiration"]?.integer.map { APNSExpiration(rawValue: $0) }
        )
    }
}

extension CourierEvent {
    fileprivate var json: JSONValue { ["number": .integer(number), "apns-id": .string(apnsID), "event": event.json] }

    fileprivate init?(json: JSONValue) {
        guard let object = json.object, let number = object["number"]?.integer,
            let apnsID = object["apns-id"]?.string, let event = object["event"].flatMap(JourneyEvent.init(json:))
        else { return nil }
        self.init(number: number, apnsID: apnsID, event: event)
    }
}

extension JSONForm<[UInt8]> {
    fileprivate static var base64: Self {
        Self("base64") { value in value.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) } }
    }
}
