public import Foundation
import PushModel
package import SystemPort

/// The content of a notification.
///
/// `@unchecked Sendable`: the class itself is immutable; for its mutable subclass Apple requires, as for any mutable
/// object, that only one thread at a time uses it.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding,
    @unchecked Sendable
{
    var fields = Fields()

    struct Fields {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var categoryIdentifier = ""
        var threadIdentifier = ""
        var launchImageName = ""
        var targetContentIdentifier: String?
        var interruptionLevel = UNNotificationInterruptionLevel.active
        var relevanceScore = 0.0
        var filterCriteria: String?
        var summaryArgument = ""
        var summaryArgumentCount = 1
        var attachments: [UNNotificationAttachment] = []
        var userInfo: [AnyHashable: Any] = [:]
        /// The person who wrote, of a communication notification.
        var sender: MessageSenderRecord?
        /// The origins of texts that were read back from a request.
        var localized: [String: LocalizedString] = [:]
        /// The push's payload, as long as `userInfo` is taken from it.
        var payload: JSONObject?
    }

    public override init() {
        super.init()
        (self is UNMutableNotificationContent ? SystemSymbol.mutableContent : .content).require()
    }

    public required init?(coder: NSCoder) {
        guard let record: ContentRecord = RecordCoding.decode(from: coder) else { return nil }
        fields = Fields(record)
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {
        if let record = try? record() { RecordCoding.encode(record, with: coder) }
    }

    /// The title; empty for none.
    open var title: String { fields.title }
    /// The subtitle; empty for none.
    open var subtitle: String { fields.subtitle }
    /// The text; empty for none.
    open var body: String { fields.body }
    /// The badge; nil leaves the icon's number unchanged, 0 clears it.
    open var badge: NSNumber? { fields.badge }
    /// The sound; nil for a silent notification.
    open var sound: UNNotificationSound? { fields.sound }
    /// The identifier of the category; empty for none.
    open var categoryIdentifier: String { fields.categoryIdentifier }
    /// The identifier by which notifications are grouped; empty for the app's own group.
    open var threadIdentifier: String { fields.threadIdentifier }
    /// The name of a launch image; carried, without effect.
    open var launchImageName: String { fields.launchImageName }
    /// The identifier of the scene to open; nil for none.
    open var targetContentIdentifier: String? { fields.targetContentIdentifier }
    /// How much the notification may interrupt.
    open var interruptionLevel: UNNotificationInterruptionLevel { fields.interruptionLevel }
    /// The place in the scheduled summary: 0 for the last to 1 for the first.
    open var relevanceScore: Double { fields.relevanceScore }
    /// The criteria by which a Focus filters the notification; nil for none.
    open var filterCriteria: String? { fields.filterCriteria }
    /// The text for the summary of the group, iOS 12 to 14.
    @available(*, deprecated, message: "summaryArgument is ignored")
    open var summaryArgument: String { fields.summaryArgument }
    /// The number of items that the notification stands for in the summary.
    @available(*, deprecated, message: "summaryArgumentCount is ignored")
    open var summaryArgumentCount: Int { fields.summaryArgumentCount }
    /// The attachments, in the order in which the app added them.
    open var attachments: [UNNotificationAttachment] { fields.attachments }
    /// The user info; for a push the whole payload, `aps` included. Numbers are `NSNumber`.
    open var userInfo: [AnyHashable: Any] { fields.userInfo }

    open func copy(with zone: NSZone? = nil) -> Any { immutableCopy() }

    func immutableCopy() -> UNNotificationContent {
        let copy = UNNotificationContent()
        copy.fields = fields
        return copy
    }

    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = UNMutableNotificationContent()
        copy.fields = fields
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = (object as? UNNotificationContent)?.fields else { return false }
        return fields.title == other.title && fields.subtitle == other.subtitle && fields.body == other.body
            && fields.badge == other.badge && fields.sound == other.sound
            && fields.categoryIdentifier == other.categoryIdentifier
            && fields.threadIdentifier == other.threadIdentifier
            && fields.launchImageName == other.launchImageName
            && fields.targetContentIdentifier == other.targetContentIdentifier
            && fields.interruptionLevel == other.interruptionLevel && fields.relevanceScore == other.relevanceScore
            && fields.filterCriteria == other.filterCriteria
            && fields.summaryArgument == other.summaryArgument
            && fields.summaryArgumentCount == other.summaryArgumentCount && fields.sender == other.sender
            && fields.attachments == other.attachments
            && NSDictionary(dictionary: fields.userInfo) == NSDictionary(dictionary: other.userInfo)
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(fields.title)
        hasher.combine(fields.subtitle)
        hasher.combine(fields.body)
        return hasher.finalize()
    }

    package convenience init(_ record: ContentRecord) {
        self.init()
        fields = Fields(record)
    }

    /// - Throws: ``Uncodable`` for a value in `userInfo` that cannot be encoded.
    package func record() throws(Uncodable) -> ContentRecord {
        var record = ContentRecord()
        record.title = fields.title
        record.subtitle = fields.subtitle
        record.body = fields.body
        record.badge = fields.badge?.intValue
        record.sound = fields.sound?.record
        record.categoryIdentifier = fields.categoryIdentifier
        record.threadIdentifier = fields.threadIdentifier
        record.launchImageName = fields.launchImageName
        record.targetContentIdentifier = fields.targetContentIdentifier
        record.interruptionLevel = fields.interruptionLevel.rawValue
        record.relevanceScore = fields.relevanceScore
        record.filterCriteria = fields.filterCriteria
        record.summaryArgument = fields.summaryArgument
        record.summaryArgumentCount = fields.summaryArgumentCount
        record.attachments = fields.attachments.map(\.record)
        record.sender = fields.sender
        record.noteOrigins { fields.localized[$0] }
        if let payload = fields.payload {
            record.userInfo = payload
        } else {
            record.ownInfo = try InfoValue(fields.userInfo)
        }
        return record
    }
}

