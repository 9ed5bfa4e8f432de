// Properties as imported from the header: `!` where an app may read and write either way.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation
public import UIKit
import UserNotifications

#if canImport(ObjectiveC)
@objc(JPushNotificationRequest) @objcMembers
#endif
/// A request for a local notification.
open class JPushNotificationRequest: NSObject, NSCopying, NSSecureCoding {
    /// The identifier; a later request with the same one replaces this one.
    open var requestIdentifier: String! = ""
    /// The content to show.
    open var content: JPushNotificationContent!
    /// The trigger; nil delivers at once.
    open var trigger: JPushNotificationTrigger!
    /// The handler called on the main thread with the system's request, a `UNNotificationRequest`
    /// (`UILocalNotification` before iOS 10), or nil if it was refused.
    open var completionHandler: ((Any?) -> Void)?

    public override init() { super.init() }

    public required convenience init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: "requestIdentifier") else { return nil }
        self.init()
        requestIdentifier = String(describing: identifier)
        content = coder.decodeObject(of: JPushNotificationContent.self, forKey: "content")
        trigger = coder.decodeObject(of: JPushNotificationTrigger.self, forKey: "trigger")
    }

    open class var supportsSecureCoding: Bool { true }

    /// Encodes everything but the handler.
    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: requestIdentifier ?? ""), forKey: "requestIdentifier")
        coder.encode(content, forKey: "content")
        coder.encode(trigger, forKey: "trigger")
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = JPushNotificationRequest()
        copy.requestIdentifier = requestIdentifier
        copy.content = content?.copy() as? JPushNotificationContent
        copy.trigger = trigger?.copy() as? JPushNotificationTrigger
        copy.completionHandler = completionHandler
        return copy
    }
}

#if canImport(ObjectiveC)
@objc(JPushNotificationIdentifier) @objcMembers
#endif
/// The notifications to find or to remove.
open class JPushNotificationIdentifier: NSObject, NSCopying, NSSecureCoding {
    /// The identifiers of their requests; nil or empty for all.
    open var identifiers: [String]!
    /// The notification itself, before iOS 10.
    @available(iOS, deprecated: 10.0, message: "Use identifiers.")
    open var notificationObj: UILocalNotification! {
        get { held as? UILocalNotification }
        set { held = newValue }
    }
    private var held: NSObject?
    /// Whether delivered notifications are meant rather than pending ones. Ignored before iOS 10.
    open var delivered = false
    /// The handler that ``JPUSHService/findNotification(_:)`` calls on the main thread: with `UNNotification` objects
    /// if ``delivered``, otherwise `UNNotificationRequest`.
    open var findCompletionHandler: (([Any]?) -> Void)?

    public override init() { super.init() }

    public required init?(coder: NSCoder) {
        super.init()
        guard let coded: Coded = RecordCoding.decode(from: coder) else { return nil }
        identifiers = coded.identifiers
        delivered = coded.delivered
        #if !canImport(Darwin)
        held = coder.decodeObject(of: UILocalNotification.self, forKey: "notificationObj")
        #endif
    }

    private struct Coded: Codable {
        var identifiers: [String]?
        var delivered: Bool
    }

    open class var supportsSecureCoding: Bool { true }

    /// Encodes everything but the handler.
    open func encode(with coder: NSCoder) {
        RecordCoding.encode(Coded(identifiers: identifiers, delivered: delivered), with: coder)
        #if !canImport(Darwin)
        coder.encode(held, forKey: "notificationObj")
        #endif
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = JPushNotificationIdentifier()
        copy.identifiers = identifiers
        copy.held = held
        copy.delivered = delivered
        copy.findCompletionHandler = findCompletionHandler
        return copy
    }
}

#endif
