package import PushModel

extension SDKFrame {
    /// The frame as text for the link.
    public var text: String {
        var object: JSONObject = [:]
        switch self {
        case .register(let registration): object = registration.members
        case .login(
            let appKey,
            let registrationID,
            let secret,
            let position,
            let takesMessages,
            let zone,
            let version,
            let language,
            let permission
        ):
            object = ["type": "login", "app-key": .string(appKey), "registration-id": .string(registrationID)]
            object["secret"] = .string(secret)
            object["position"] = JSONValue(position)
            if !takesMessages { object["messages"] = false }
            object["zone"] = JSONValue(zone)
            object["app-version"] = JSONValue(version)
            object["language"] = JSONValue(language)
            object["permission"] = JSONValue(permission?.rawValue)
        case .registered(let registrationID, let secret, let userID):
            object = ["type": "registered", "registration-id": .string(registrationID), "secret": .string(secret)]
            object["user-id"] = .integer(userID)
        case .loggedIn(let state):
            object = ["type": "logged-in"]
            if let state { object.add(state.members) }
        case .refused(let code, let message):
            object = ["type": "refused", "code": .number(code), "message": .string(message)]
        case .request(let number, let sequence, let request):
            let form = request.form
            object = ["type": .string(form.name), "number": .integer(number)]
            object["sequence"] = JSONValue(sequence)
            for (key, value) in form.details { object[key] = value }
        case .reply(let number, let reply):
            object = ["type": "reply", "number": .integer(number), "code": .number(reply.code)]
            object["message"] = JSONValue(reply.message)
            object.add(reply.members)
        case .message(let message): object = message.members
        case .takeBack(let orders): object = ["type": "take-back", "orders": .array(orders.map(\.value))]
        case .acknowledge(let position): object = ["type": "ack", "position": .integer(position)]
        }
        return JSONValue.object(object).text
    }

    /// Parses the text of a WebSocket message.
    public init(text: String) throws(LinkFrameError) { try self.init(parsing: text) }
}

extension SDKFrame: JSONFrame {
    package init?(type: String, members: JSONReader) throws(JSONProblem) {
        switch type {
        case "register": self = .register(try SDKRegistration(members))
        case "login":
            self = .login(
                appKey: try members.string("app-key"),
                registrationID: try members.string("registration-id"),
                secret: try members.string("secret"),
                position: try members.optional("position", .integer),
                takesMessages: try members.optional("messages", .bool) ?? true,
                zone: try members.optional("zone", .string),
                appVersion: try members.optional("app-version", .string),
                language: try members.optional("language", .string),
                permission: try members.optional("permission", .word)
            )
        case "registered":
            self = .registered(
                registrationID: try members.string("registration-id"),
                secret: try members.string("secret"),
                userID: try members.integer("user-id")
            )
        case "logged-in": self = .loggedIn(try SDKDeviceState(members))
        case "refused": self = .refused(code: Int(try members.integer("code")), message: try members.string("message"))
        case "reply":
            var reply = SDKReply(
                code: Int(try members.integer("code")),
                message: members["message"]?.string,
                tags: members["tags"]?.array?.compactMap(\.string),
                alias: members["alias"]?.string,
                isBound: members["bound"]?.bool,
                isOn: members["on"]?.bool
            )
            reply.topics = members["topics"]?.object.map { topics in
                Dictionary(topics.members.map { ($0.key, $0.value.bool ?? false) }) { $1 }
            }
            self = .reply(number: try members.integer("number"), reply)
        case "message": self = .message(try SDKMessage(members, isInApp: false))
        case "in-app-message": self = .message(try SDKMessage(members, isInApp: true))
        case "take-back":
            self = .takeBack(try members.need("orders", .array("an array of orders", of: SDKTakeBack.init)))
        case "ack": self = .acknowledge(position: try members.integer("position"))
        default:
            guard let request = try SDKRequest(type: type, members: members) else { return nil }
            self = .request(
                number: try members.integer("number"),
                sequence: try members.optional("sequence", .sequence),
                request
            )
        }
    }
}

extension SDKReply {
    /// The subject of a request.
    package var members: JSONObject {
        var object: JSONObject = [:]
        object["tags"] = tags.map { .strings($0) }
        object["alias"] = JSONValue(alias)
        object["bound"] = JSONValue(isBound)
        object["on"] = JSONValue(isOn)
        object["topics"] = topics.map { topics in
            .object(JSONObject(topics.sorted { $0.key < $1.key }.map { ($0.key, .bool($0.value)) }))
        }
        return object
    }
}

