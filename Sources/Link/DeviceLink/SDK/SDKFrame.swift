public import PushModel

/// What an app's SDK and the service say to each other on the SDK link: one JSON object a frame.
///
/// The app opens the link and says ``register`` (first start) or ``login`` (ever after). After ``loggedIn`` it may send
/// requests; each has a number of its own, and the ``reply`` with that number comes exactly once. A link that ends loses
/// the replies that were under way: requests are repeatable, so the app sends them again after the next login.
public enum SDKFrame: Hashable, Sendable {
    /// App: a device that has no registration id yet.
    case register(SDKRegistration)
    /// App: a device that has one, and proves it. `position` is that of the last custom message that it keeps: what the
    /// service does not know to be acknowledged and lies up to there is not sent again. Nil before the first message.
    /// Custom messages go to the newest link that takes them. `zone` is the device's time zone, an IANA name; nil leaves the
    /// service with what it knows.
    case login(
        appKey: String,
        registrationID: String,
        secret: String,
        position: Int64? = nil,
        takesMessages: Bool = true,
        zone: String? = nil
    )
    /// Service: the answer to ``register``; keep all three.
    case registered(registrationID: String, secret: String, userID: Int64)
    /// Service: requests are welcome.
    case loggedIn
    /// Service: neither registered nor logged in; the link ends.
    ///
    /// 1005 the app key does not exist, 1008 it is malformed, 1009 the app has no such bundle id, 6011 too many devices register from
    /// this address (try again later), 6016 the registration id or its secret is not known (register again).
    case refused(code: Int, message: String)
    /// App: do this.
    case request(number: Int64, SDKRequest)
    /// Service: how that went; code 0 is success.
    case reply(number: Int64, SDKReply)
    /// Service: a custom message, or an in-app message. It comes again after the next login unless the app acknowledges it.
    case message(SDKMessage)
    /// App: all custom messages up to this position are kept.
    case acknowledge(position: Int64)
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
    /// The device's time zone, an IANA name.
    public var zone: String?

    public init(
        appKey: String,
        bundleID: String,
        channel: String?,
        environment: APNSEnvironment,
        system: String,
        installation: String,
        zone: String? = nil
    ) {
        self.appKey = appKey
        self.bundleID = bundleID
        self.channel = channel
        self.environment = environment
        self.system = system
        self.installation = installation
        self.zone = zone
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
    /// Whether the device has this tag; ``SDKReply/isBound`` says it.
    case checkTag(String)
    /// The number for text messages; nil for none.
    case mobile(String?)
    /// Whether the device takes notifications and custom messages at all.
    case pushSwitch(Bool)
    /// ``SDKReply/isOn`` says what the switch is.
    case pushStatus
    /// What became of pushes. Telling the same twice counts once.
    case receipts([SDKReceipt])
    /// The PushKit token.
    case voipToken(DeviceToken, APNSEnvironment)
    /// The token of a Live Activity that the app calls by this id; nil when the activity has ended.
    case activityToken(id: String, DeviceToken?)
    /// The token with which a push starts a Live Activity of this attributes type.
    case activityStartToken(type: String, DeviceToken?)
}

/// A custom message (`message` of a push), or an in-app message (`inapp_message`).
public struct SDKMessage: Hashable, Sendable {
    /// Its place among all custom messages of the app: later ones have greater numbers.
    public var position: Int64
    public var messageID: Int64
    /// `msg_content`.
    public var content: String
    public var title: String?
    public var contentType: String?
    public var extras: JSONObject?
    /// A notification that the app shows itself where the person has switched notifications off. Its content may be empty.
    public var isInApp: Bool

    public init(
        position: Int64,
        messageID: Int64,
        content: String,
        title: String? = nil,
        contentType: String? = nil,
        extras: JSONObject? = nil,
        isInApp: Bool = false
    ) {
        self.position = position
        self.messageID = messageID
        self.content = content
        self.title = title
        self.contentType = contentType
        self.extras = extras
        self.isInApp = isInApp
    }
}

/// What an app reports of a push.
public struct SDKReceipt: Hashable, Sendable {
    public enum Event: String, Hashable, Sendable {
        /// The app, or its service extension, has it.
        case received
        /// The person acted on its notification.
        case opened
        /// An in-app message was shown.
        case displayed
        /// An in-app message was tapped.
        case clicked
    }

    /// `_j_msgid` of the payload.
    public var messageID: Int64
    public var event: Event
    /// Unix time, in seconds.
    public var time: Int64

    public init(messageID: Int64, event: Event, time: Int64) {
        self.messageID = messageID
        self.event = event
        self.time = time
    }
}

public struct SDKReply: Hashable, Sendable {
    /// 0, or a client result code of the JPush SDK.
    public var code: Int
    /// What went wrong, for a person.
    public var message: String?
    public var tags: [String]?
    public var alias: String?
    /// The answer to ``SDKRequest/checkTag(_:)``.
    public var isBound: Bool?
    /// The answer to ``SDKRequest/pushStatus``.
    public var isOn: Bool?

    public init(
        code: Int,
        message: String? = nil,
        tags: [String]? = nil,
        alias: String? = nil,
        isBound: Bool? = nil,
        isOn: Bool? = nil
    ) {
        self.code = code
        self.message = message
        self.tags = tags
        self.alias = alias
        self.isBound = isBound
        self.isOn = isOn
    }
}
