public import Foundation
package import SystemPort

/// A notification that was delivered. `@unchecked Sendable`: it is immutable.
open class UNNotification: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let record: NotificationRecord
    private let original: UNNotificationRequest
    /// The date of delivery.
    open var date: Date { record.date }
    /// The request that led to it; of a push, one that the system has made.
    open var request: UNNotificationRequest { original }

    package init(_ record: NotificationRecord) {
        self.record = record
        original = record.request
    }

    /// Creates a notification from an archive, or from a coder of a test that answers Apple's keys: `date` and `request`.
    public required init?(coder: NSCoder) {
        if RecordCoding.isFake(coder) {
            let date = coder.decodeObject(forKey: "date") as? Date ?? Date(timeIntervalSince1970: 0)
            original =
                coder.decodeObject(forKey: "request") as? UNNotificationRequest
                ?? UNNotificationRequest(identifier: "", content: UNNotificationContent(), trigger: nil)
            record = NotificationRecord(original, at: date)
        } else {
            guard let record: NotificationRecord = RecordCoding.decode(from: coder) else { return nil }
            self.record = record
            original = record.request
        }
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

extension NotificationRecord {
    fileprivate init(_ request: UNNotificationRequest, at date: Date) {
        self.init(
            identifier: request.identifier,
            date: date,
            content: (try? request.content.record()) ?? ContentRecord(),
            trigger: request.trigger?.record
        )
    }

    fileprivate var request: UNNotificationRequest {
        UNNotificationRequest(RequestRecord(identifier: identifier, content: content, trigger: trigger))
    }
}
