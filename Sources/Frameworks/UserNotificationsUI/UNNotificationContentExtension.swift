public import Foundation
import SystemPort
public import UIKit
public import UserNotifications

/// The handling of the expanded view after a button. Raw values: Apple, `UNNotificationContentExtensionResponseOption`.
public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
    /// The view stays, and can be updated.
    case doNotDismiss = 0
    /// The view is closed; the app does not hear of the button.
    case dismiss = 1
    /// The view is closed, and the app's delegate receives the response.
    case dismissAndForwardAction = 2
}

/// The media button that the system draws. Raw values: Apple, `UNNotificationContentExtensionMediaPlayPauseButtonType`.
public enum UNNotificationContentExtensionMediaPlayPauseButtonType: UInt, Sendable {
    /// No button.
    case none = 0
    /// A button that plays and pauses.
    case `default` = 1
    /// Semi-transparent, over the media.
    case overlay = 2
}

/// The expanded view of a notification, as a view controller of the app's content extension.
@MainActor
@preconcurrency public protocol UNNotificationContentExtension: NSObjectProtocol {
    /// The user long-pressed the notification; also called for a newer one of the same thread while the view is open.
    func didReceive(_ notification: UNNotification)

    /// The user chose a button. Without this method the app is notified at once.
    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    )

    /// The type of the media button that the system draws; none without this property. Read after each event.
    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { get }
    /// The button's frame in points of the view. With an empty frame there is no button.
    var mediaPlayPauseButtonFrame: CGRect { get }
    /// The button's colour; the system's own without this property.
    var mediaPlayPauseButtonTintColor: UIColor { get }

    /// The user pressed the media button while the media was paused.
    func mediaPlay()
    /// The user pressed the media button while the media was playing.
    func mediaPause()
}

extension UNNotificationContentExtension {
    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        MethodProbe.miss()
        completion(.dismissAndForwardAction)
    }

    public var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .none }
    public var mediaPlayPauseButtonFrame: CGRect { .zero }

    public var mediaPlayPauseButtonTintColor: UIColor { MethodProbe.missed(.white) }

    public func mediaPlay() { MethodProbe.miss() }
    public func mediaPause() { MethodProbe.miss() }
}