extension UNNotificationContent.Fields {
    fileprivate init(_ record: ContentRecord) {
        title = record.title
        subtitle = record.subtitle
        body = record.body
        badge = record.badge.map { NSNumber(value: $0) }
        sound = record.sound.map(UNNotificationSound.init)
        categoryIdentifier = record.categoryIdentifier
        threadIdentifier = record.threadIdentifier
        launchImageName = record.launchImageName
        targetContentIdentifier = record.targetContentIdentifier
        interruptionLevel = UNNotificationInterruptionLevel(rawValue: record.interruptionLevel) ?? .active
        relevanceScore = record.relevanceScore
        filterCriteria = record.filterCriteria
        summaryArgument = record.summaryArgument
        summaryArgumentCount = record.summaryArgumentCount
        attachments = record.attachments.map(UNNotificationAttachment.init)
        sender = record.sender
        localized = record.localized
        if let own = record.ownInfo {
            userInfo = own.dictionary
        } else {
            userInfo = record.userInfo.foundation
            payload = record.userInfo
        }
    }
}

/// Content that an app creates.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    open override var title: String {
        get { fields.title }
        set { fields.title = newValue }
    }
    open override var subtitle: String {
        get { fields.subtitle }
        set { fields.subtitle = newValue }
    }
    open override var body: String {
        get { fields.body }
        set { fields.body = newValue }
    }
    open override var badge: NSNumber? {
        get { fields.badge }
        set { fields.badge = newValue }
    }
    open override var sound: UNNotificationSound? {
        get { fields.sound }
        set { fields.sound = newValue }
    }
    open override var categoryIdentifier: String {
        get { fields.categoryIdentifier }
        set { fields.categoryIdentifier = newValue }
    }
    open override var threadIdentifier: String {
        get { fields.threadIdentifier }
        set { fields.threadIdentifier = newValue }
    }
    open override var launchImageName: String {
        get { fields.launchImageName }
        set { fields.launchImageName = newValue }
    }
    open override var targetContentIdentifier: String? {
        get { fields.targetContentIdentifier }
        set { fields.targetContentIdentifier = newValue }
    }
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { fields.interruptionLevel }
        set { fields.interruptionLevel = newValue }
    }
    open override var relevanceScore: Double {
        get { fields.relevanceScore }
        set { fields.relevanceScore = newValue }
    }
    open override var filterCriteria: String? {
        get { fields.filterCriteria }
        set { fields.filterCriteria = newValue }
    }
    open override var userInfo: [AnyHashable: Any] {
        get { fields.userInfo }
        set {
            fields.userInfo = newValue
            fields.payload = nil
        }
    }
    @available(*, deprecated, message: "summaryArgument is ignored")
    open override var summaryArgument: String {
        get { fields.summaryArgument }
        set { fields.summaryArgument = newValue }
    }
    /// The count for a group's summary; must not be 0.
    @available(*, deprecated, message: "summaryArgumentCount is ignored")
    open override var summaryArgumentCount: Int {
        get { fields.summaryArgumentCount }
        set {
            guard newValue > 0 else { return RaisedException.raise("summaryArgumentCount must be greater than 0") }
            fields.summaryArgumentCount = newValue
        }
    }
    open override var attachments: [UNNotificationAttachment] {
        get { fields.attachments }
        set { fields.attachments = newValue }
    }
}
