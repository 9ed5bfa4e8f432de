public import PushModel

/// The messages between an app's SDK and the service on the SDK link: one JSON object per frame.
///
/// The app opens the link and sends `register` (first start) or `login` (from then on). After ``loggedIn`` it may
/// send requests; each has a number of its own, and the `reply` with that number comes exactly once. Replies in
/// flight are lost when a link ends: requests are idempotent, so the app sends them again after the next login.
public enum SDKFrame: Hashable, Sendable {
    /// App: a device that has no registration id yet.
    case register(SDKRegistration)
    /// App: logs in with a registration id and its secret. `position` is that of the last custom message that the app
    /// has kept, nil before the first one: messages up to it are not sent again, even if the service has no
    /// acknowledgement for them. Custom messages go to the newest link that takes them. `zone` is the device's time
    /// zone, an IANA name; `appVersion` is the version of the app, `language` the user's, a BCP 47 tag. The service keeps its value for
    /// one that is nil.
    case login(
        appKey: String,
        registrationID: String,
        secret: String,
        position: Int64? = nil,
        takesMessages: Bool = true,
        zone: String? = nil,
        appVersion: String? = nil,
        language: String? = nil,
        permission: NotificationPermission? = nil
    )
    /// Service: the answer to `register`; the app stores all three.
    case registered(registrationID: String, secret: String, userID: Int64)
    /// Service: the app may send requests now. A service before 0.2.0 sends no state.
    case loggedIn(SDKDeviceState? = nil)
    /// Service: registration or login failed; the link ends.
    ///
    /// 1005: the app key does not exist. 1008: it is malformed. 1009: the app has no such bundle id. 6011: too many
    /// devices register from this address (try again later). 6016: the registration id or its secret is not known
    /// (register again).
    case refused(code: Int, message: String)
    /// App: a request to perform. An app that counts its operations gives the count: one that arrives again after a later one is answered
    /// with 0 and has no effect.
    case request(number: Int64, sequence: Int64? = nil, SDKRequest)
    /// Service: the result of a request; code 0 is success.
    case reply(number: Int64, SDKReply)
    /// Service: a custom or in-app message. It is sent again after the next login unless the app acknowledges it.
    case message(SDKMessage)
    /// Service: remove these notifications; each order is answered by a receipt.
    case takeBack([SDKTakeBack])
    /// App: all custom messages up to this position have been kept.
    case acknowledge(position: Int64)
}

/// The order to remove a notification from a device's notification centre.
public struct SDKTakeBack: Hashable, Sendable {
    /// The id of the order, for the receipt.
    public var id: Int64
    /// `_j_msgid` of the notification.
    public var messageID: Int64

    /// Creates an order.
    public init(id: Int64, messageID: Int64) {
        self.id = id
        self.messageID = messageID
    }
}
