import PushModel

extension SDKFrame {
    /// The frame as text for the link.
    public var text: String {
        var object: JSONObject = [:]
        switch self {
        case .register(let registration):
            object = registration.members
        case .login(let appKey, let registrationID, let secret, let position, let takesMessages, let zone):
            object = ["type": "login", "app-key": .string(appKey), "registration-id": .string(registrationID)]
            object["secret"] = .string(secret)
            object["position"] = position.map { .integer($0) }
            if !takesMessages { object["messages"] = false }
            object["zone"] = zone.map { .string($0) }
        case .registered(let registrationID, let secret, let userID):
            object = ["type": "registered", "registration-id": .string(registrationID), "secret": .string(secret)]
            object["user-id"] = .integer(userID)
        case .loggedIn:
            object = ["type": "logged-in"]
        case .refused(let code, let message):
            object = ["type": "refused", "code": .integer(Int64(code)), "message": .string(message)]
        case .request(let number, let request):
            object = ["type": .string(request.name), "number": .integer(number)]
            for (key, value) in request.details { object[key] = value }
        case .reply(let number, let reply):
            object = ["type": "reply", "number": .integer(number), "code": .integer(Int64(reply.code))]
            object["message"] = reply.message.map { .string($0) }
            object["tags"] = reply.tags.map { .array($0.map { .string($0) }) }
            object["alias"] = reply.alias.map { .string($0) }
            object["bound"] = reply.isBound.map { .bool($0) }
            object["on"] = reply.isOn.map { .bool($0) }
        case .message(let message):
            object = message.members
        case .acknowledge(let position):
            object = ["type": "ack", "position": .integer(position)]
        }
        return JSONValue.object(object).text
    }

    public init(text: String) throws(LinkFrameError) {
        let frame = try FrameReader(text)
        switch frame.type {
        case "register":
            self = .register(try SDKRegistration(frame))
        case "login":
            self = .login(
                appKey: try frame.string("app-key"),
                registrationID: try frame.string("registration-id"),
                secret: try frame.string("secret"),
                position: try frame.optional("position", expected: "an integer") { $0.integer },
                takesMessages: try frame.optional("messages", expected: "true or false") { $0.bool } ?? true,
                zone: try frame.optional("zone", expected: "a string") { $0.string }
            )
        case "registered":
            self = .registered(
                registrationID: try frame.string("registration-id"),
                secret: try frame.string("secret"),
                userID: try frame.integer("user-id")
            )
        case "logged-in":
            self = .loggedIn
        case "refused":
            self = .refused(code: Int(try frame.integer("code")), message: try frame.string("message"))
        case "reply":
            let reply = SDKReply(
                code: Int(try frame.integer("code")),
                message: frame.object["message"]?.string,
                tags: frame.object["tags"]?.array?.compactMap(\.string),
                alias: frame.object["alias"]?.string,
                isBound: frame.object["bound"]?.bool,
                isOn: frame.object["on"]?.bool
            )
            self = .reply(number: try frame.integer("number"), reply)
        case "message":
            self = .message(try SDKMessage(frame))
        case "in-app-message":
            self = .message(try SDKMessage(frame))
        case "ack":
            self = .acknowledge(position: try frame.integer("position"))
        default:
            guard let request = try SDKRequest(frame) else { throw frame.unknownType }
            self = .request(number: try frame.integer("number"), request)
        }
    }
}

extension SDKRegistration {
    fileprivate var members: JSONObject {
        var object: JSONObject = ["type": "register", "app-key": .string(appKey), "bundle-id": .string(bundleID)]
        object["channel"] = channel.map { .string($0) }
        object["environment"] = .string(environment.rawValue)
        object["system"] = .string(system)
        object["installation"] = .string(installation)
        object["zone"] = zone.map { .string($0) }
        return object
    }

    fileprivate init(_ frame: FrameReader) throws(LinkFrameError) {
        self.init(
            appKey: try frame.string("app-key"),
            bundleID: try frame.string("bundle-id"),
            channel: frame.object["channel"]?.string,
            environment: try frame.word("environment"),
            system: try frame.string("system"),
            installation: try frame.string("installation"),
            zone: try frame.optional("zone", expected: "a string") { $0.string }
        )
    }
}

extension SDKMessage {
    fileprivate var members: JSONObject {
        var object: JSONObject = ["type": isInApp ? "in-app-message" : "message", "position": .integer(position)]
        object["id"] = .integer(messageID)
        object["content"] = .string(content)
        object["title"] = title.map { .string($0) }
        object["content-type"] = contentType.map { .string($0) }
        object["extras"] = extras.map { .object($0) }
        return object
    }

    fileprivate init(_ frame: FrameReader) throws(LinkFrameError) {
        self.init(
            position: try frame.integer("position"),
            messageID: try frame.integer("id"),
            content: try frame.string("content"),
            title: frame.object["title"]?.string,
            contentType: frame.object["content-type"]?.string,
            extras: frame.object["extras"]?.object,
            isInApp: frame.type == "in-app-message"
        )
    }
}

