/// What the system answers to a ``SystemCall``.
public enum SystemReply: Hashable, Sendable, Codable {
    case done
    case authorization(granted: Bool)
    case settings(SettingsRecord)
    case facts(AppFacts)
    case categories([CategoryRecord])
    case notifications([NotificationRecord])
    case requests([RequestRecord])
    case value(String?)
    /// Whether the device had something for the URL.
    case opened(Bool)
    /// What the app had shown above its page is gone.
    case inAppEnded(byTap: Bool)
    case failed(SystemError)
    /// The process that asks is dead.
    case terminated
}

/// An error as it crosses the port; the framework makes its own type of it.
public struct SystemError: Error, Hashable, Sendable, Codable {
    /// Such as `UNErrorDomain`.
    public var domain: String
    public var code: Int
    /// For a person.
    public var text: String

    public init(domain: String, code: Int, text: String) {
        self.domain = domain
        self.code = code
        self.text = text
    }
}
