public import PushModel

/// A request of an app about its device.
public enum SDKRequest: Hashable, Sendable {
    /// The APNs token, in the environment that the app was built for.
    case token(DeviceToken, APNSEnvironment)
    /// Adds tags. `proofs` has the proof of each protected tag, if the app has such tags.
    case addTags([String], proofs: [String: String]? = nil)
    /// Replaces all tags. `proofs` has the proof of each protected tag that is new, if the app has such tags.
    case setTags([String], proofs: [String: String]? = nil)
    case deleteTags([String])
    case cleanTags
    case getAllTags
    /// Sets the alias. `proof` is the backend's proof that the device may have it, if the app asks for one.
    case setAlias(String, proof: String? = nil)
    case deleteAlias
    case getAlias
    /// The base for `"+1"` in a push, 0 to 99999.
    case badge(Int)
    /// Whether the device has this tag; answered in ``SDKReply/isBound``.
    case checkTag(String)
    /// The phone number for text messages; nil for none.
    case mobile(String?)
    /// Texts for the variables of alerts, by name; an empty one removes its attribute, and others stay.
    case attributes([String: String])
    /// Replaces the topics that the device declines; nil only asks. Answered in ``SDKReply/topics``.
    case topics(declined: [String]?)
    /// Whether the device takes notifications and custom messages at all.
    case pushSwitch(Bool)
    /// The state of the push switch; answered in ``SDKReply/isOn``.
    case pushStatus
    /// Receipts for pushes. Duplicates count once.
    case receipts([SDKReceipt])
    /// The PushKit token.
    case voipToken(DeviceToken, APNSEnvironment)
    /// The token of a Live Activity that the app identifies by this id; nil when the activity has ended.
    case activityToken(id: String, DeviceToken?)
    /// The token with which a push starts a Live Activity of this attributes type.
    case activityStartToken(type: String, DeviceToken?)
}
