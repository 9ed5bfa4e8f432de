public import Foundation
package import SystemPort

/// A notification before it is delivered. `@unchecked Sendable`: it is immutable.
open class UNNotificationRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The identifier; for a push, its collapse id, or otherwise a UUID.
    open private(set) var identifier: String
    /// The content, as it was when the request was made.
    open private(set) var content: UNNotificationContent
    /// The trigger; nil delivers at once.
    open private(set) var trigger: UNNotificationTrigger?

    /// Creates a request with a copy of the content.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = content.immutableCopy()
        self.trigger = trigger
    }

    package convenience init(_ record: RequestRecord) {
        self.init(
            identifier: record.identifier,
            content: UNNotificationContent(record.content),
            trigger: record.trigger.map(UNNotificationTrigger.make)
        )
    }

    public required convenience init?(coder: NSCoder) {
        guard let record: RequestRecord = RecordCoding.decode(from: coder) else { return nil }
        self.init(record)
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {
        if let record = try? record() { RecordCoding.encode(record, with: coder) }
    }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationRequest else { return false }
        return identifier == other.identifier && content == other.content && trigger == other.trigger
    }

    open override var hash: Int { identifier.hashValue }

    package func record() throws(Uncodable) -> RequestRecord {
        RequestRecord(identifier: identifier, content: try content.record(), trigger: trigger?.record)
    }
}
