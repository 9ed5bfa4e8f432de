public import Foundation
package import SystemPort

/// The options of a category. Raw values: Apple, `UNNotificationCategoryOptions`.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Notifies the app when the user clears the notification.
    public static let customDismissAction = Self(rawValue: 1)
    /// Its notifications are shown in the car.
    public static let allowInCarPlay = Self(rawValue: 2)
    /// The title is shown while previews are hidden.
    public static let hiddenPreviewsShowTitle = Self(rawValue: 4)
    /// The subtitle is shown while previews are hidden.
    public static let hiddenPreviewsShowSubtitle = Self(rawValue: 8)
    /// Its notifications are read aloud; since iOS 15 without effect.
    @available(*, deprecated, message: "Announcement is always included")
    public static let allowAnnouncement = Self(rawValue: 16)
}

/// A kind of notification and its buttons. `@unchecked Sendable`: it is immutable.
open class UNNotificationCategory: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: CategoryRecord

    package init(_ record: CategoryRecord) { self.record = record }

    public required convenience init?(coder: NSCoder) {
        guard let record: CategoryRecord = RecordCoding.decode(from: coder) else { return nil }
        self.init(record)
    }

    /// - Parameters:
    ///   - identifier: the identifier that content refers to.
    ///   - actions: the buttons; at most ten are shown, two where space is limited.
    ///   - intentIdentifiers: names of SiriKit intents.
    ///   - options: the options of the category.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier,
            actions: actions,
            intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: nil,
            categorySummaryFormat: nil,
            options: options
        )
    }

    /// Creates a category with a text for hidden previews.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String,
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier,
            actions: actions,
            intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder,
            categorySummaryFormat: nil,
            options: options
        )
    }

    /// Creates a category with a text for hidden previews, and one for the summary of a group.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String?,
        categorySummaryFormat: String?,
        options: UNNotificationCategoryOptions = []
    ) {
        SystemSymbol.notificationCategory.require()
        var record = CategoryRecord(
            identifier: identifier,
            actions: actions.map(\.record),
            intentIdentifiers: intentIdentifiers,
            options: options.rawValue
        )
        record.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
        record.categorySummaryFormat = categorySummaryFormat ?? ""
        self.init(record)
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The identifier, as a push has it in `aps.category`.
    open var identifier: String { record.identifier }
    /// The buttons, in the order in which they are shown.
    open var actions: [UNNotificationAction] { record.actions.map(UNNotificationAction.make) }
    /// The identifiers of the intents that belong to it; stored only.
    open var intentIdentifiers: [String] { record.intentIdentifiers }
    /// The options of the category.
    open var options: UNNotificationCategoryOptions { UNNotificationCategoryOptions(rawValue: record.options) }
    /// The text that replaces the body while previews are hidden; `%u` is the number of notifications.
    open var hiddenPreviewsBodyPlaceholder: String { record.hiddenPreviewsBodyPlaceholder }
    /// The summary of a group; `%u` is the number of notifications, `%@` the summary argument.
    open var categorySummaryFormat: String { record.categorySummaryFormat }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationCategory)?.says == says }
    open override var hash: Int { says.hashValue }

    /// The record without the system's internal data: the origins of texts.
    private var says: CategoryRecord {
        var says = record
        says.localized = [:]
        return says
    }
}
