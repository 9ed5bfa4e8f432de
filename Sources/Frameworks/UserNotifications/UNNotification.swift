public import Foundation
package import SystemPort

/// Why a notification is delivered. `@unchecked Sendable`: it never changes.
open class UNNotificationTrigger: NSObject, NSCopying, @unchecked Sendable {
    init(inside: Void) {}

    open var repeats: Bool { false }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A push brought the notification.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    open override func isEqual(_ object: Any?) -> Bool { object is UNPushNotificationTrigger }
    open override var hash: Int { 1 }
}

/// A notification before it is delivered. `@unchecked Sendable`: it never changes.
open class UNNotificationRequest: NSObject, NSCopying, @unchecked Sendable {
    /// For a push, its collapse id, or else a UUID.
    public let identifier: String
    public let content: UNNotificationContent
    public let trigger: UNNotificationTrigger?

    init(remote record: NotificationRecord) {
        identifier = record.identifier
        content = UNNotificationContent(record.content)
        trigger = UNPushNotificationTrigger(inside: ())
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationRequest else { return false }
        return identifier == other.identifier && content == other.content && trigger == other.trigger
    }

    open override var hash: Int { identifier.hashValue }
}

/// A notification that was delivered. `@unchecked Sendable`: it never changes.
open class UNNotification: NSObject, NSCopying, @unchecked Sendable {
    /// When it was delivered.
    public let date: Date
    public let request: UNNotificationRequest

    package init(_ record: NotificationRecord) {
        date = record.date
        request = UNNotificationRequest(remote: record)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotification else { return false }
        return date == other.date && request == other.request
    }

    open override var hash: Int { request.hash }
}

/// What a person did to a notification. `@unchecked Sendable`: it never changes.
open class UNNotificationResponse: NSObject, NSCopying, @unchecked Sendable {
    public let notification: UNNotification
    public let actionIdentifier: String

    package init(_ record: ResponseRecord) {
        notification = UNNotification(record.notification)
        actionIdentifier = record.actionIdentifier
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}
