public import Foundation
import SystemPort

/// The icon of a quick action. The device draws none.
@preconcurrency @MainActor
open class UIApplicationShortcutIcon: NSObject {
    /// An icon of the system's.
    public enum IconType: Int, Sendable {
        case compose = 0
        case play, pause, add, location, search, share
        case prohibit, contact, home, markLocation, favorite, love, cloud, invitation, confirmation, mail, message,
            date, time
        case capturePhoto, captureVideo, task, taskCompleted, alarm, bookmark, shuffle, audio, update
    }

    nonisolated let icon: ShortcutRecord.Icon

    init(_ icon: ShortcutRecord.Icon) { self.icon = icon }

    public convenience init(type: IconType) { self.init(.system(type.rawValue)) }
    public convenience init(templateImageName: String) { self.init(.template(templateImageName)) }
    public convenience init(systemImageName: String) { self.init(.symbol(systemImageName)) }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UIApplicationShortcutIcon)?.icon == icon
    }

    open override var hash: Int { icon.hashValue }
}
