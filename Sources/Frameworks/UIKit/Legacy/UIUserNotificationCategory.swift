public import Foundation
package import SystemPort
import UserNotifications

/// The space available for buttons.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationCategory.")
public enum UIUserNotificationActionContext: UInt, Sendable {
    /// An alert: up to four.
    case `default` = 0
    /// A banner: up to two.
    case minimal = 1
}

/// The buttons of a kind of notification, as apps of iOS 8 and 9 create them. Two are equal if all their contents are.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationCategory.")
open class UIUserNotificationCategory: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    fileprivate struct Fields: Hashable {
        var identifier: String?
        var actions: [UInt: [UIUserNotificationAction]] = [:]
    }

    fileprivate var fields = Fields()

    public override init() { super.init() }

    public required init?(coder: NSCoder) {
        guard let record: CategoryRecord = RecordCoding.decode(from: coder) else { return nil }
        fields = Self.fields(of: record)
    }

    /// The identifier, as a push has it in `aps.category`.
    open var identifier: String? { fields.identifier }

    /// Returns copies. The minimal context defaults to the first two buttons of the other one.
    open func actions(for context: UIUserNotificationActionContext) -> [UIUserNotificationAction]? {
        if let actions = fields.actions[context.rawValue] { return actions }
        guard context == .minimal else { return nil }
        return fields.actions[UIUserNotificationActionContext.default.rawValue].map { Array($0.prefix(2)) }
    }

    open class var supportsSecureCoding: Bool { true }

    /// Encodes nothing without an ``identifier``.
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

    open override func isEqual(_ object: Any?) -> Bool { (object as? UIUserNotificationCategory)?.fields == fields }

    open override var hash: Int { fields.hashValue }

    /// Returns the records for the port, in the order of their identifiers; of two with the same identifier one is
    /// kept.
    package static func records(of categories: Set<UIUserNotificationCategory>) -> [CategoryRecord] {
        let records = categories.compactMap(\.record).map { ($0.identifier, $0) }
        return Dictionary(records) { first, _ in first }.values.sorted { $0.identifier < $1.identifier }
    }

    /// The category as sent over the port; nil without an identifier, as no notification could refer to it.
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

    /// - Parameter record: the category as received over the port.
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

/// Buttons under construction.
@available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNNotificationCategory.")
open class UIMutableUserNotificationCategory: UIUserNotificationCategory {
    public override init() {
        SystemSymbol.mutableCategory.require()
        super.init()
    }

    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open override var identifier: String? {
        get { fields.identifier }
        set { fields.identifier = newValue }
    }

    /// Copies the buttons; nil removes those of the context.
    open func setActions(_ actions: [UIUserNotificationAction]?, for context: UIUserNotificationActionContext) {
        fields.actions[context.rawValue] = actions?.compactMap { $0.copy() as? UIUserNotificationAction }
    }
}
