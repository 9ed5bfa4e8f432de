public import PushModel

/// What an app's SDK and the service say to each other on the SDK link: one JSON object a frame.
///
/// The app opens the link and says ``register`` (first start) or ``login`` (ever after). After ``loggedIn`` it may send
/// requests; each has a number of its own, and the ``reply`` with that number comes exactly once. A link that ends loses
/// the replies that were under way: requests are repeatable, so the app sends them again after the next login.
public enum SDKFrame: Hashable, Sendable {
    /// App: a device that has no registration id yet.
    case register(SDKRegistration)
    /// App: a device that has one, and proves it.
    case login(appKey: String, registrationID: String, secret: String)
    /// Service: the answer to ``register``; keep all three.
    case registered(registrationID: String, secret: String, userID: Int64)
    /// Service: requests are welcome.
    case loggedIn
    /// Service: neither registered nor logged in; the link ends.
    ///
    /// 1005 the app key does not exist, 1008 it is malformed, 1009 the app has no such bundle id, 6016 the registration
    /// id or its secret is not known (register again).
    case refused(code: Int, message: String)
    /// App: do this.
    case request(number: Int64, SDKRequest)
    /// Service: how that went; code 0 is success.
    case reply(number: Int64, SDKReply)
}

/// What a device tells about itself when it registers.
public struct SDKRegistration: Hashable, Sendable {
    public var appKey: String
    public var bundleID: String
    public var channel: String?
    /// How the app was built (`apsForProduction`).
    public var environment: APNSEnvironment
    /// `iOS 17.0`, for example.
    public var system: String
    /// Made by the SDK once per installation: the same device that registers twice has one registration id.
    public var installation: String

    public init(
        appKey: String,
        bundleID: String,
        channel: String?,
        environment: APNSEnvironment,
        system: String,
        installation: String
    ) {
        self.appKey = appKey
        self.bundleID = bundleID
        self.channel = channel
        self.environment = environment
        self.system = system
        self.installation = installation
    }
}

public enum SDKRequest: Hashable, Sendable {
    /// The APNs token, in the environment for which the app was built.
    case token(DeviceToken, APNSEnvironment)
    case addTags([String])
    /// Replaces all tags.
    case setTags([String])
    case deleteTags([String])
    case cleanTags
    case getAllTags
    case setAlias(String)
    case deleteAlias
    case getAlias
    /// 0 to 99999: what `"+1"` in a push adds to.
    case badge(Int)
}

public struct SDKReply: Hashable, Sendable {
    /// 0, or a client result code of the JPush SDK.
    public var code: Int
    /// What went wrong, for a person.
    public var message: String?
    public var tags: [String]?
    public var alias: String?

    public init(code: Int, message: String? = nil, tags: [String]? = nil, alias: String? = nil) {
        self.code = code
        self.message = message
        self.tags = tags
        self.alias = alias
    }
}
