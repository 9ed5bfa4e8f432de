// swift-format-ignore-file: NeverForceUnwrap, OmitExplicitReturns, NeverUseImplicitlyUnwrappedOptionals

import JPush
import UIKit
import UserNotifications

// Swift 5 mode: an app that still runs on iOS 7 and 8, by branches.
public class BranchingJPushApp: UIResponder, UIApplicationDelegate {
    public var reported = 0

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if (UIDevice.current.systemVersion as NSString).floatValue >= 8.0 {
            let types =
                UIUserNotificationType.badge.rawValue | UIUserNotificationType.sound.rawValue
                | UIUserNotificationType.alert.rawValue
            JPUSHService.register(forRemoteNotificationTypes: types, categories: nil)
        } else {
            let types =
                UIRemoteNotificationType.badge.rawValue | UIRemoteNotificationType.sound.rawValue
                | UIRemoteNotificationType.alert.rawValue
            JPUSHService.register(forRemoteNotificationTypes: types, categories: nil)
        }
        JPUSHService.setup(withOption: launchOptions)
        JPUSHService.crashLogON()
        return true
    }

    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        JPUSHService.registerDeviceToken(deviceToken)
    }

    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        JPUSHService.handleRemoteNotification(userInfo)
        reported += 1
        completionHandler(UIBackgroundFetchResult.newData)
    }

    public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        JPUSHService.showLocalNotification(atFront: notification, identifierKey: nil)
    }

    public func applicationWillEnterForeground(_ application: UIApplication) {
        application.applicationIconBadgeNumber = 0
        application.cancelAllJPush()
    }

    public func remind(_ key: String, at date: Date) -> Bool {
        let notification = JPUSHService.setLocalNotification(
            date,
            alertBody: "Reminder",
            badge: 1,
            alertAction: "Open",
            identifierKey: key,
            userInfo: nil,
            soundName: nil
        )
        return notification != nil
    }

    public func reminders(_ key: String) -> Int {
        return JPUSHService.findLocalNotification(withIdentifier: key).count
    }

    func label(_ tags: Set<String>, _ alias: String) {
        JPUSHService.setTags(tags, aliasInbackground: alias)
        JPUSHService.setTags(tags, alias: alias, callbackSelector: nil, object: self)
        JPUSHService.setTags(tags, callbackSelector: nil, object: self)
        JPUSHService.setTags(
            nil,
            alias: alias,
            fetchCompletionHandle: { (code: Int32, tags: Set<AnyHashable>?, alias: String?) in
                print(code)
            }
        )
    }
}

extension UIApplication {
    func cancelAllJPush() { JPUSHService.clearAllLocalNotifications() }
}

extension JPUSHService {
    static func report(_ userInfo: [AnyHashable: Any]?) { handleRemoteNotification(userInfo) }
}