extension SDKRegistration {
    fileprivate var members: JSONObject {
        var object: JSONObject = ["type": "register", "app-key": .string(appKey), "bundle-id": .string(bundleID)]
        object["channel"] = JSONValue(channel)
        object["environment"] = .string(environment.rawValue)
        object["system"] = .string(system)
        object["installation"] = .string(installation)
        object["zone"] = JSONValue(zone)
        object["app-version"] = JSONValue(appVersion)
        object["language"] = JSONValue(language)
        object["permission"] = JSONValue(permission?.rawValue)
        object["former-id"] = JSONValue(former?.registrationID)
        object["former-secret"] = JSONValue(former?.secret)
        return object
    }

    package init(_ members: JSONReader) throws(JSONProblem) {
        self.init(
            appKey: try members.string("app-key"),
            bundleID: try members.string("bundle-id"),
            channel: members["channel"]?.string,
            environment: try members.environment("environment"),
            system: try members.string("system"),
            installation: try members.string("installation"),
            zone: try members.optional("zone", .string),
            appVersion: try members.optional("app-version", .string),
            language: try members.optional("language", .string),
            permission: try members.optional("permission", .word)
        )
        if let id = try members.optional("former-id", .string),
            let secret = try members.optional("former-secret", .string)
        {
            former = Former(registrationID: id, secret: secret)
        }
    }
}

extension SDKMessage {
    fileprivate var members: JSONObject {
        var object: JSONObject = ["type": isInApp ? "in-app-message" : "message", "position": .integer(position)]
        object["id"] = .integer(messageID)
        object["content"] = .string(content)
        object["title"] = JSONValue(title)
        object["content-type"] = JSONValue(contentType)
        object["extras"] = JSONValue(extras)
        return object
    }

    fileprivate init(_ members: JSONReader, isInApp: Bool) throws(JSONProblem) {
        self.init(
            position: try members.integer("position"),
            messageID: try members.integer("id"),
            content: try members.string("content"),
            title: members["title"]?.string,
            contentType: members["content-type"]?.string,
            extras: members["extras"]?.object,
            isInApp: isInApp
        )
    }
}

extension SDKRequest {
    /// The type of its frame, and the other members; those that are nil are left out.
    fileprivate var form: (name: String, details: KeyValuePairs<String, JSONValue?>) {
        switch self {
        case .token(let token, let environment): ("token", Self.details(token, environment))
        case .addTags(let tags, let proofs):
            ("tags-add", ["tags": .strings(tags), "proofs": proofs.map { .strings($0) }])
        case .setTags(let tags, let proofs):
            ("tags-set", ["tags": .strings(tags), "proofs": proofs.map { .strings($0) }])
        case .deleteTags(let tags): ("tags-delete", ["tags": .strings(tags)])
        case .cleanTags: ("tags-clean", [:])
        case .getAllTags: ("tags-get", [:])
        case .setAlias(let alias, let proof): ("alias-set", ["alias": .string(alias), "proof": JSONValue(proof)])
        case .deleteAlias: ("alias-delete", [:])
        case .getAlias: ("alias-get", [:])
        case .badge(let badge): ("badge", ["badge": .number(badge)])
        case .checkTag(let tag): ("tag-check", ["tag": .string(tag)])
        case .mobile(let mobile): ("mobile", ["mobile": JSONValue(mobile)])
        case .attributes(let values): ("attributes", ["attributes": .strings(values)])
        case .topics(let declined): ("topics", ["declined": declined.map { .strings($0) }])
        case .pushSwitch(let isOn): ("push-switch", ["on": .bool(isOn)])
        case .pushStatus: ("push-status", [:])
        case .receipts(let receipts): ("receipts", ["receipts": .array(receipts.map(\.value))])
        case .voipToken(let token, let environment): ("voip-token", Self.details(token, environment))
        case .activityToken(let id, let token):
            ("activity-token", ["activity": .string(id), "token": JSONValue(token?.hexadecimal)])
        case .activityStartToken(let type, let token):
            ("activity-start-token", ["attributes-type": .string(type), "token": JSONValue(token?.hexadecimal)])
        }
    }

    private static func details(
        _ token: DeviceToken,
        _ environment: APNSEnvironment
    ) -> KeyValuePairs<String, JSONValue?> {
        ["token": .string(token.hexadecimal), "environment": .string(environment.rawValue)]
    }

