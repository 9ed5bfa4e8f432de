public import Foundation

/// The side that began an interaction. Raw values: Apple, `INInteractionDirection`.
public enum INInteractionDirection: Int, Sendable {
    case unspecified
    case outgoing
    case incoming
}

/// How far the handling of an intent is. Raw values: Apple, `INIntentHandlingStatus`.
public enum INIntentHandlingStatus: Int, Sendable {
    case unspecified
    case ready
    case inProgress
    case success
    case failure
    case deferredToApplication
    case userConfirmationRequired
}

/// Something that a user and others did with an app, which the app donates to the system.
///
/// Source: Apple, `INInteraction`. A donation always succeeds and has no effect: the emulated device makes no suggestions from it.
/// `@unchecked Sendable`: Apple requires, as for any mutable object, that only one thread at a time uses it.
open class INInteraction: NSObject, NSCopying, @unchecked Sendable {
    open var intent: INIntent { donated }
    open var intentResponse: INIntentResponse? { answer }
    /// The state of the handling; `unspecified`, because the app itself creates the interaction.
    open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }
    open var direction = INInteractionDirection.unspecified
    open var dateInterval: DateInterval?
    open var identifier = UUID().uuidString
    open var groupIdentifier: String?

    private let donated: INIntent
    private let answer: INIntentResponse?

    public init(intent: INIntent, response: INIntentResponse?) {
        donated = intent
        answer = response
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Donates the interaction. The completion handler runs at once, with nil.
    open func donate(completion: (((any Error)?) -> Void)? = nil) { completion?(nil) }

    nonisolated(nonsending) open func donate() async throws {}

    /// Deletes all donations of the app. The completion handler runs at once, with nil.
    open class func deleteAll(completion: (((any Error)?) -> Void)? = nil) { completion?(nil) }

    /// Deletes donations. The completion handler runs at once, with nil.
    open class func delete(with identifiers: [String], completion: (((any Error)?) -> Void)? = nil) {
        completion?(nil)
    }

    /// Deletes a group of donations. The completion handler runs at once, with nil.
    open class func delete(with groupIdentifier: String, completion: (((any Error)?) -> Void)? = nil) {
        completion?(nil)
    }
}
