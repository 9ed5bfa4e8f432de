import UIKit

// Silent pushes: a background task around the work, the badge, the app's state.
class SyncApp: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var synced = 0
    private var task: UIBackgroundTaskIdentifier = .invalid

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = UIViewController()
        window?.backgroundColor = .white
        window?.makeKeyAndVisible()
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        task = application.beginBackgroundTask { [weak self] in self?.finish(application) }
        defer { finish(application) }
        guard application.backgroundRefreshStatus == .available,
            let aps = userInfo["aps"] as? [String: Any], (aps["content-available"] as? NSNumber)?.intValue == 1
        else { return completionHandler(.noData) }
        synced += 1
        completionHandler(.newData)
    }

    private func finish(_ application: UIApplication) {
        application.endBackgroundTask(task)
        task = .invalid
    }
}
