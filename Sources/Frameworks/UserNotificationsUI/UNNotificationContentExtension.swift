public import Foundation
import SystemPort
public import UIKit
public import UserNotifications

/// What becomes of the expanded view after a button. Raw values: Apple, `UNNotificationContentExtensionResponseOption`.
public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
    case doNotDismiss = 0
    case dismiss = 1
    case dismissAndForwardAction = 2
}

/// The button for media that the system draws. Raw values: Apple,
/// `UNNotificationContentExtensionMediaPlayPauseButtonType`.
public enum UNNotificationContentExtensionMediaPlayPauseButtonType: UInt, Sendable {
    case none = 0
    case `default` = 1
    /// Half transparent, above the media.
    case overlay = 2
}

/// The expanded view of a notification, as a view controller of the app's content extension.
@MainActor
@preconcurrency public protocol UNNotificationContentExtension: NSObjectProtocol {
    /// The person has pressed the notification long; also for a newer one of the same thread while the view is open.
    func didReceive(_ notification: UNNotification)

    /// The person chose a button. Without this method the app hears of it at once.
    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    )

    /// Which button for media the system draws; none without this property. Asked for after each event.
    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { get }
    /// Where, in points of the view. An empty place has no button.
    var mediaPlayPauseButtonFrame: CGRect { get }
    /// In which colour; the system's own without this property.
    var mediaPlayPauseButtonTintColor: UIColor { get }

    /// The person pressed the button for media, which stood still.
    func mediaPlay()
    /// The person pressed the button for media, which played.
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

    public var mediaPlayPauseButtonTintColor: UIColor {
        MethodProbe.miss()
        return .white
    }

    public func mediaPlay() { MethodProbe.miss() }
    public func mediaPause() { MethodProbe.miss() }
}
