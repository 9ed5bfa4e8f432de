import UIKit
import UserNotifications
import UserNotificationsUI

// A content extension that plays a clip, as one is written after Apple's template.
class MediaNotificationController: UIViewController, UNNotificationContentExtension {

    let container = UIView()
    var clip: String?
    var isPlaying = false {
        didSet { container.backgroundColor = isPlaying ? .black : .gray }
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .white
        container.frame = CGRect(x: 0, y: 0, width: view.bounds.width, height: 120)
        view.addSubview(container)
        preferredContentSize = CGSize(width: view.bounds.width, height: 120)
    }

    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType {
        .default
    }

    var mediaPlayPauseButtonFrame: CGRect {
        CGRect(x: container.bounds.width / 2 - 22, y: 38, width: 44, height: 44)
    }

    var mediaPlayPauseButtonTintColor: UIColor {
        .white
    }

    func didReceive(_ notification: UNNotification) {
        clip = notification.request.content.userInfo["clip"] as? String
        if notification.request.content.userInfo["autoplay"] as? Bool == true {
            isPlaying = true
            extensionContext?.mediaPlayingStarted()
        }
    }

    func mediaPlay() {
        isPlaying = true
    }

    func mediaPause() {
        isPlaying = false
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        if response.actionIdentifier == "like" {
            let unlike = UNNotificationAction(identifier: "unlike", title: "Unlike", options: [])
            extensionContext?.notificationActions = [unlike]
            completion(.doNotDismiss)
        } else if response.actionIdentifier == "open" {
            extensionContext?.performNotificationDefaultAction()
        } else {
            completion(.dismissAndForwardAction)
        }
    }
}
