// Properties as imported from the header: `!` where an app may read and write either way.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
public import UIKit

/// The notifications to find or to remove.
open class JPushNotificationIdentifier: NSObject, NSCopying, NSSecureCoding {
    /// The identifiers of their requests; nil or empty for all.
    open var identifiers: [String]!
    /// The notification itself, before iOS 10.
    open var notificationObj: UILocalNotification!
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
        notificationObj = coder.decodeObject(of: UILocalNotification.self, forKey: "notificationObj")
    }

    private struct Coded: Codable {
        var identifiers: [String]?
        var delivered: Bool
    }

    open class var supportsSecureCoding: Bool { true }

    /// Encodes everything but the handler.
    open func encode(with coder: NSCoder) {
        RecordCoding.encode(Coded(identifiers: identifiers, delivered: delivered), with: coder)
        coder.encode(notificationObj, forKey: "notificationObj")
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = JPushNotificationIdentifier()
        copy.identifiers = identifiers
        copy.notificationObj = notificationObj
        copy.delivered = delivered
        copy.findCompletionHandler = findCompletionHandler
        return copy
    }
}
