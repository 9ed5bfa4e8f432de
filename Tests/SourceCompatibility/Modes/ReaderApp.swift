import UIKit
import UserNotifications

// Swift 6 mode, without scenes, in the manner of an app that has kept its delegate since iOS 8: links, activities, quick actions, fetches,
// sessions, windows, an alert view and an old sound.
final class ReaderApp: UIResponder, UIApplicationDelegate, UIAlertViewDelegate {
    var window: UIWindow?
    let screen = ReaderScreen()
    private(set) var log: [String] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = UINavigationController(rootViewController: screen)
        window?.tintColor = UIColor(named: "Accent") ?? .systemIndigo
        window?.makeKeyAndVisible()
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        return true
    }

    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let url = userActivity.webpageURL else { return false }
        log.append("continue \(url.path)")
        restorationHandler([screen])
        return true
    }

    func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        log.append("perform \(shortcutItem.localizedTitle)")
        completionHandler(true)
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        log.append("fetch")
        completionHandler(.newData)
    }

    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        log.append("session \(identifier)")
        completionHandler()
    }

    func application(
        _ application: UIApplication,
        supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask { .portrait }

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { log.append("memory") }

    func alertView(_ alertView: UIAlertView, clickedButtonAt buttonIndex: Int) {
        log.append("clicked \(alertView.buttonTitle(at: buttonIndex) ?? "")")
    }

    func ask() {
        let alert = UIAlertView(
            title: "Update",
            message: "There is a new version.",
            delegate: self,
            cancelButtonTitle: "Later",
            otherButtonTitles: "Update"
        )
        alert.show()
    }

    /// Whether the shop was opened in its app, and whether its website was.
    func openShop() -> [Bool] {
        let application = UIApplication.shared
        let urls = ["shopapp://tea", "https://shop.example.net"].compactMap { URL(string: $0) }
        return urls.map { application.canOpenURL($0) && application.openURL($0) }
    }

    /// The controllers that helpers of older apps look for.
    func roots() -> [UIViewController?] {
        let application = UIApplication.shared
        return [
            application.keyWindow?.rootViewController, application.windows.first?.rootViewController,
            application.delegate?.window??.rootViewController,
        ]
    }

    func reminder() -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = "Read"
        content.sound = .default
        return content
    }
}

final class ReaderScreen: UIViewController {
    private(set) var restored: [String] = []
    private(set) var log: [String] = []

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        super.restoreUserActivityState(userActivity)
        restored.append(userActivity.webpageURL?.path ?? "-")
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        log.append("appeared")
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        log.append("memory")
    }

    /// Shows the settings above this page, and takes them away again.
    func visitSettings() {
        let settings = UIViewController()
        settings.modalPresentationStyle = .fullScreen
        present(settings, animated: true) { [weak self] in
            self?.log.append("presented")
            self?.dismiss(animated: true) { self?.log.append("dismissed") }
        }
    }
}
