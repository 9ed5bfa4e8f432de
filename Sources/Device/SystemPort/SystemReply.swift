public import PushModel

/// The system's reply to a ``SystemCall``.
public enum SystemReply: Hashable, Sendable, Codable {
    case done
    case authorization(granted: Bool)
    case settings(SettingsRecord)
    case facts(AppFacts)
    case categories([CategoryRecord])
    case notifications([NotificationRecord])
    case requests([RequestRecord])
    case value(String?)
    /// Whether the device had a handler for the URL.
    case opened(Bool)
    case shortcuts([ShortcutRecord])
    case liveActivities([LiveActivityRecord])
    case liveActivityRefused(LiveActivityRefusal)
    /// A token of PushKit; nil if there is none.
    case pushToken(DeviceToken?)
    case calls([CallRecord])
    /// The in-app view of the app has ended.
    case inAppEnded(byTap: Bool)
    case failed(SystemError)
    /// The calling process is dead.
    case terminated
}

/// An error, as sent over the port; the framework converts it to its own type.
public struct SystemError: Error, Hashable, Sendable, Codable {
    /// The domain, such as `UNErrorDomain`.
    public var domain: String
    public var code: Int
    /// The human-readable text.
    public var text: String

    public init(domain: String, code: Int, text: String) {
        self.domain = domain
        self.code = code
        self.text = text
    }
}
