import Foundation
import PushModel

extension CourierFrame {
    /// The frame as text for the link.
    public var text: String {
        var object: JSONObject = [:]
        switch self {
        case .hello(let device, let key):
            object = ["type": "hello", "device": .string(device), "key": .string(key)]
        case .register(let topic, let environment):
            object = ["type": "register", "topic": .string(topic), "environment": .string(environment.rawValue)]
        case .unregister(let topic, let environment):
            object = ["type": "unregister", "topic": .string(topic), "environment": .string(environment.rawValue)]
        case .awake(let isAwake):
            object = ["type": "awake", "awake": .bool(isAwake)]
        case .subscribe(let topic, let environment, let channel):
            object = ["type": "subscribe", "topic": .string(topic), "environment": .string(environment.rawValue)]
            object["channel"] = .string(channel)
        case .unsubscribe(let topic, let environment, let channel):
            object = ["type": "unsubscribe", "topic": .string(topic), "environment": .string(environment.rawValue)]
            object["channel"] = .string(channel)
        case .registered(let topic, let environment, let token):
            object = ["type": "registered", "topic": .string(topic), "environment": .string(environment.rawValue)]
            object["token"] = .string(token.hexadecimal)
        case .push(let push):
            object = push.members
        case .ack(let apnsID):
            object = ["type": "ack", "apns-id": .string(apnsID)]
        case .events(let events):
            object = ["type": "events", "events": .array(events.map(\.json))]
        case .eventsAck(let number):
            object = ["type": "events-ack", "through": .integer(number)]
        case .refused(let message):
            object = ["type": "refused", "message": .string(message)]
        }
        return JSONValue.object(object).text
    }

    public init(text: String) throws(LinkFrameError) {
        let frame = try FrameReader(text)
        switch frame.type {
        case "hello":
            self = .hello(device: try frame.string("device"), key: try frame.string("key"))
        case "register":
            self = .register(topic: try frame.string("topic"), environment: try frame.word("environment"))
        case "unregister":
            self = .unregister(topic: try frame.string("topic"), environment: try frame.word("environment"))
        case "awake":
            self = .awake(try frame.read("awake", expected: "true or false") { $0.bool })
        case "subscribe":
            let environment: APNSEnvironment = try frame.word("environment")
            let channel = try frame.string("channel")
            self = .subscribe(topic: try frame.string("topic"), environment: environment, channel: channel)
        case "unsubscribe":
            let environment: APNSEnvironment = try frame.word("environment")
            let channel = try frame.string("channel")
            self = .unsubscribe(topic: try frame.string("topic"), environment: environment, channel: channel)
        case "registered":
            let token = try frame.read("token", expected: "hexadecimal digits") {
                $0.string.flatMap { DeviceToken($0) }
            }
            let environment: APNSEnvironment = try frame.word("environment")
            self = .registered(topic: try frame.string("topic"), environment: environment, token: token)
        case "push":
            self = .push(try CourierPush(frame))
        case "ack":
            self = .ack(apnsID: try frame.string("apns-id"))
        case "events":
            self = .events(
                try frame.read("events", expected: "an array of events") { value in
                    guard let array = value.array else { return nil }
                    let events = array.compactMap(CourierEvent.init(json:))
                    return events.count == array.count ? events : nil
                }
            )
        case "events-ack":
            self = .eventsAck(through: try frame.integer("through"))
        case "refused":
            self = .refused(message: try frame.string("message"))
        default:
            throw frame.unknownType
        }
    }
}

extension CourierPush {
    fileprivate var members: JSONObject {
        var object: JSONObject = ["type": "push", "apns-id": .string(apnsID), "topic": .string(topic)]
        object["environment"] = .string(environment.rawValue)
        object["push-type"] = .string(pushType.rawValue)
        object["priority"] = .integer(Int64(priority))
        object["collapse-id"] = collapseID.map { .string($0) }
        object["channel"] = channel.map { .string($0) }
        // A payload is almost always text; one that is not UTF-8 still arrives unchanged.
        if let text = String(validating: payload, as: UTF8.self) {
            object["payload"] = .string(text)
        } else {
            object["payload-base64"] = .string(Data(payload).base64EncodedString())
        }
        return object
    }

    fileprivate init(_ frame: FrameReader) throws(LinkFrameError) {
        let payload: [UInt8]
        if frame.object["payload-base64"] != nil {
            payload = try frame.read("payload-base64", expected: "base64") { value in
                value.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
            }
        } else {
            payload = Array(try frame.string("payload").utf8)
        }
        self.init(
            apnsID: try frame.string("apns-id"),
            topic: try frame.string("topic"),
            environment: try frame.word("environment"),
            pushType: APNSPushType(rawValue: try frame.string("push-type")),
            priority: Int(try frame.integer("priority")),
            collapseID: frame.object["collapse-id"]?.string,
            payload: payload,
            channel: frame.object["channel"]?.string
        )
    }
}

extension CourierEvent {
    fileprivate var json: JSONValue {
        ["number": .integer(number), "apns-id": .string(apnsID), "event": event.json]
    }

    fileprivate init?(json: JSONValue) {
        guard let object = json.object, let number = object["number"]?.integer,
            let apnsID = object["apns-id"]?.string, let event = object["event"].flatMap(JourneyEvent.init(json:))
        else { return nil }
        self.init(number: number, apnsID: apnsID, event: event)
    }
}
