public import Foundation
package import SystemPort

/// A notification that was delivered. `@unchecked Sendable`: it is immutable.
open class UNNotification: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let record: NotificationRecord
    /// The date of delivery.
    public let date: Date
    /// The request that led to it; of a push, one that the system has made.
    public let request: UNNotificationRequest

    package init(_ record: NotificationRecord) {
        self.record = record
        date = record.date
        request = UNNotificationRequest(
            RequestRecord(identifier: record.identifier, content: record.content, trigger: record.trigger)
        )
    }

    public required convenience init?(coder: NSCoder) {
        guard let record: NotificationRecord = RecordCoding.decode(from: coder) else { return nil }
        self.init(record)
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotification else { return false }
        return date == other.date && request == other.request
    }

    open override var hash: Int { request.hash }
}
