public import Foundation

/// The side that began an interaction. Raw values: Apple, `INInteractionDirection`.
public enum INInteractionDirection: Int, Sendable {
    /// Not said.
    case unspecified
    /// From the user to others.
    case outgoing
    /// From others to the user.
    case incoming
}

/// How far the handling of an intent is. Raw values: Apple, `INIntentHandlingStatus`.
public enum INIntentHandlingStatus: Int, Sendable {
    /// Not said; the only status that occurs here.
    case unspecified
    /// Ready to carry out the intent, carrying it out, and done with or without success.
    case ready, inProgress, success, failure
    /// The app continues in the foreground; the user is to confirm.
    case deferredToApplication, userConfirmationRequired
}

/// Something that a user and others did with an app, which the app donates to the system.
///
/// Source: Apple, `INInteraction`. A donation always succeeds and has no effect: the emulated device makes no suggestions from it.
/// `@unchecked Sendable`: Apple requires, as for any mutable object, that only one thread at a time uses it.
open class INInteraction: NSObject, NSCopying, @unchecked Sendable {
    /// The intent that was carried out.
    open private(set) var intent: INIntent
    /// The app's response to it; nil for none.
    open private(set) var intentResponse: INIntentResponse?
    /// The state of the handling; `unspecified`, because the app itself creates the interaction.
    open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }
    /// The side that began it.
    open var direction = INInteractionDirection.unspecified
    /// When it took place; nil if not said.
    open var dateInterval: DateInterval?
    /// The identifier by which a donation can be deleted; random at first.
    open var identifier = UUID().uuidString
    /// The identifier of a group of donations that can be deleted together; nil for none.
    open var groupIdentifier: String?

    /// Creates an interaction of an intent and the app's response to it.
    public init(intent: INIntent, response: INIntentResponse?) {
        self.intent = intent
        intentResponse = response
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Donates the interaction. The completion handler runs at once, with nil.
    open func donate(completion: (((any Error)?) -> Void)? = nil) { completion?(nil) }

    /// Succeeds, and has no effect: the device makes no suggestions.
    nonisolated(nonsending) open func donate() async throws {}

    /// Deletes all donations of the app. The completion handler runs at once, with nil.
    open class func deleteAll(completion: (((any Error)?) -> Void)? = nil) { completion?(nil) }

    /// Deletes donations. The completion handler runs at once, with nil.
    open class func delete(with identifiers: [String], completion: (((any Error)?) -> Void)? = nil) { completion?(nil) }

    /// Deletes a group of donations. The completion handler runs at once, with nil.
    open class func delete(with groupIdentifier: String, completion: (((any Error)?) -> Void)? = nil) {
        completion?(nil)
    }
}