    /// Returns nil if the frame is of another kind.
    package init?(type: String, members: JSONReader) throws(JSONProblem) {
        switch type {
        case "token":
            self = .token(try members.need("token", .deviceToken), try members.environment("environment"))
        case "tags-add":
            self = .addTags(try members.need("tags", .strings), proofs: try members.optional("proofs", .texts))
        case "tags-set":
            self = .setTags(try members.need("tags", .strings), proofs: try members.optional("proofs", .texts))
        case "tags-delete": self = .deleteTags(try members.need("tags", .strings))
        case "tags-clean": self = .cleanTags
        case "tags-get": self = .getAllTags
        case "alias-set":
            self = .setAlias(try members.string("alias"), proof: try members.optional("proof", .string))
        case "alias-delete": self = .deleteAlias
        case "alias-get": self = .getAlias
        case "badge": self = .badge(Int(try members.integer("badge")))
        case "tag-check": self = .checkTag(try members.string("tag"))
        case "mobile": self = .mobile(try members.optional("mobile", .string))
        case "attributes": self = .attributes(try members.need("attributes", .values))
        case "topics": self = .topics(declined: try members.optional("declined", .strings))
        case "push-switch": self = .pushSwitch(try members.need("on", .bool))
        case "push-status": self = .pushStatus
        case "receipts": self = .receipts(try members.need("receipts", .receipts))
        case "voip-token":
            self = .voipToken(try members.need("token", .deviceToken), try members.environment("environment"))
        case "activity-token":
            self = .activityToken(id: try members.string("activity"), try members.optional("token", .deviceToken))
        case "activity-start-token":
            self = .activityStartToken(
                type: try members.string("attributes-type"),
                try members.optional("token", .deviceToken)
            )
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

extension SDKTakeBack {
    /// The order as JSON.
    fileprivate var value: JSONValue { ["id": .integer(id), "message": .integer(messageID)] }

    fileprivate init?(_ value: JSONValue) {
        guard let id = value.object?["id"]?.integer, let messageID = value.object?["message"]?.integer else {
            return nil
        }
        self.init(id: id, messageID: messageID)
    }
}

extension JSONForm<[String: String]> {
    /// An object of texts; null counts as an empty one.
    fileprivate static var texts: Self { .object("an object of strings") { $0 == .null ? "" : $0.string } }

    /// An object of texts, numbers and booleans, as texts. PHP writes an empty one as an array.
    fileprivate static var values: Self {
        let form = Self.object("an object of strings, numbers and booleans") { $0 == .null ? "" : $0.plainText }
        return Self(form.expected()) { form.convert($0 == [] ? [:] : $0) }
    }
}

extension JSONForm<Int64> {
    /// The number that an app gives an operation, at most the greatest that JavaScript has.
    package static var sequence: Self {
        Self("a number from 1 to 9007199254740991") { value in
            value.integer.flatMap { (1...9_007_199_254_740_991).contains($0) ? $0 : nil }
        }
    }
}

extension JSONForm<[SDKReceipt]> {
    fileprivate static var receipts: Self { .array("an array of receipts", of: SDKReceipt.init) }
}

extension SDKFrame {
    /// Returns the position of an acknowledgement in exactly the form that ``text`` writes. Most frames from an app are
    /// acknowledgements, and parsing them as JSON would dominate their cost.
    ///
    /// - Returns: nil for anything else, including equivalent JSON in another form.
    package static func plainAcknowledgement(_ text: String) -> Int64? {
        let octets = text.utf8Span.span
        let digits = octets.count - plainHead.count - 1
        // The largest number of digits that always fits.
        guard (1...18).contains(digits), octets[octets.count - 1] == UInt8(ascii: "}") else { return nil }
        for place in plainHead.indices where octets[place] != plainHead[place] { return nil }
        // JSON allows no leading zero.
        guard digits == 1 || octets[plainHead.count] != UInt8(ascii: "0") else { return nil }
        var position: Int64 = 0
        for place in plainHead.count..<octets.count - 1 {
            let digit = octets[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            position = position * 10 + Int64(digit)
        }
        return position
    }

    private static let plainHead = Array(#"{"type":"ack","position":"#.utf8)
}

extension SDKMessage {
    /// The frame of a custom or in-app message, as ``SDKFrame/text`` writes it.
    ///
    /// Written once for each device that gets its own message, so it avoids intermediate values.
    package static func utf8(position: Int64, messageID: Int64, _ content: CustomMessage) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(content.content.utf8.count + 128)
        frame += content.isInApp ? inAppHead : messageHead
        frame.appendDecimal(position)
        frame += identifierKey
        frame.appendDecimal(messageID)
        func add(_ key: [UInt8], _ value: JSONValue) {
            frame += key
            value.write(to: &frame)
        }
        add(contentKey, .string(content.content))
        if let title = content.title { add(titleKey, .string(title)) }
        if let type = content.contentType { add(contentTypeKey, .string(type)) }
        if let extras = content.extras { add(extrasKey, .object(extras)) }
        frame.append(UInt8(ascii: "}"))
        return frame
    }

    private static let messageHead = Array(#"{"type":"message","position":"#.utf8)
    private static let inAppHead = Array(#"{"type":"in-app-message","position":"#.utf8)
    private static let identifierKey = Array(#","id":"#.utf8)
    private static let contentKey = Array(#","content":"#.utf8)
    private static let titleKey = Array(#","title":"#.utf8)
    private static let contentTypeKey = Array(#","content-type":"#.utf8)
    private static let extrasKey = Array(#","extras":"#.utf8)
}
