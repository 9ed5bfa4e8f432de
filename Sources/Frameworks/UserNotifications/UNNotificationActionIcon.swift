public import Foundation
import SystemPort

/// The picture on a button. `@unchecked Sendable`: it is immutable.
open class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let record: IconRecord

    init(_ record: IconRecord) { self.record = record }

    /// An image of the app, used as a mask.
    public convenience init(templateImageName: String) { self.init(.template(templateImageName)) }
    /// One of the system's symbols.
    public convenience init(systemImageName: String) { self.init(.system(systemImageName)) }

    public required convenience init?(coder: NSCoder) {
        guard let record: IconRecord = RecordCoding.decode(from: coder) else { return nil }
        self.init(record)
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationActionIcon)?.record == record }
    open override var hash: Int { record.hashValue }
}
