#if os(iOS) && canImport(ObjectiveC)

import Foundation
import UserNotifications

/// Receives notifications in place of the notification centre's delegate. Every method is optional.
@objc(JPUSHRegisterDelegate)
public protocol JPUSHRegisterDelegate: NSObjectProtocol {
    /// A notification arrives in front. The handler takes the raw bits of `UNNotificationPresentationOptions`.
    @objc(jpushNotificationCenter:willPresentNotification:withCompletionHandler:)
    optional func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    )

    /// The user acted on a notification.
    @objc(jpushNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:)
    optional func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    )

    /// The user opens the app's own settings from a notification.
    @objc(jpushNotificationCenter:openSettingsForNotification:)
    optional func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification
    )

    /// The user's answer to the prompt.
    @objc(jpushNotificationAuthorization:withInfo:)
    optional func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?)
}

/// Receives events about in-app messages. This layer shows none, so none of them is called.
@objc(JPUSHInAppMessageDelegate)
public protocol JPUSHInAppMessageDelegate: NSObjectProtocol {
    /// An in-app message is on the screen.
    @objc(jPushInAppMessageDidShow:)
    optional func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage)
    /// The user tapped an in-app message.
    @objc(jPushInAppMessageDidClick:)
    optional func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage)
}

/// Receives events about banners that the SDK shows. This layer shows none, so none of them is called.
@objc(JPUSHNotiInMessageDelegate)
public protocol JPUSHNotiInMessageDelegate: NSObjectProtocol {
    /// A banner is on the screen.
    @objc(jPushNotiInMessageDidShowWithContent:)
    optional func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any])
    /// The user tapped a banner.
    @objc(jPushNotiInMessageDidClickWithContent:)
    optional func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any])
}

/// Receives events about geofences, of which the service has none.
@objc(JPUSHGeofenceDelegate)
public protocol JPUSHGeofenceDelegate: NSObjectProtocol {
    /// An operation on a geofence failed, with code 7001: its id is not known.
    @objc(jpushGeofenceRegion:error:)
    optional func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]?, error: (any Error)?)
    /// The geofences of the service. Never called.
    @objc(jpushCallbackGeofenceReceived:)
    optional func jpushCallbackGeofenceReceived(_ geofenceList: [[AnyHashable: Any]]?)
    /// A fence was entered, by the spelling before SDK 3.6. Never called.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use jpushGeofenceRegion(_:error:).")
    @objc(jpushGeofenceIdentifer:didEnterRegion:error:)
    optional func jpushGeofenceIdentifer(
        _ geofenceId: String,
        didEnterRegion userInfo: [AnyHashable: Any]?,
        error: (any Error)?
    )
    /// A fence was left, by the spelling before SDK 3.6. Never called.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use jpushGeofenceRegion(_:error:).")
    @objc(jpushGeofenceIdentifer:didExitRegion:error:)
    optional func jpushGeofenceIdentifer(
        _ geofenceId: String,
        didExitRegion userInfo: [AnyHashable: Any]?,
        error: (any Error)?
    )
}

#endif
