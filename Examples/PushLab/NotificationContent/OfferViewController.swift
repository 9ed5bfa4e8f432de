import UIKit
import UserNotifications
import UserNotificationsUI

/// The expanded view of an offer: its sound or video with a media button, or its picture.
///
/// The Info.plist names the category. The buttons of the category are the app's: without the method for responses the
/// system closes the view and calls the app.
public final class OfferViewController: UIViewController, UNNotificationContentExtension {
    private let media = OfferMedia()

    public override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .black
    }

    public func didReceive(_ notification: UNNotification) {
        let content = notification.request.content
        title = content.title.isEmpty ? "Offer" : "Offer: \(content.title)"
        media.attachment = content.attachments.first
        #if canImport(AVFoundation)
        media.draw(in: view)
        #endif
        let width = view.bounds.width
        preferredContentSize = CGSize(width: width, height: media.heightRatio * width)
    }

    // MARK: The media button, which the system draws

    public var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType {
        media.isPlayable ? .overlay : .none
    }

    public var mediaPlayPauseButtonFrame: CGRect {
        CGRect(x: preferredContentSize.width / 2 - 22, y: preferredContentSize.height / 2 - 22, width: 44, height: 44)
    }

    public var mediaPlayPauseButtonTintColor: UIColor { .white }

    public func mediaPlay() { media.isPlaying = true }

    public func mediaPause() { media.isPlaying = false }
}
