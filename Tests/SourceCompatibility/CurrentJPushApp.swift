import JPush
import UIKit
import UserNotifications

// What JPush's own guide for iOS has an app developer write today.
final class CurrentJPushApp: UIResponder, UIApplicationDelegate {

    private var observers: [NSObjectProtocol] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        observers.append(
            NotificationCenter.default.addObserver(
                forName: .jpfNetworkDidReceiveMessage,
                object: nil,
                queue: .main
            ) { note in
                let text = note.userInfo?["content"] as? String ?? ""
                let extras = note.userInfo?["extras"] as? [String: Any] ?? [:]
                print("custom message", text, extras)
            }
        )

        let wanted: JPAuthorizationOptions = [.alert, .badge, .sound]
        let entity = JPUSHRegisterEntity()
        entity.types = Int(wanted.rawValue)
        JPUSHService.register(forRemoteNotificationConfig: entity, delegate: self)

        #if DEBUG
        let production = false
        #else
        let production = true
        #endif
        JPUSHService.setup(
            withOption: launchOptions,
            appKey: "YOUR_APP_KEY",
            channel: "App Store",
            apsForProduction: production
        )

        JPUSHService.registrationIDCompletionHandler { code, id in
            print(code == 0 ? "registered \(id ?? "")" : "no registration id, code \(code)")
        }
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        JPUSHService.registerDeviceToken(deviceToken)
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: Error
    ) {
        print("APNs registration failed:", error)
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler done: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        JPUSHService.handleRemoteNotification(userInfo)
        done(.newData)
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        application.applicationIconBadgeNumber = 0  // local icon
        JPUSHService.resetBadge()  // server-side counter
    }

    func logIn(_ name: String?) {
        JPUSHService.setAlias(name, completion: { code, alias, seq in print(code, alias ?? "", seq) }, seq: 1)
        JPUSHService.setTags(["news", "sport"], completion: nil, seq: 2)
        JPUSHService.setBadge(3)
        if let id = JPUSHService.registrationID() { print(id) }
        let id: String = JPUSHService.registrationID()
        print(id.count)
    }

    /// With what the app's backend has answered to the registration id.
    func logIn(_ user: ProvedUser) {
        JPUSHService.setAlias(user.alias, proof: user.proof, completion: { code, _, _ in print(code) }, seq: 3)
        JPUSHService.addTags(["role=seller"], proofs: ["role=seller": user.roleProof], completion: nil, seq: 4)
    }
}

/// A user whom the backend knows, with the proofs for this device.
struct ProvedUser {
    var alias: String
    var proof: String
    var roleProof: String
}

extension CurrentJPushApp: @preconcurrency JPUSHRegisterDelegate {
    private func report(_ notification: UNNotification) {
        guard notification.request.trigger is UNPushNotificationTrigger else { return }
        JPUSHService.handleRemoteNotification(notification.request.content.userInfo)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler show: @escaping (Int) -> Void
    ) {
        report(notification)
        show(Int(UNNotificationPresentationOptions([.banner, .sound, .badge]).rawValue))
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler done: @escaping () -> Void
    ) {
        report(response.notification)
        done()
    }

    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification) {}

    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {
        if status == .statusDenied { print("notifications are off") }
    }
}
