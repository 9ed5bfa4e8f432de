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
    /// The values, except the user info.
    var fields = ContentRecord()
    fileprivate var info: [AnyHashable: Any] = [:]
    /// The push's payload, as long as the user info is taken from it.
    fileprivate var payload: JSONObject?

    public override init() {
        super.init()
        (self is UNMutableNotificationContent ? SystemSymbol.mutableContent : .content).require()
    }

    public required init?(coder: NSCoder) {
        guard let record: ContentRecord = RecordCoding.decode(from: coder) else { return nil }
        super.init()
        take(record)
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
    open var badge: NSNumber? { fields.badge.map { NSNumber(value: $0) } }
    /// The sound; nil for a silent notification.
    open var sound: UNNotificationSound? { fields.sound.map(UNNotificationSound.init) }
    /// The identifier of the category; empty for none.
    open var categoryIdentifier: String { fields.categoryIdentifier }
    /// The identifier by which notifications are grouped; empty for the app's own group.
    open var threadIdentifier: String { fields.threadIdentifier }
    /// The name of a launch image; carried, without effect.
    open var launchImageName: String { fields.launchImageName }
    /// The identifier of the scene to open; nil for none.
    open var targetContentIdentifier: String? { fields.targetContentIdentifier }
    /// How much the notification may interrupt.
    open var interruptionLevel: UNNotificationInterruptionLevel {
        UNNotificationInterruptionLevel(rawValue: fields.interruptionLevel) ?? .active
    }
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
    open var attachments: [UNNotificationAttachment] { fields.attachments.map(UNNotificationAttachment.init) }
    /// The user info; for a push the whole payload, `aps` included. Numbers are `NSNumber`.
    open var userInfo: [AnyHashable: Any] { info }

    open func copy(with zone: NSZone? = nil) -> Any { immutableCopy() }

    func immutableCopy() -> UNNotificationContent { filled(UNNotificationContent()) }

    open func mutableCopy(with zone: NSZone? = nil) -> Any { filled(UNMutableNotificationContent()) }

    private func filled<Content: UNNotificationContent>(_ copy: Content) -> Content {
        copy.fields = fields
        copy.info = info
        copy.payload = payload
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationContent else { return false }
        var mine = fields
        var its = other.fields
        mine.localized = [:]
        its.localized = [:]
        return mine == its && NSDictionary(dictionary: info) == NSDictionary(dictionary: other.info)
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
        take(record)
    }

    private func take(_ record: ContentRecord) {
        fields = record
        fields.userInfo = [:]
        fields.ownInfo = nil
        fields.legacy = nil
        payload = record.ownInfo == nil ? record.userInfo : nil
        info = record.ownInfo?.dictionary ?? record.userInfo.foundation
    }

    /// - Throws: ``Uncodable`` for a value in `userInfo` that cannot be encoded.
    package func record() throws(Uncodable) -> ContentRecord {
        var record = fields
        record.localized = [:]
        record.noteOrigins { fields.localized[$0] }
        if let payload {
            record.userInfo = payload
        } else {
            record.ownInfo = try InfoValue(info)
        }
        return record
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
        get { super.badge }
        set { fields.badge = newValue?.intValue }
    }
    open override var sound: UNNotificationSound? {
        get { super.sound }
        set { fields.sound = newValue?.record }
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
        get { super.interruptionLevel }
        set { fields.interruptionLevel = newValue.rawValue }
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
        get { info }
        set {
            info = newValue
            payload = nil
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
        get { super.attachments }
        set { fields.attachments = newValue.map(\.record) }
    }
}
