// Properties are as the importer made them of the header: `!` where an app may read and write either way.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
public import UIKit

/// Which notifications are meant, to find or to remove them.
open class JPushNotificationIdentifier: NSObject, NSCopying, NSSecureCoding {
    /// Of their requests; nil or none: all.
    open var identifiers: [String]!
    /// Before iOS 10: this one.
    open var notificationObj: UILocalNotification!
    /// Those that were shown, in the place of those that wait. Before iOS 10 it says nothing.
    open var delivered = false
    /// What ``JPUSHService/findNotification(_:)`` calls, on the main thread: `UNNotification` objects if
    /// ``delivered``, else `UNNotificationRequest`.
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

    /// The handler stays behind.
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
