// swift-format-ignore-file: NeverForceUnwrap, OmitExplicitReturns, NeverUseImplicitlyUnwrappedOptionals

import CoreLocation
import JPush
import UIKit
import UserNotifications

// Swift 5 mode, as the SDK's own sample writes: masks of NSInteger, entities, handlers without @escaping.
public class VendorStyleApp: UIResponder, UIApplicationDelegate {
    public var shown: [String] = []
    public var found: [String] = []
    var seq = 0

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let entity = JPUSHRegisterEntity()
        entity.types =
            NSInteger(UNAuthorizationOptions.alert.rawValue) | NSInteger(UNAuthorizationOptions.sound.rawValue)
            | NSInteger(UNAuthorizationOptions.badge.rawValue)
        JPUSHService.register(forRemoteNotificationConfig: entity, delegate: self)
        JPUSHService.setup(
            withOption: launchOptions,
            appKey: "4fcc3e237eec4c4fb804ad49",
            channel: "channel",
            apsForProduction: false
        )
        let center = NotificationCenter.default
        _ = center.addObserver(forName: NSNotification.Name.jpfNetworkDidSetup, object: nil, queue: nil) { _ in
            print("setup")
        }
        _ = center.addObserver(forName: NSNotification.Name.jpfNetworkDidClose, object: nil, queue: nil) { _ in
            print("close")
        }
        _ = center.addObserver(forName: NSNotification.Name.jpfServiceError, object: nil, queue: nil) { notification in
            let userInfo = notification.userInfo as! [String: String]
            print("error", userInfo["error"] ?? "")
        }
        return true
    }

    func next() -> Int {
        seq += 1
        return seq
    }

    public func remind(_ identifier: String, in seconds: TimeInterval) {
        let content = JPushNotificationContent()
        content.body = identifier
        content.badge = NSNumber(value: 2)
        content.categoryIdentifier = "Custom Category Name"
        content.userInfo = ["key": "value"]
        let trigger = JPushNotificationTrigger()
        trigger.timeInterval = seconds
        trigger.repeat = false
        let request = JPushNotificationRequest()
        request.requestIdentifier = identifier
        request.content = content
        request.trigger = trigger
        request.completionHandler = { result in
            print(result == nil ? "failed" : "added \(result!)")
        }
        JPUSHService.addNotification(request)
    }

    public func list() {
        let identifier = JPushNotificationIdentifier()
        identifier.identifiers = nil
        identifier.delivered = false
        identifier.findCompletionHandler = { results in
            if (results?.count ?? 0) == 0 { print("none") }
            for request in results as? [UNNotificationRequest] ?? [] { self.found.append(request.identifier) }
        }
        JPUSHService.findNotification(identifier)
    }

    public func remove(_ names: [String]?) {
        guard let names = names else { return JPUSHService.removeNotification(nil) }
        let identifier = JPushNotificationIdentifier()
        identifier.identifiers = names
        identifier.delivered = true
        JPUSHService.removeNotification(identifier)
    }

    func labels(_ tags: Set<String>) {
        JPUSHService.addTags(
            tags,
            completion: { (iResCode, iTags, seq) in
                print("\(iResCode) \(String(describing: iTags)) \(seq)")
            },
            seq: next()
        )
        JPUSHService.validTag(
            tags.first ?? "",
            completion: { (iResCode, iTags, seq, isBind) in
                print(iResCode, isBind)
            },
            seq: next()
        )
        let valid = JPUSHService.filterValidTags(tags) as! Set<String>
        JPUSHService.setTags(valid, completion: nil, seq: next())
        JPUSHService.setMobileNumber("12345678901") { (error) in
            if error == nil { print("bound") } else { print((error! as NSError).code) }
        }
        JPUSHService.setProperties(
            ["age": 3, "name": "x"],
            completion: { (code, properties, seq) in print(code) },
            seq: next()
        )
        JPUSHService.pageEnter(to: "Main")
        JPUSHService.pageLeave("Main")
        JPUSHService.setLatitude(22.5, longitude: 113.9)
        JPUSHService.setLocation(CLLocation(latitude: 22.5, longitude: 113.9))
        JPUSHService.openSettings { ok in print(ok) }
        JPUSHService.requestNotificationAuthorization { status in print(status == .statusAuthorized) }
        JPUSHService.setBadge(0)
    }
}

extension VendorStyleApp: JPUSHRegisterDelegate {
    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: ((Int) -> Void)
    ) {
        shown.append(notification.request.content.body)
        completionHandler(
            Int(UNNotificationPresentationOptions.sound.rawValue | UNNotificationPresentationOptions.alert.rawValue)
        )
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: () -> Void
    ) {
        JPUSHService.handleRemoteNotification(response.notification.request.content.userInfo)
        completionHandler()
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification
    ) {
    }

    public func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {
        print("authorization \(status)")
    }
}

extension VendorStyleApp: JPUSHInAppMessageDelegate, JPUSHGeofenceDelegate {
    public func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage) { print(inAppMessage.mesageId ?? "") }
    public func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage) { print(inAppMessage.title ?? "") }
    public func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]?, error: Error?) { print(geofence ?? [:]) }
    public func jpushCallbackGeofenceReceived(_ geofenceList: [[AnyHashable: Any]]?) { print(geofenceList ?? []) }
    public func jpushGeofenceIdentifer(
        _ geofenceId: String,
        didEnterRegion userInfo: [AnyHashable: Any]?,
        error: Error?
    ) {}
    public func jpushGeofenceIdentifer(_ geofenceId: String, didExitRegion userInfo: [AnyHashable: Any]?, error: Error?)
    {}
}
