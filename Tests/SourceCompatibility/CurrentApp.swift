import UIKit

// An app without JPush, as a developer writes it: `import UIKit` alone brings Foundation and UserNotifications.
final class CurrentApp: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {

    var window: UIWindow?
    private let center = UNUserNotificationCenter.current()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        center.delegate = self
        center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, error in
            if let error { print(error.localizedDescription) }
            guard granted else { return }
            DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() }
        }
        let later = UNNotificationAction(identifier: "later", title: "Later", options: [.authenticationRequired])
        let category = UNNotificationCategory(
            identifier: "news",
            actions: [later],
            intentIdentifiers: [],
            options: .customDismissAction
        )
        center.setNotificationCategories([category])
        if let payload = launchOptions?[.remoteNotification] as? [String: AnyObject], let aps = payload["aps"] {
            print(aps)
        }
        if UIDevice.current.systemVersion.compare("10.0", options: .numeric) == .orderedDescending {
            window = UIWindow()
            window?.rootViewController = UIViewController()
            window?.makeKeyAndVisible()
        }
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        print(deviceToken.map { String(format: "%02.2hhx", $0) }.joined())
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        guard let aps = userInfo["aps"] as? [String: Any], aps["content-available"] as? Int == 1 else { return .noData }
        return .newData
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        notification.request.content.badge == 0 ? [] : [.banner, .list]
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        switch response.actionIdentifier {
        case UNNotificationDefaultActionIdentifier: print("opened")
        case UNNotificationDismissActionIdentifier: print("cleared")
        default: print(response.actionIdentifier)
        }
        completionHandler()
    }

    func refresh() async throws {
        let settings = await center.notificationSettings()
        guard settings.authorizationStatus == .authorized, settings.badgeSetting == .enabled else { return }
        do { try await center.setBadgeCount(0) } catch UNError.badgeInputInvalid { print("never") }
        for notification in await center.deliveredNotifications() where notification.date < Date.distantPast {
            center.removeDeliveredNotifications(withIdentifiers: [notification.request.identifier])
        }
    }
}

/// The mirror of the centre that apps write for their own tests.
protocol Notifying {
    func requestAuthorization(
        options: UNAuthorizationOptions,
        completionHandler: @escaping (Bool, (any Error)?) -> Void
    )
    func setBadgeCount(_ newBadgeCount: Int, withCompletionHandler completionHandler: (((any Error)?) -> Void)?)
}

extension UNUserNotificationCenter: Notifying {}
