/// The permissions that an app requests; the raw values are those of `UNAuthorizationOptions`.
public struct JPAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = Self(rawValue: 1)
    public static let sound = Self(rawValue: 2)
    public static let alert = Self(rawValue: 4)
    public static let carPlay = Self(rawValue: 8)
    public static let criticalAlert = Self(rawValue: 16)
    public static let providesAppNotificationSettings = Self(rawValue: 32)
    public static let provisional = Self(rawValue: 64)
    public static let announcement = Self(rawValue: 128)
}

/// The user's decision. The names are those that the Swift importer generates from the SDK's header.
public enum JPAuthorizationStatus: UInt, Sendable {
    case notDetermined = 0
    case statusDenied = 1
    case statusAuthorized = 2
    case statusProvisional = 3
}
