// UserNotifications as far as the pages and the client for apps use it, with the isolation and the availability of Apple's headers. None of the classes is
// Sendable here, and no handler is, which is the strictest that a header may say.

@_exported import CoreLocation
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
public enum UNNotificationSetting: Int, Sendable {
    case notSupported
    case disabled
    case enabled
}

@available(iOS 10.0, *)
open class UNNotificationSettings: NSObject {
    open var authorizationStatus: UNAuthorizationStatus { .notDetermined }
    open var alertSetting: UNNotificationSetting { .enabled }
    @available(iOS 15.0, *)
    open var scheduledDeliverySetting: UNNotificationSetting { .enabled }
}

@available(iOS 15.0, *)
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    case passive
    case active
    case timeSensitive
    case critical
}

@available(iOS 10.0, *)
public struct UNNotificationSoundName: Hashable, RawRepresentable, Sendable {
    public var rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
}

@available(iOS 10.0, *)
open class UNNotificationSound: NSObject {
    open class var `default`: UNNotificationSound { UNNotificationSound() }
    public override init() {}
    public convenience init(named name: UNNotificationSoundName) { self.init() }
    @available(iOS 12.0, *)
    open class func criticalSoundNamed(
        _ name: UNNotificationSoundName,
        withAudioVolume volume: Float
    ) -> UNNotificationSound {
        UNNotificationSound()
    }
}

@available(iOS 10.0, *)
open class UNNotificationAttachment: NSObject {
    public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws { self.init() }
}

@available(iOS 10.0, *)
open class UNNotificationCategory: NSObject {}

@available(iOS 10.0, *)
open class UNNotificationTrigger: NSObject {
    open var repeats: Bool { false }
}

@available(iOS 10.0, *)
open class UNCalendarNotificationTrigger: UNNotificationTrigger {
    public convenience init(dateMatching dateComponents: DateComponents, repeats: Bool) { self.init() }
    open func nextTriggerDate() -> Date? { nil }
}

@available(iOS 10.0, *)
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    public convenience init(timeInterval: TimeInterval, repeats: Bool) { self.init() }
}

@available(iOS 10.0, *)
open class UNLocationNotificationTrigger: UNNotificationTrigger {
    public convenience init(region: CLRegion, repeats: Bool) { self.init() }
    open var region: CLRegion { CLRegion() }
}

@available(iOS 10.0, *)
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

@available(iOS 10.0, *)
open class UNNotificationContent: NSObject, NSSecureCoding {
    public override init() {}
    public required init?(coder: NSCoder) {}
    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {}
    open var title: String { "" }
    open var subtitle: String { "" }
    open var body: String { "" }
    open var badge: NSNumber? { nil }
    open var categoryIdentifier: String { "" }
    open var userInfo: [AnyHashable: Any] { [:] }
    open var attachments: [UNNotificationAttachment] { [] }
    open var threadIdentifier: String { "" }
    open var launchImageName: String { "" }
    @available(iOS 13.0, *)
    open var targetContentIdentifier: String? { nil }
    @available(iOS 15.0, *)
    open var interruptionLevel: UNNotificationInterruptionLevel { .active }
    @available(iOS 15.0, *)
    open var relevanceScore: Double { 0 }
    @available(iOS 16.0, *)
    open var filterCriteria: String? { nil }
}

@available(iOS 10.0, *)
open class UNMutableNotificationContent: UNNotificationContent {
    open override var title: String {
        get { "" }
        set {}
    }
    open override var subtitle: String {
        get { "" }
        set {}
    }
    open override var body: String {
        get { "" }
        set {}
    }
    open override var badge: NSNumber? {
        get { nil }
        set {}
    }
    open var sound: UNNotificationSound? {
        get { nil }
        set {}
    }
    open override var categoryIdentifier: String {
        get { "" }
        set {}
    }
    open override var userInfo: [AnyHashable: Any] {
        get { [:] }
        set {}
    }
    open override var attachments: [UNNotificationAttachment] {
        get { [] }
        set {}
    }
    open override var threadIdentifier: String {
        get { "" }
        set {}
    }
    open override var launchImageName: String {
        get { "" }
        set {}
    }
    @available(iOS, introduced: 12.0, deprecated: 15.0, message: "summaryArgument is ignored")
    open var summaryArgument: String {
        get { "" }
        set {}
    }
    @available(iOS, introduced: 12.0, deprecated: 15.0, message: "summaryArgumentCount is ignored")
    open var summaryArgumentCount: Int {
        get { 0 }
        set {}
    }
    @available(iOS 13.0, *)
    open override var targetContentIdentifier: String? {
        get { nil }
        set {}
    }
    @available(iOS 15.0, *)
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { .active }
        set {}
    }
    @available(iOS 15.0, *)
    open override var relevanceScore: Double {
        get { 0 }
        set {}
    }
    @available(iOS 16.0, *)
    open override var filterCriteria: String? {
        get { nil }
        set {}
    }
}

@available(iOS 10.0, *)
open class UNNotificationRequest: NSObject {
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {}
    open var identifier: String { "" }
    open var content: UNNotificationContent { UNNotificationContent() }
    open var trigger: UNNotificationTrigger? { nil }
}

@available(iOS 10.0, *)
open class UNNotification: NSObject {
    open var date: Date { Date() }
    open var request: UNNotificationRequest { fatalError() }
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
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {}
    open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {}
    open func getPendingNotificationRequests(completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
    }
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {}
    open func removeAllPendingNotificationRequests() {}
    open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {}
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}
    open func removeAllDeliveredNotifications() {}
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
    @available(iOS 12.0, *)
    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
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
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification?
    ) {}
}
