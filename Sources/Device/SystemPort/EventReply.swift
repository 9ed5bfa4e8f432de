public import PushModel

/// Takes the steps of an app's answer to an event, on any thread.
package typealias EventReplyHandler = @Sendable (EventReply) -> Void

/// A step of an app's answer to an event.
public enum EventReply: Hashable, Sendable, Codable {
    /// The app's method of this name was entered.
    case ran(String)
    /// All methods for the event were entered and have returned, or wait for something of their own. Once per event.
    case returned
    /// The app does not implement the method for the event.
    case notImplemented
    /// The raw bits of `UNNotificationPresentationOptions`.
    case presentation(options: UInt)
    /// The result of a background fetch, or of a push for the app itself.
    case fetched(FetchOutcome)
    /// PushKit's method for a push has returned, an async one with all of its steps: the system looks for the report of a call.
    case methodReturned
    /// The handler of `didReceive` was called.
    case responded
    /// A service extension's content for a push.
    case content(ContentRecord)
    /// Why values from a push do not fit the app's type of Live Activities; nil if they do.
    case activityExamined(problem: String?)
    /// A content extension's choice after a button: 0 stay, 1 close, 2 close and notify the app.
    case extensionOption(UInt)
    /// A content extension's current view. Any number per event.
    case contentView(ContentViewRecord)

    /// The values of `UNNotificationContentExtensionResponseOption`.
    package enum ExtensionOption: UInt, Sendable { case doNotDismiss, dismiss, dismissAndForwardAction }
}
