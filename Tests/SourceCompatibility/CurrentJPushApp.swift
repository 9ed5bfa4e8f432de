import JPush
import UIKit
import UserNotifications

// What JPush's own guide for iOS has an app developer write, without what this version has not yet: custom messages and
// `handleRemoteNotification`.
final class CurrentJPushApp: UIResponder, UIApplicationDelegate {

    var window: UIWindow?
    private var observers: [any NSObjectProtocol] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        observers.append(
            NotificationCenter.default.addObserver(forName: .jpfNetworkDidLogin, object: nil, queue: .main) { note in
                print("logged in", JPUSHService.registrationID() ?? "")
            }
        )
        observers.append(
            NotificationCenter.default.addObserver(
                forName: NSNotification.Name(rawValue: "kJPFNetworkDidRegisterNotification"),
                object: nil,
                queue: .main
            ) { note in
                let info = note.userInfo as? [String: String]
                print("registered", info?["RegistrationID"] ?? "")
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
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        print("APNs registration failed:", error)
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler done: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        done(.newData)
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        application.applicationIconBadgeNumber = 0
        JPUSHService.resetBadge()
    }

    func logIn(_ name: String?) {
        JPUSHService.setAlias(name, completion: { code, alias, seq in print(code, alias ?? "", seq) }, seq: 1)
        JPUSHService.setTags(["news", "sport"], completion: nil, seq: 2)
        JPUSHService.setBadge(3)
        if let id = JPUSHService.registrationID() { print(id) }
        let id: String = JPUSHService.registrationID()
        print(id.count)
    }
}

extension CurrentJPushApp: @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler show: @escaping (Int) -> Void
    ) {
        if notification.request.trigger?.isKind(of: UNPushNotificationTrigger.self) == true { print("remote") }
        show(Int(UNNotificationPresentationOptions([.banner, .sound, .badge]).rawValue))
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler done: @escaping () -> Void
    ) {
        done()
    }

    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {
        if status == .statusDenied { print("notifications are off") }
    }
}
