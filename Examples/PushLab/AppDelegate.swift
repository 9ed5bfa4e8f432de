import Foundation
import JPush
import UIKit
import UserNotifications

/// The app of the guide: permission, token, JPush, notifications in each state, and a line for each callback.
public final class AppDelegate: UIResponder, UIApplicationDelegate {
    public let log = CallbackLog()
    public var window: UIWindow?
    /// As the service gave it; nil until then.
    public private(set) var registrationID: String?
    private var settings = PushLabSettings.main
    private var messages: (any NSObjectProtocol)?

    /// The app in another build than the Info.plist describes.
    public convenience init(settings: PushLabSettings) {
        self.init()
        self.settings = settings
    }

    // MARK: Launch

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let payload = launchOptions?[.remoteNotification] as? [AnyHashable: Any]
        log.add("application(_:didFinishLaunchingWithOptions:)", payload.map(describe) ?? "")
        window = UIWindow()
        window?.rootViewController = UIViewController()
        window?.makeKeyAndVisible()

        let entity = JPUSHRegisterEntity()
        entity.types = Int(JPAuthorizationOptions([.alert, .badge, .sound]).rawValue)
        JPUSHService.register(forRemoteNotificationConfig: entity, delegate: self)
        listenToMessages()
        if let appKey = settings.appKey {
            JPUSHService.setup(
                withOption: launchOptions,
                appKey: appKey,
                channel: "PushLab",
                apsForProduction: settings.isProduction
            )
            JPUSHService.registrationIDCompletionHandler { [weak self] code, id in
                MainActor.assumeIsolated { self?.registered(code: code, id: id) }
            }
        }
        return true
    }

    /// Custom messages come through the app's own connection, and nobody shows them but the app.
    private func listenToMessages() {
        messages = NotificationCenter.default.addObserver(
            forName: .jpfNetworkDidReceiveMessage,
            object: nil,
            queue: nil
        ) { [weak self] note in
            let content = note.userInfo?["content"] as? String ?? ""
            MainActor.assumeIsolated {
                // Several emulated phones may share this process: each app hears its own.
                guard let self, UIApplication.shared.delegate === self else { return }
                self.log.add("jpfNetworkDidReceiveMessage", content)
            }
        }
    }

    private func registered(code: Int32, id: String?) {
        registrationID = id
        log.add("registrationIDCompletionHandler", id ?? "code \(code)")
    }

    // MARK: Life cycle

    public func applicationWillEnterForeground(_ application: UIApplication) {
        log.add("applicationWillEnterForeground(_:)")
    }

    public func applicationDidBecomeActive(_ application: UIApplication) {
        log.add("applicationDidBecomeActive(_:)")
    }

    public func applicationWillResignActive(_ application: UIApplication) {
        log.add("applicationWillResignActive(_:)")
    }

    public func applicationDidEnterBackground(_ application: UIApplication) {
        log.add("applicationDidEnterBackground(_:)")
    }

    public func applicationWillTerminate(_ application: UIApplication) {
        log.add("applicationWillTerminate(_:)")
    }

    // MARK: Token

    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        let digits = deviceToken.map { String(format: "%02x", $0) }.joined()
        log.add("application(_:didRegisterForRemoteNotificationsWithDeviceToken:)", digits)
        JPUSHService.registerDeviceToken(deviceToken)
    }

    public func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        log.add("application(_:didFailToRegisterForRemoteNotificationsWithError:)", error.localizedDescription)
    }

    // MARK: Silent and background pushes

    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        log.add("application(_:didReceiveRemoteNotification:fetchCompletionHandler:)", describe(userInfo))
        JPUSHService.handleRemoteNotification(userInfo)
        completionHandler(.newData)
    }
}

// MARK: Notifications

extension AppDelegate: @preconcurrency JPUSHRegisterDelegate {
    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        log.add("jpushNotificationCenter(_:willPresent:withCompletionHandler:)", notification.request.content.title)
        report(notification)
        completionHandler(Int(UNNotificationPresentationOptions([.banner, .list, .sound, .badge]).rawValue))
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let isRemote = response.notification.request.trigger is UNPushNotificationTrigger
        let title = response.notification.request.content.title
        log.add(
            "jpushNotificationCenter(_:didReceive:withCompletionHandler:)",
            "\(response.actionIdentifier) \(isRemote ? "remote" : "local") \(title)"
        )
        report(response.notification)
        completionHandler()
    }

    /// Tells the service that the push is here, or that the person has opened it; the SDK knows which.
    private func report(_ notification: UNNotification) {
        guard notification.request.trigger is UNPushNotificationTrigger else { return }
        JPUSHService.handleRemoteNotification(notification.request.content.userInfo)
    }

    public func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {
        log.add("jpushNotificationAuthorization(_:withInfo:)", "\(status)")
    }
}

/// The payload's keys, `aps` first: what a log line has room for.
private func describe(_ payload: [AnyHashable: Any]) -> String {
    let keys = payload.keys.compactMap { $0 as? String }.filter { $0 != "aps" }.sorted()
    return (["aps"] + keys).joined(separator: " ")
}
