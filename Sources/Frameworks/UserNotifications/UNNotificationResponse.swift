public import Foundation
package import SystemPort

/// The user's response to a notification. `@unchecked Sendable`: it is immutable.
open class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let record: ResponseRecord
    /// The notification that the user acted on.
    public let notification: UNNotification

    package init(_ record: ResponseRecord) {
        self.record = record
        notification = UNNotification(record.notification)
    }

    public required convenience init?(coder: NSCoder) {
        guard let record: ResponseRecord = RecordCoding.decode(from: coder) else { return nil }
        self.init(record)
    }

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
}