extension SDKRequest {
    fileprivate var name: String {
        switch self {
        case .token: "token"
        case .addTags: "tags-add"
        case .setTags: "tags-set"
        case .deleteTags: "tags-delete"
        case .cleanTags: "tags-clean"
        case .getAllTags: "tags-get"
        case .setAlias: "alias-set"
        case .deleteAlias: "alias-delete"
        case .getAlias: "alias-get"
        case .badge: "badge"
        case .checkTag: "tag-check"
        case .mobile: "mobile"
        case .pushSwitch: "push-switch"
        case .pushStatus: "push-status"
        case .receipts: "receipts"
        case .voipToken: "voip-token"
        case .activityToken: "activity-token"
        case .activityStartToken: "activity-start-token"
        }
    }

    fileprivate var details: [(String, JSONValue)] {
        switch self {
        case .token(let token, let environment), .voipToken(let token, let environment):
            [("token", .string(token.hexadecimal)), ("environment", .string(environment.rawValue))]
        case .addTags(let tags), .setTags(let tags), .deleteTags(let tags):
            [("tags", .array(tags.map { .string($0) }))]
        case .setAlias(let alias): [("alias", .string(alias))]
        case .badge(let badge): [("badge", .integer(Int64(badge)))]
        case .checkTag(let tag): [("tag", .string(tag))]
        case .mobile(let mobile): mobile.map { [("mobile", .string($0))] } ?? []
        case .pushSwitch(let isOn): [("on", .bool(isOn))]
        case .receipts(let receipts): [("receipts", .array(receipts.map(\.value)))]
        case .activityToken(let id, let token): [("activity", .string(id))] + Self.detail(token)
        case .activityStartToken(let type, let token): [("attributes-type", .string(type))] + Self.detail(token)
        case .cleanTags, .getAllTags, .deleteAlias, .getAlias, .pushStatus: []
        }
    }

    private static func detail(_ token: DeviceToken?) -> [(String, JSONValue)] {
        token.map { [("token", .string($0.hexadecimal))] } ?? []
    }

    /// Returns nil if the frame is of another kind.
    fileprivate init?(_ frame: FrameReader) throws(LinkFrameError) {
        switch frame.type {
        case "token":
            self = .token(try frame.token(), try frame.word("environment"))
        case "tags-add": self = .addTags(try frame.strings("tags"))
        case "tags-set": self = .setTags(try frame.strings("tags"))
        case "tags-delete": self = .deleteTags(try frame.strings("tags"))
        case "tags-clean": self = .cleanTags
        case "tags-get": self = .getAllTags
        case "alias-set": self = .setAlias(try frame.string("alias"))
        case "alias-delete": self = .deleteAlias
        case "alias-get": self = .getAlias
        case "badge": self = .badge(Int(try frame.integer("badge")))
        case "tag-check": self = .checkTag(try frame.string("tag"))
        case "mobile": self = .mobile(try frame.optional("mobile", expected: "a string") { $0.string })
        case "push-switch": self = .pushSwitch(try frame.read("on", expected: "true or false") { $0.bool })
        case "push-status": self = .pushStatus
        case "receipts": self = .receipts(try frame.receipts())
        case "voip-token": self = .voipToken(try frame.token(), try frame.word("environment"))
        case "activity-token":
            self = .activityToken(id: try frame.string("activity"), try frame.optionalToken())
        case "activity-start-token":
            self = .activityStartToken(type: try frame.string("attributes-type"), try frame.optionalToken())
        default: return nil
        }
    }
}

extension SDKReceipt {
    fileprivate var value: JSONValue {
        .object(["id": .integer(messageID), "event": .string(event.rawValue), "time": .integer(time)])
    }

    fileprivate init?(_ value: JSONValue) {
        guard let object = value.object, let messageID = object["id"]?.integer, let time = object["time"]?.integer,
            let event = object["event"]?.string.flatMap(Event.init(rawValue:))
        else { return nil }
        self.init(messageID: messageID, event: event, time: time)
    }
}

extension FrameReader {
    fileprivate func token() throws(LinkFrameError) -> DeviceToken {
        try read("token", expected: Self.aToken) { $0.string.flatMap { DeviceToken($0) } }
    }

    fileprivate func optionalToken() throws(LinkFrameError) -> DeviceToken? {
        try optional("token", expected: Self.aToken) { $0.string.flatMap { DeviceToken($0) } }
    }

    fileprivate func receipts() throws(LinkFrameError) -> [SDKReceipt] {
        try read("receipts", expected: "an array of receipts") { value in
            guard let array = value.array else { return nil }
            let receipts = array.compactMap(SDKReceipt.init)
            return receipts.count == array.count ? receipts : nil
        }
    }

    private static var aToken: String { "hexadecimal digits" }
}
