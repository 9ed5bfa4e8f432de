import UIKit

// Swift 5 mode: one app for iOS 7 to 10, which asks its device what it can.
public class GenerationsApp: UIResponder, UIApplicationDelegate {
    public private(set) var way = ""
    public private(set) var heard: [String] = []
    private var isComingForward = false

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        isComingForward = application.applicationState != .background
        // "9.2.1" is no number: what counts is the part before the first dot.
        let version = Int(UIDevice.current.systemVersion.prefix { $0 != "." }) ?? 0
        if version >= 10 {
            way = "center"
            UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
        } else if version >= 8 {
            way = "settings"
            let types = UIUserNotificationType(rawValue: UIUserNotificationType.alert.rawValue | 3)
            application.registerUserNotificationSettings(UIUserNotificationSettings(types: types, categories: nil))
        } else {
            way = "types"
            application.registerForRemoteNotifications(matching: [.alert, .badge, .sound])
            return true
        }
        application.registerForRemoteNotifications()
        return true
    }

    public func applicationWillEnterForeground(_ application: UIApplication) { isComingForward = true }
    public func applicationDidBecomeActive(_ application: UIApplication) { isComingForward = false }
    public func applicationDidEnterBackground(_ application: UIApplication) { isComingForward = false }

    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        switch application.applicationState {
        case .active: heard.append("in front")
        case .inactive: heard.append(isComingForward ? "tapped" : "in front, covered")
        case .background: heard.append("woken")
        @unknown default: break
        }
        completionHandler(.newData)
    }
}
