// swift-format-ignore-file: NeverForceUnwrap, OmitExplicitReturns, NeverUseImplicitlyUnwrappedOptionals

import JPush
import UIKit
import UserNotifications

// Swift 5 mode, SDK 3 to 5.0: every object of the header is implicitly unwrapped.
public class OldJPushApp: UIResponder, UIApplicationDelegate, JPUSHRegisterDelegate {
    public var window: UIWindow?
    public var shown: [String] = []
    public var opened: [String] = []
    public var statuses: [UInt] = []
    public var registrationID: String?
    let appKey: String? = "0123456789abcdef01234567"

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let entity = JPUSHRegisterEntity()
        entity.types = 1 << 0 | 1 << 1 | 1 << 2
        JPUSHService.register(forRemoteNotificationConfig: entity, delegate: self)
        JPUSHService.setup(
            withOption: launchOptions,
            appKey: appKey,
            channel: "App Store",
            apsForProduction: false,
            advertisingIdentifier: nil
        )
        JPUSHService.registrationIDCompletionHandler { (resCode, registrationID) in
            if resCode == 0 {
                self.registrationID = registrationID!
            } else {
                print("registrationID failed, code:\(resCode)")
            }
        }
        JPUSHService.setLogOFF()
        return true
    }

    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        JPUSHService.registerDeviceToken(deviceToken)
    }

    public func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        JPUSHService.handleRemoteNotification(userInfo)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    ) {
        let userInfo = notification.request.content.userInfo
        if notification.request.trigger is UNPushNotificationTrigger {
            JPUSHService.handleRemoteNotification(userInfo)
        }
        shown.append(notification.request.content.body)
        completionHandler(Int(UNNotificationPresentationOptions.alert.rawValue))
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: (() -> Void)!
    ) {
        let userInfo = response.notification.request.content.userInfo
        if (response.notification.request.trigger?.isKind(of: UNPushNotificationTrigger.self))! {
            JPUSHService.handleRemoteNotification(userInfo)
        }
        opened.append(response.notification.request.content.body)
        completionHandler()
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        openSettingsFor notification: UNNotification?
    ) {
    }

    public func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]!) {
        statuses.append(status.rawValue)
    }

    // Old apps at log-out.
    public func logOut() {
        JPUSHService.setAlias("", callbackSelector: nil, object: nil)
        JPUSHService.setTags([], alias: "") { (code, tags, alias) in
            print("logged out: \(code) \(tags ?? []) \(String(describing: alias))")
        }
        JPUSHService.deleteAlias(nil, seq: 0)
        JPUSHService.cleanTags(
            { (iResCode, iTags, seq) -> Void in
                print("\(iResCode) \(seq)")
            },
            seq: 0
        )
        if let registration = JPUSHService.registrationID(), registration.count > 0 {
            print(registration)
        }
        guard let id = JPUSHService.registrationID() else { return }
        let known: String = JPUSHService.registrationID()
        print(id == known, JPUSHService.registrationID() ?? "", JPUSHService.registrationID()!)
    }
}
