import Synchronization
import SystemPort
public import UIKit
public import UserNotifications

// Calls from a content extension to the system. Without an expanded view, for example in an app, they have no effect.
extension NSExtensionContext {
    /// The media started by itself: the system's button shows the pause symbol.
    public func mediaPlayingStarted() { tell(.media(isPlaying: true)) }

    /// The media paused by itself: the system's button shows the play symbol.
    public func mediaPlayingPaused() { tell(.media(isPlaying: false)) }

    /// The buttons of the expanded view: initially the visible ones of the category. Changes apply until the view
    /// closes.
    public var notificationActions: [UNNotificationAction] {
        get { ShownActions.of(port).records.withLock { $0 }.map(UNNotificationAction.make) }
        set {
            let records = newValue.map(\.record)
            ShownActions.of(port).records.withLock { $0 = records }
            tell(.setActions(records))
        }
    }

    /// Acts like a tap on the notification: the view closes, and the app opens.
    public func performNotificationDefaultAction() { tell(.performDefaultAction) }

    /// Closes the expanded view. The notification stays in the notification centre.
    public func dismissNotificationContentExtension() { tell(.dismiss) }

    private func tell(_ call: ContentExtensionCall) { port.call(.contentExtension(call)) }
}

/// The buttons of one expanded view.
final class ShownActions: PortSlot {
    let records = Mutex<[ActionRecord]>([])

}
