public import Foundation
import SystemPort

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

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UIApplicationShortcutIcon)?.icon == icon
    }

    open override var hash: Int { icon.hashValue }
}
