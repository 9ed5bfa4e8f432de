public import Foundation

/// Facts about the donation of an intent. Source: Apple, `INIntentDonationMetadata`, of iOS 15 and later.
open class INIntentDonationMetadata: NSObject, NSCopying, @unchecked Sendable {
    public override init() { super.init() }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The same for a message: stored, without an effect. Source: Apple, `INSendMessageIntentDonationMetadata`, of iOS 15 and later.
open class INSendMessageIntentDonationMetadata: INIntentDonationMetadata, @unchecked Sendable {
    /// Whether the message mentions the user; stored only.
    open var mentionsCurrentUser = false
    /// Whether the message answers one of the user's; stored only.
    open var isReplyToCurrentUser = false
    /// Whether the sender asked to break through a Focus; stored only.
    open var notifyRecipientAnyway = false
    /// The number of recipients; stored only.
    open var recipientCount = 0
}
