import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit

extension InstalledApp {
    static let lab = InstalledApp(bundleID: "com.example.lab", name: "Lab")
    static let deaf = InstalledApp(bundleID: "com.example.lab", name: "Lab", backgroundModes: [])
}

/// An app with every life-cycle method and the fetch method.
class PlainApp: UIResponder, UIApplicationDelegate {
    var states: [UIApplication.State] = []
    var tokens: [Data] = []
    var fetchHandler: ((UIBackgroundFetchResult) -> Void)?
    var holdsFetch: Bool { false }
    var asksForToken: Bool { false }

    private func isAtLeast(_ version: String) -> Bool {
        UIDevice.current.systemVersion.compare(version, options: .numeric) != .orderedAscending
    }

    /// Called where the system has the notification centre.
    func prepare() {}

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        states.append(application.applicationState)
        if isAtLeast("10.0") {
            prepare()
            UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
        } else if isAtLeast("8.0") {
            let types: UIUserNotificationType = [.alert, .badge, .sound]
            application.registerUserNotificationSettings(UIUserNotificationSettings(types: types, categories: nil))
        }
        if asksForToken { application.registerForRemoteNotifications() }
        return true
    }

    func applicationWillEnterForeground(_ application: UIApplication) { states.append(application.applicationState) }
    func applicationDidBecomeActive(_ application: UIApplication) { states.append(application.applicationState) }
    func applicationWillResignActive(_ application: UIApplication) { states.append(application.applicationState) }
    func applicationDidEnterBackground(_ application: UIApplication) { states.append(application.applicationState) }
    func applicationWillTerminate(_ application: UIApplication) { states.append(application.applicationState) }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        tokens.append(deviceToken)
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        states.append(application.applicationState)
        if holdsFetch { fetchHandler = completionHandler } else { completionHandler(.newData) }
    }
}

/// A plain app that keeps its fetch handler.
final class SlowApp: PlainApp {
    override var holdsFetch: Bool { true }
}

/// A plain app that wants a token.
final class TokenApp: PlainApp {
    override var asksForToken: Bool { true }
}

/// A plain app that is its notification centre's delegate.
final class RecordingApp: PlainApp, @preconcurrency UNUserNotificationCenterDelegate {
    var options: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]
    var responses: [UNNotificationResponse] = []
    var presented: [UNNotification] = []

    override func prepare() { UNUserNotificationCenter.current().delegate = self }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        presented.append(notification)
        completionHandler(options)
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
final class HalfApp: PlainApp, UNUserNotificationCenterDelegate {
    override func prepare() { UNUserNotificationCenter.current().delegate = self }

    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
    }
}

extension JSONValue {
    static let alert: JSONValue = ["aps": ["alert": ["title": "Hi", "body": "there"], "sound": "default", "badge": 1]]
    static let alertAndContent: JSONValue = [
        "aps": ["alert": ["title": "Hi", "body": "there"], "content-available": 1]
    ]
    static let silent: JSONValue = ["aps": ["content-available": 1], "n": 7]
}

extension Device {
    /// The methods of the app that ran from the happening with this number on, as `name@state`.
    func callbacks(from start: Int = 0) -> [String] {
        recentDeviceEvents.dropFirst(start).compactMap { deviceEvent in
            if case .callback(let name, let state, _) = deviceEvent.kind { "\(name)@\(state.rawValue)" } else { nil }
        }
    }
}
