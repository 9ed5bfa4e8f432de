public import Foundation
import SystemPort

/// The permissions that an app of iOS 8 and 9 requests or was granted, and its buttons.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationSettings.")
open class UIUserNotificationSettings: NSObject {
    /// The kinds that are allowed.
    open private(set) var types: UIUserNotificationType
    /// The categories; nil for none.
    open private(set) var categories: Set<UIUserNotificationCategory>?

    /// Creates settings of the types, whose categories replace those that were registered before.
    public init(types: UIUserNotificationType, categories: Set<UIUserNotificationCategory>?) {
        SystemSymbol.settings.require()
        self.types = types
        self.categories = categories.map { Set($0.compactMap { $0.copy() as? UIUserNotificationCategory }) }
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIUserNotificationSettings else { return false }
        return other.types == types && other.categories == categories
    }

    open override var hash: Int { types.rawValue.hashValue }
}

/// The types of notification that an app of iOS 8 and 9 requests.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNAuthorizationOptions.")
public struct UIUserNotificationType: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Numbers on the icon.
    public static let badge = Self(rawValue: 1)
    /// Sounds.
    public static let sound = Self(rawValue: 2)
    /// Banners and alerts.
    public static let alert = Self(rawValue: 4)
}

/// The types of notification that an app requests before iOS 8.
@available(iOS, introduced: 3.0, deprecated: 8.0, message: "Use UNAuthorizationOptions.")
public struct UIRemoteNotificationType: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Numbers on the icon.
    public static let badge = Self(rawValue: 1)
    /// Sounds.
    public static let sound = Self(rawValue: 2)
    /// Banners and alerts.
    public static let alert = Self(rawValue: 4)
    /// Issues of a magazine; without effect.
    public static let newsstandContentAvailability = Self(rawValue: 8)
}
