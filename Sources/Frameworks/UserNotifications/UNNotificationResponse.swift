public import Foundation
package import SystemPort

/// The user's response to a notification. `@unchecked Sendable`: it is immutable.
open class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let record: ResponseRecord
    private let original: UNNotification
    /// The notification that the user acted on.
    open var notification: UNNotification { original }

    package init(_ record: ResponseRecord) {
        self.record = record
        original = UNNotification(record.notification)
    }

    /// Creates a response from an archive, or from a coder of a test that answers Apple's keys: `notification`, `actionIdentifier`, and
    /// `userText` for a response with a text. A fake that knows no notification is asked for its `date` and `request`.
    public required init?(coder: NSCoder) {
        if RecordCoding.isFake(coder) {
            let decoded = coder.decodeObject(forKey: "notification") as? UNNotification
            guard let notification = decoded ?? UNNotification(coder: coder) else { return nil }
            original = notification
            record = ResponseRecord(
                notification: notification.record,
                actionIdentifier: coder.decodeObject(forKey: "actionIdentifier") as? String
                    ?? ResponseRecord.defaultAction,
                userText: Self.hasText ? coder.decodeObject(forKey: "userText") as? String : nil
            )
        } else {
            guard let record: ResponseRecord = RecordCoding.decode(from: coder) else { return nil }
            self.record = record
            original = UNNotification(record.notification)
        }
    }

    class var hasText: Bool { false }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The identifier: `UNNotificationDefaultActionIdentifier`, `UNNotificationDismissActionIdentifier`, or that of the
    /// app's action.
    open var actionIdentifier: String { record.actionIdentifier }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationResponse)?.record == record }
    open override var hash: Int { record.hashValue }

    package static func make(_ record: ResponseRecord) -> UNNotificationResponse {
        record.userText == nil ? UNNotificationResponse(record) : UNTextInputNotificationResponse(record)
    }
}

/// A response with the user's text. `@unchecked Sendable`: it is immutable.
open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
    /// The text that the user wrote.
    open var userText: String { record.userText ?? "" }

    override class var hasText: Bool { true }
}

/// The user tapped the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The user cleared the notification, and its category has `customDismissAction`.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"
