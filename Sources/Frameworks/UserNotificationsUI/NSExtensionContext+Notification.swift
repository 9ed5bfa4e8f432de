import Synchronization
import SystemPort
public import UIKit
public import UserNotifications

// What a content extension tells the system. Without an expanded view, in an app for one, nothing hears it.
extension NSExtensionContext {
    /// The media plays by itself: the system's button shows the sign for a pause.
    public func mediaPlayingStarted() { tell(.media(isPlaying: true)) }

    /// The media stands still: the system's button shows the sign for playing.
    public func mediaPlayingPaused() { tell(.media(isPlaying: false)) }

    /// The buttons of the expanded view: at first the category's, as far as they are shown. What is set counts until the
    /// view closes.
    public var notificationActions: [UNNotificationAction] {
        get { ShownActions.of(port).records.withLock { $0 }.map(UNNotificationAction.make) }
        set {
            let records = newValue.map(\.record)
            ShownActions.of(port).records.withLock { $0 = records }
            tell(.setActions(records))
        }
    }

    /// As a tap on the notification: the view closes, and the app opens.
    public func performNotificationDefaultAction() { tell(.performDefaultAction) }

    /// Closes the expanded view. The notification stays in the notification centre.
    public func dismissNotificationContentExtension() { tell(.dismiss) }

    private func tell(_ call: ContentExtensionCall) { port.call(.contentExtension(call)) { _ in } }
}

/// The buttons of one expanded view.
final class ShownActions: Sendable {
    let records = Mutex<[ActionRecord]>([])

    static func of(_ port: any SystemPort) -> ShownActions { port.slots.slot { ShownActions() } }
}
