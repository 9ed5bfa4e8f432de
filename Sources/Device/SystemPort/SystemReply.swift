public import PushModel

/// Takes the system's reply to a call, on any thread.
package typealias SystemReplyHandler = @Sendable (SystemReply) -> Void

/// The system's reply to a ``SystemCall``.
public enum SystemReply: Hashable, Sendable, Codable {
    /// The call was carried out.
    case done
    /// Whether the user permits notifications.
    case authorization(granted: Bool)
    /// The settings for the app.
    case settings(SettingsRecord)
    /// The facts that the app can read without waiting.
    case facts(AppFacts)
    /// The app's categories.
    case categories([CategoryRecord])
    /// The delivered notifications, newest first.
    case notifications([NotificationRecord])
    /// The pending requests, in the order in which they fire.
    case requests([RequestRecord])
    /// A stored value; nil if there is none.
    case value(String?)
    /// Keys of stored values, sorted.
    case storageKeys([String])
    /// Whether the device had a handler for the URL.
    case opened(Bool)
    /// The quick actions that the app has set at run time.
    case shortcuts([ShortcutRecord])
    /// The app's Live Activities.
    case liveActivities([LiveActivityRecord])
    /// A Live Activity was not started, for this reason.
    case liveActivityRefused(LiveActivityRefusal)
    /// A token of PushKit; nil if there is none.
    case pushToken(DeviceToken?)
    /// The calls on the device.
    case calls([CallRecord])
    /// The in-app view of the app has ended.
    case inAppEnded(byTap: Bool)
    /// The call was not carried out, for this reason.
    case failed(SystemError)
    /// The calling process is dead.
    case terminated
}

extension [String: String] {
    /// The keys that begin so, sorted: those of an app's small store.
    package func keys(after prefix: String) -> [String] { keys.filter { $0.hasPrefix(prefix) }.sorted() }
}
