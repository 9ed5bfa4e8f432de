import PosthornTesting
import PushDevice
import Synchronization
import UIKit

/// What the cases of the matrix need of an app: its categories, its badge, its answers.
struct MatrixAppPlan: Sendable {
    var options: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]
    var zeroesBadge = false
    var asksPermission = true
}

/// An app without a delegate of the notification centre; what it is told is written down.
class MatrixApp: UIResponder, UIApplicationDelegate {
    var plan = MatrixAppPlan()
    var launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    var responses: [UNNotificationResponse] = []
    var presented: [UNNotification] = []

    static func make(_ plan: MatrixAppPlan) -> Self {
        let app = Self()
        app.plan = plan
        return app
    }

    func prepare() {}

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        self.launchOptions = launchOptions
        prepare()
        let center = UNUserNotificationCenter.current()
        center.setNotificationCategories(MatrixApp.categories)
        if plan.asksPermission { center.requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in } }
        if plan.zeroesBadge { application.applicationIconBadgeNumber = 0 }
        return true
    }

    static var categories: Set<UNNotificationCategory> {
        let actions = [
            UNNotificationAction(identifier: "later", title: "Later"),
            UNNotificationAction(identifier: "show", title: "Show", options: .foreground),
            UNTextInputNotificationAction(identifier: "answer", title: "Answer", options: []),
        ]
        return [
            UNNotificationCategory(identifier: "quiet", actions: actions, intentIdentifiers: []),
            UNNotificationCategory(
                identifier: "hears",
                actions: actions,
                intentIdentifiers: [],
                options: .customDismissAction
            ),
        ]
    }

    func applicationWillEnterForeground(_ application: UIApplication) {}
    func applicationDidBecomeActive(_ application: UIApplication) {}
    func applicationWillResignActive(_ application: UIApplication) {}
    func applicationDidEnterBackground(_ application: UIApplication) {}

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        completionHandler(.newData)
    }

    /// The details of responses as the matrix writes them.
    var details: [String] {
        responses.map { response in
            switch response.actionIdentifier {
            case UNNotificationDefaultActionIdentifier: "default"
            case UNNotificationDismissActionIdentifier: "dismiss"
            default: response is UNTextInputNotificationResponse ? "action-id+userText" : "action-id"
            }
        }
    }
}

/// An app with a complete delegate of the centre.
final class CompleteMatrixApp: MatrixApp, @preconcurrency UNUserNotificationCenterDelegate {
    override func prepare() { UNUserNotificationCenter.current().delegate = self }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        presented.append(notification)
        completionHandler(plan.options)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        responses.append(response)
        completionHandler()
    }
}

/// A delegate without `willPresent`.
final class HalfMatrixApp: MatrixApp, @preconcurrency UNUserNotificationCenterDelegate {
    override func prepare() { UNUserNotificationCenter.current().delegate = self }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        responses.append(response)
        completionHandler()
    }
}

/// A delegate that never calls the handler of `willPresent`.
final class SilentMatrixApp: MatrixApp, @preconcurrency UNUserNotificationCenterDelegate {
    override func prepare() { UNUserNotificationCenter.current().delegate = self }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {}
}

/// A service extension that changes the title.
final class TitleExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        content.title = "\(content.title) [changed]"
        contentHandler(content)
    }
}

/// A service extension that never calls its handler.
final class SlowExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {}
}
