public import Foundation

/// The facts about a VoIP push that its payload does not contain.
@available(iOS 26.4, *)
open class PKVoIPPushMetadata: NSObject {
    /// Whether the app must report a call or a conversation for the push. If it is false, the app may do so.
    ///
    /// It is false while the app is in the foreground, while the app has a call or a conversation, and for a push that the network has
    /// delayed. Apple's list is not complete.
    open var mustReport: Bool { value }

    private let value: Bool

    /// Creates the metadata of a push that need not be reported, for subclasses in tests.
    public override init() { value = false }

    init(mustReport: Bool) { value = mustReport }
}
