// Properties as imported from the header: `!` where an app may read and write either way.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if os(iOS) || os(Linux) && canImport(UIKit)

import CoreLocation
import Foundation
import UIKit

#if canImport(ObjectiveC)
@objc(JPUSHRegisterEntity) @objcMembers
#endif
/// The permissions and categories to request.
open class JPUSHRegisterEntity: NSObject {
    /// The bits of ``JPAuthorizationOptions`` or `UNAuthorizationOptions`.
    open var types = 0
    /// `UNNotificationCategory` objects; others are ignored.
    open var categories: Set<AnyHashable>?
}

#if canImport(ObjectiveC)
@objc(JPushNotificationSound) @objcMembers
#endif
/// The sound of a local notification.
open class JPushNotificationSound: NSObject {
    /// A sound file of the app; nil for the system's sound.
    open var soundName: String?
    /// A sound that plays despite the mute switch, with permission; it takes precedence over ``soundName``.
    open var criticalSoundName: String?
    /// The volume, 0 to 1.
    open var criticalSoundVolume: Float = 1
}

#if canImport(ObjectiveC)
@objc(JPushNotificationTrigger) @objcMembers
#endif
/// The trigger of a local notification. If several conditions are set, the region counts before the date components, and these
/// before the interval.
open class JPushNotificationTrigger: NSObject {
    /// Whether the trigger repeats.
    open var `repeat` = false
    /// The date before iOS 10; ignored.
    open var fireDate: Date!
    /// The region whose border fires it; nil for none.
    open var region: CLRegion!
    /// The components of the date that fires it; nil for none.
    open var dateComponents: DateComponents!
    /// The interval in seconds; at least 60 if it repeats.
    open var timeInterval: TimeInterval = 0
}

#if canImport(ObjectiveC)
@objc(JPushNotificationContent) @objcMembers
#endif
/// The content of a local notification.
open class JPushNotificationContent: NSObject {
    /// The title; empty for none.
    open var title: String! = ""
    /// The subtitle; empty for none.
    open var subtitle: String! = ""
    /// The text.
    open var body: String! = ""
    /// The badge; -1 and nil leave the icon unchanged.
    open var badge: NSNumber?
    /// The title of the alert's button before iOS 10; ignored.
    open var action: String! = ""
    /// The identifier of the category; empty for none.
    open var categoryIdentifier: String! = ""
    /// The app's own data, property-list values only.
    open var userInfo: [AnyHashable: Any]! = [:]
    /// A sound file of the app; nil for the system's sound.
    open var sound: String!
    /// Detailed sound settings; the file in ``sound`` takes precedence.
    open var soundSetting: JPushNotificationSound?
    /// `UNNotificationAttachment` objects; others are ignored.
    open var attachments: [Any]! = []
    /// The identifier by which notifications are grouped; empty for the app's own group.
    open var threadIdentifier: String! = ""
    /// The name of a launch image.
    open var launchImageName: String! = ""
    /// The text for the summary of the group, iOS 12 to 14; ignored.
    open var summaryArgument: String! = ""
    /// The summary count, iOS 12 to 14; ignored.
    open var summaryArgumentCount: UInt = 0
    /// The identifier of the scene to open; nil for none.
    open var targetContentIdentifier: String?
    /// A raw value of `UNNotificationInterruptionLevel`; 1 is active.
    open var interruptionLevel: UInt = 1
    /// The relevance, 0 to 1.
    open var relevanceScore: Double = 0
    /// The criteria by which a Focus filters the notification; nil for none.
    open var filterCriteria: String?
}

#if canImport(ObjectiveC)
@objc(JPushNotificationRequest) @objcMembers
#endif
/// A request for a local notification.
open class JPushNotificationRequest: NSObject {
    /// The identifier; a later request with the same one replaces this one.
    open var requestIdentifier: String! = ""
    /// The content to show.
    open var content: JPushNotificationContent!
    /// The trigger; nil delivers at once.
    open var trigger: JPushNotificationTrigger!
    /// The handler called on the main thread with the `UNNotificationRequest`, or nil if it was refused.
    open var completionHandler: ((Any?) -> Void)?
}

#if canImport(ObjectiveC)
@objc(JPushNotificationIdentifier) @objcMembers
#endif
/// The notifications to find or to remove.
open class JPushNotificationIdentifier: NSObject {
    /// The identifiers of their requests; nil or empty for all.
    open var identifiers: [String]!
    /// The notification itself before iOS 10; ignored.
    @available(iOS, deprecated: 10.0, message: "Use identifiers.")
    open var notificationObj: UILocalNotification! {
        get { held as? UILocalNotification }
        set { held = newValue }
    }
    private var held: Any?
    /// Whether delivered notifications are meant rather than pending ones.
    open var delivered = false
    /// The handler that ``JPUSHService/findNotification(_:)`` calls on the main thread: with `UNNotification` objects if
    /// ``delivered``, otherwise `UNNotificationRequest`.
    open var findCompletionHandler: (([Any]?) -> Void)?
}

#if canImport(ObjectiveC)
@objc(JPushInAppMessage) @objcMembers
#endif
/// An in-app message. The first name is the SDK's own.
open class JPushInAppMessage: NSObject {
    /// The identifier of the message; the spelling is the SDK's.
    open var mesageId: String! = ""
    /// The title; empty for none.
    open var title: String! = ""
    /// The text.
    open var content: String! = ""
    /// The pages on which it may be shown.
    open var target: [Any]! = []
    /// The action of a tap.
    open var clickAction: String! = ""
    /// The further keys of the message.
    open var extras: [AnyHashable: Any]! = [:]
}

#if canImport(ObjectiveC)
@objc(JPushCollectControl) @objcMembers
#endif
/// The device data that the SDK may read. This one reads none of it.
open class JPushCollectControl: NSObject {
    /// Whether the SDK may read the Wi-Fi's name; without effect.
    open var ssid = true
    /// Whether the SDK may read the Wi-Fi's address; without effect.
    open var bssid = true
    /// Whether the SDK may read the mobile cell; without effect.
    open var cell = true
    /// Whether the SDK may read the location; without effect.
    open var gps = true
}

#endif
