import PushModel

extension SDKFrame {
    /// The frame as it goes over the link.
    public var text: String {
        var object: JSONObject = [:]
        switch self {
        case .register(let registration):
            object = registration.members
        case .login(let appKey, let registrationID, let secret):
            object = ["type": "login", "app-key": .string(appKey), "registration-id": .string(registrationID)]
            object["secret"] = .string(secret)
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
                secret: try frame.string("secret")
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
                alias: frame.object["alias"]?.string
            )
            self = .reply(number: try frame.integer("number"), reply)
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
        return object
    }

    fileprivate init(_ frame: FrameReader) throws(LinkFrameError) {
        self.init(
            appKey: try frame.string("app-key"),
            bundleID: try frame.string("bundle-id"),
            channel: frame.object["channel"]?.string,
            environment: try frame.word("environment"),
            system: try frame.string("system"),
            installation: try frame.string("installation")
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
        }
    }

    fileprivate var details: [(String, JSONValue)] {
        switch self {
        case .token(let token, let environment):
            [("token", .string(token.hexadecimal)), ("environment", .string(environment.rawValue))]
        case .addTags(let tags), .setTags(let tags), .deleteTags(let tags):
            [("tags", .array(tags.map { .string($0) }))]
        case .setAlias(let alias): [("alias", .string(alias))]
        case .badge(let badge): [("badge", .integer(Int64(badge)))]
        case .cleanTags, .getAllTags, .deleteAlias, .getAlias: []
        }
    }

    /// Nil if the frame is of another kind.
    fileprivate init?(_ frame: FrameReader) throws(LinkFrameError) {
        switch frame.type {
        case "token":
            let token = try frame.read("token", "hexadecimal digits") { $0.string.flatMap { DeviceToken($0) } }
            self = .token(token, try frame.word("environment"))
        case "tags-add": self = .addTags(try frame.strings("tags"))
        case "tags-set": self = .setTags(try frame.strings("tags"))
        case "tags-delete": self = .deleteTags(try frame.strings("tags"))
        case "tags-clean": self = .cleanTags
        case "tags-get": self = .getAllTags
        case "alias-set": self = .setAlias(try frame.string("alias"))
        case "alias-delete": self = .deleteAlias
        case "alias-get": self = .getAlias
        case "badge": self = .badge(Int(try frame.integer("badge")))
        default: return nil
        }
    }
}
