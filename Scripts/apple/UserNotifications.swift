// UserNotifications as far as the pages use it, with the isolation and the availability of Apple's headers. None of the classes is
// Sendable here, and no handler is, which is the strictest that a header may say.

@_exported import Foundation

@available(iOS 10.0, *)
public struct UNAuthorizationOptions: OptionSet, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let badge = Self(rawValue: 1)
    public static let sound = Self(rawValue: 2)
    public static let alert = Self(rawValue: 4)
    @available(iOS 12.0, *)
    public static let provisional = Self(rawValue: 64)
}

@available(iOS 10.0, *)
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let badge = Self(rawValue: 1)
    public static let sound = Self(rawValue: 2)
    @available(iOS, introduced: 10.0, deprecated: 14.0, message: "Use .list and .banner")
    public static let alert = Self(rawValue: 4)
    @available(iOS 14.0, *)
    public static let list = Self(rawValue: 8)
    @available(iOS 14.0, *)
    public static let banner = Self(rawValue: 16)
}

@available(iOS 10.0, *)
public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined
    case denied
    case authorized
    @available(iOS 12.0, *)
    case provisional
    @available(iOS 14.0, *)
    case ephemeral
}

@available(iOS 10.0, *)
open class UNNotificationSettings: NSObject {
    open var authorizationStatus: UNAuthorizationStatus { .notDetermined }
}

@available(iOS 10.0, *)
open class UNNotificationContent: NSObject {
    open var title: String { "" }
    open var body: String { "" }
    open var userInfo: [AnyHashable: Any] { [:] }
}

@available(iOS 10.0, *)
open class UNNotificationRequest: NSObject {
    open var identifier: String { "" }
    open var content: UNNotificationContent { UNNotificationContent() }
}

@available(iOS 10.0, *)
open class UNNotification: NSObject {
    open var date: Date { Date() }
    open var request: UNNotificationRequest { UNNotificationRequest() }
}

@available(iOS 10.0, *)
open class UNNotificationResponse: NSObject {
    open var notification: UNNotification { UNNotification() }
    open var actionIdentifier: String { "" }
}

@available(iOS 10.0, *)
open class UNUserNotificationCenter: NSObject {
    open class func current() -> UNUserNotificationCenter { fatalError() }
    open weak var delegate: (any UNUserNotificationCenterDelegate)?
    // Imported without isolation, and with a handler that the system calls on a queue of its own.
    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {}
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { false }
    open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {}
    open func notificationSettings() async -> UNNotificationSettings { UNNotificationSettings() }
    @available(iOS 16.0, *)
    open func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {}
}

// Without isolation: a class on the main actor conforms with methods that are `nonisolated`, or by an isolated conformance.
@available(iOS 10.0, *)
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    )
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    )
}

// The methods are optional at Apple.
@available(iOS 10.0, *)
extension UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {}
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {}
}
