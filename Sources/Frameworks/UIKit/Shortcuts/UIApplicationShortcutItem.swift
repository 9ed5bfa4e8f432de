public import Foundation
import SystemPort
import UserNotifications

/// A quick action of the app's icon.
///
/// Source: Apple, `UIApplicationShortcutItem`. ``userInfo`` has the type `[String: Any]`, because without Objective-C a `String` is
/// no `NSSecureCoding`.
@preconcurrency @MainActor
open class UIApplicationShortcutItem: NSObject {
    fileprivate var record: ShortcutRecord
    fileprivate var ownInfo: [String: Any]?

    /// Creates a quick action, with a dot if it has no icon, and with property list values for the app.
    public init(
        type: String,
        localizedTitle: String,
        localizedSubtitle: String?,
        icon: UIApplicationShortcutIcon?,
        userInfo: [String: Any]? = nil
    ) {
        SystemSymbol.shortcutItem.require()
        record = ShortcutRecord(type: type, title: localizedTitle)
        record.subtitle = localizedSubtitle
        record.icon = icon?.icon
        ownInfo = userInfo
    }

    /// Creates a quick action without subtitle, icon and data.
    public convenience init(type: String, localizedTitle: String) {
        self.init(type: type, localizedTitle: localizedTitle, localizedSubtitle: nil, icon: nil)
    }

    convenience init(_ record: ShortcutRecord) {
        self.init(type: record.type, localizedTitle: record.title)
        self.record = record
        guard let info = record.userInfo?.dictionary else { return }
        ownInfo = Dictionary(
            info.compactMap { key, value in (key.base as? String).map { ($0, value) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The type, by which the app tells its actions apart.
    open var type: String { record.type }
    /// The title.
    open var localizedTitle: String { record.title }
    /// The second line; nil for none.
    open var localizedSubtitle: String? { record.subtitle }
    /// The icon; nil for none.
    open var icon: UIApplicationShortcutIcon? { record.icon.map(UIApplicationShortcutIcon.init) }
    /// The app's own data; nil for none.
    open var userInfo: [String: Any]? { ownInfo }
    /// The identifier of the scene for it; nil for none.
    open var targetContentIdentifier: Any? { record.targetContentIdentifier }

    /// The quick action as the system stores it. Raises an exception for data that is no property list.
    var stored: ShortcutRecord {
        var stored = record
        guard let ownInfo else { return stored }
        do throws(Uncodable) { stored.userInfo = try InfoValue(ownInfo) } catch {
            RaisedException.raise(
                "The userInfo of a UIApplicationShortcutItem must be a property list; it has a \(error.type).",
                name: "NSInvalidArgumentException"
            )
        }
        return stored
    }

    /// Returns a quick action that can be changed.
    open override func mutableCopy() -> Any {
        // Copied on the main thread, like everything of UIKit.
        let copy: UIMutableApplicationShortcutItem = MainActor.assumeIsolated {
            let copy = UIMutableApplicationShortcutItem(record)
            copy.ownInfo = ownInfo
            return copy
        }
        return copy
    }
}

/// A quick action that can be changed.
open class UIMutableApplicationShortcutItem: UIApplicationShortcutItem {
    open override var type: String {
        get { record.type }
        set { record.type = newValue }
    }
    open override var localizedTitle: String {
        get { record.title }
        set { record.title = newValue }
    }
    open override var localizedSubtitle: String? {
        get { record.subtitle }
        set { record.subtitle = newValue }
    }
    open override var icon: UIApplicationShortcutIcon? {
        get { record.icon.map(UIApplicationShortcutIcon.init) }
        set { record.icon = newValue?.icon }
    }
    open override var userInfo: [String: Any]? {
        get { ownInfo }
        set { ownInfo = newValue }
    }
    open override var targetContentIdentifier: Any? {
        get { record.targetContentIdentifier }
        set { record.targetContentIdentifier = newValue as? String }
    }
}

/// The icon of a quick action. The device draws none.
@preconcurrency @MainActor
open class UIApplicationShortcutIcon: NSObject {
    /// An icon of the system's.
    public enum IconType: Int, Sendable {
        /// The system's symbol for writing.
        case compose = 0
        /// A symbol of the system's.
        case play, pause, add, location, search, share
        /// A symbol of the system's (iOS 9.1).
        case prohibit, contact, home, markLocation, favorite, love, cloud, invitation, confirmation, mail, message,
            /// A symbol of the system's (iOS 9.1).
            date, time
        /// A symbol of the system's (iOS 9.1).
        case capturePhoto, captureVideo, task, taskCompleted, alarm, bookmark, shuffle, audio, update
    }

    nonisolated let icon: ShortcutRecord.Icon

    init(_ icon: ShortcutRecord.Icon) { self.icon = icon }

    /// Creates an icon from a symbol of the system's.
    public convenience init(type: IconType) { self.init(.system(type.rawValue)) }
    /// Creates an icon from an image of the app's, whose shape is drawn.
    public convenience init(templateImageName: String) { self.init(.template(templateImageName)) }
    /// Creates an icon from an SF Symbol (iOS 13).
    public convenience init(systemImageName: String) { self.init(.symbol(systemImageName)) }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UIApplicationShortcutIcon)?.icon == icon }

    open override var hash: Int { icon.hashValue }
}
