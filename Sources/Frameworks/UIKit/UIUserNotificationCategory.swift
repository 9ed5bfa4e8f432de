public import Foundation
package import SystemPort
import UserNotifications

/// How much room there is for buttons.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationCategory.")
public enum UIUserNotificationActionContext: UInt, Sendable {
    /// An alert: up to four.
    case `default` = 0
    /// A banner: up to two.
    case minimal = 1
}

/// The buttons of a kind of notification, as apps of iOS 8 and 9 make them. Two are equal if all they say is.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationCategory.")
open class UIUserNotificationCategory: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    fileprivate struct Fields {
        var identifier: String?
        var actions: [UInt: [UIUserNotificationAction]] = [:]
    }

    fileprivate var fields = Fields()

    public override init() { super.init() }

    public required init?(coder: NSCoder) {
        guard let record: CategoryRecord = RecordCoding.decode(from: coder) else { return nil }
        fields = Self.fields(of: record)
    }

    open var identifier: String? { fields.identifier }

    /// Copies: changing them changes nothing. For little room, where nothing else was said, the first two of the others.
    open func actions(for context: UIUserNotificationActionContext) -> [UIUserNotificationAction]? {
        if let actions = fields.actions[context.rawValue] { return actions }
        guard context == .minimal else { return nil }
        return fields.actions[UIUserNotificationActionContext.default.rawValue].map { Array($0.prefix(2)) }
    }

    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing without an ``identifier``.
    open func encode(with coder: NSCoder) {
        if let record { RecordCoding.encode(record, with: coder) }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UIUserNotificationCategory()
        copy.fields = fields
        return copy
    }

    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = UIMutableUserNotificationCategory()
        copy.fields = fields
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIUserNotificationCategory else { return false }
        return other.fields.identifier == fields.identifier && other.fields.actions == fields.actions
    }

    open override var hash: Int { fields.identifier.hashValue }

    /// As they cross the port, in the order of their identifiers; of two with the same one stays.
    package static func records(of categories: Set<UIUserNotificationCategory>) -> [CategoryRecord] {
        let records = categories.compactMap(\.record).map { ($0.identifier, $0) }
        return Dictionary(records) { first, _ in first }.values.sorted { $0.identifier < $1.identifier }
    }

    /// As it crosses the port; nil without an identifier, by which no notification could name it.
    var record: CategoryRecord? {
        guard let identifier else { return nil }
        func records(_ context: UIUserNotificationActionContext) -> [ActionRecord]? {
            fields.actions[context.rawValue].map { $0.compactMap(\.record) }
        }
        var record = CategoryRecord(
            identifier: identifier,
            actions: records(.default) ?? [],
            intentIdentifiers: [],
            options: 0
        )
        record.minimalActions = records(.minimal)
        return record
    }

    /// - Parameter record: as it came over the port.
    convenience init(_ record: CategoryRecord) {
        self.init()
        fields = Self.fields(of: record)
    }

    private static func fields(of record: CategoryRecord) -> Fields {
        var fields = Fields(identifier: record.identifier)
        fields.actions[UIUserNotificationActionContext.default.rawValue] =
            record.actions.map { UIUserNotificationAction($0) }
        fields.actions[UIUserNotificationActionContext.minimal.rawValue] =
            record.minimalActions?.map { UIUserNotificationAction($0) }
        return fields
    }
}

/// Buttons that are being made.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationCategory.")
open class UIMutableUserNotificationCategory: UIUserNotificationCategory {
    open override var identifier: String? {
        get { fields.identifier }
        set { fields.identifier = newValue }
    }

    /// They are copied; nil takes away what was said for the context.
    open func setActions(_ actions: [UIUserNotificationAction]?, for context: UIUserNotificationActionContext) {
        fields.actions[context.rawValue] = actions?.compactMap { $0.copy() as? UIUserNotificationAction }
    }
}
