#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation
import UIKit

#if canImport(ObjectiveC)
@objc(JPUSHService) @objcMembers
#endif
/// The JPush SDK's interface for apps, over a Posthorn service.
///
/// The service's address is in the app's Info.plist under `PosthornService`; that of its SDK link under `PosthornLink` is enough on an
/// emulated phone. The app's code needs no change. Class methods only, as in the SDK; each call uses the
/// device of the calling app. Completions run on the main thread.
open class JPUSHService: NSObject {
    /// Starts the SDK: registers the app with the service, or logs in if it was registered before.
    ///
    /// - Parameters:
    ///   - launchOptions: the app delegate's launch options; a notification in them counts as opened.
    ///   - appKey: the app's key at the service; without one nothing starts.
    ///   - channel: free text for statistics.
    ///   - isProduction: what the app says of its build. A difference from its signing is reported as an error.
    open class func setup(
        withOption launchOptions: [AnyHashable: Any]!,
        appKey: String!,
        channel: String!,
        apsForProduction isProduction: Bool
    ) {
        client.setUp(appKey: appKey ?? "", channel: channel, isProduction: isProduction)
        let key = UIApplication.LaunchOptionsKey.remoteNotification
        let found = launchOptions?[AnyHashable(key)] ?? launchOptions?[AnyHashable(key.rawValue)]
        if let payload = found as? [AnyHashable: Any] { client.noteLaunch(payload) }
    }

    /// Starts the SDK as `setup(withOption:appKey:channel:apsForProduction:)` does; no advertising identifier is stored.
    open class func setup(
        withOption launchOptions: [AnyHashable: Any]!,
        appKey: String!,
        channel: String!,
        apsForProduction isProduction: Bool,
        advertisingIdentifier: String!
    ) {
        setup(withOption: launchOptions, appKey: appKey, channel: channel, apsForProduction: isProduction)
    }

    /// Asks the user for permission, replaces the app as delegate of the notification centre, and asks the system for a
    /// token. Call it before `setup`.
    ///
    /// - Parameters:
    ///   - config: the permissions and categories to request.
    ///   - delegate: held weakly.
    open class func register(
        forRemoteNotificationConfig config: JPUSHRegisterEntity!,
        delegate: (any JPUSHRegisterDelegate)!
    ) {
        client.register(config?.types ?? 0, config?.categories, delegate: delegate)
    }

    /// Registers as before iOS 10: asks the user for permission, and the system for a token. The app receives
    /// notifications through its own delegate.
    ///
    /// - Parameters:
    ///   - types: the bits of `UIUserNotificationType`; on iOS 7 those of `UIRemoteNotificationType`.
    ///   - categories: `UIUserNotificationCategory` objects, from iOS 10 on `UNNotificationCategory` objects too; others are
    ///     ignored. Nil on iOS 7.
    open class func register(forRemoteNotificationTypes types: UInt, categories: Set<AnyHashable>!) {
        client.register(Int(bitPattern: types), categories)
    }

    /// Registers the token from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    open class func registerDeviceToken(_ deviceToken: Data!) {
        guard let deviceToken, !deviceToken.isEmpty else { return }
        client.setToken(deviceToken)
    }

    /// Returns the registration id; empty until the service has assigned one.
    @discardableResult
    open class func registrationID() -> String! { client.registrationID ?? "" }

    /// Calls the handler with 0 and the registration id as soon as it is known, or with the code of the refusal and
    /// nil.
    open class func registrationIDCompletionHandler(_ completionHandler: ((Int32, String?) -> Void)!) {
        if let completionHandler { client.whenRegistered(completionHandler) }
    }

    // MARK: Receipts

    /// Reports that the app has received a push, or that the user has opened it: before the user acts on its
    /// notification it counts as received, afterwards as opened.
    ///
    /// Counted once for each push and event, however many callbacks carry it. A payload without `_j_msgid` is not from
    /// the service.
    open class func handleRemoteNotification(_ remoteInfo: [AnyHashable: Any]!) { client.report(remoteInfo ?? [:]) }

    /// Reports that the app has received a VoIP push.
    open class func handleVoipNotification(_ remoteInfo: [AnyHashable: Any]!) {
        client.report(remoteInfo ?? [:], isVoIP: true)
    }

    class var client: PushCore { .current }
}

extension JPUSHService {
    // MARK: Local notifications

    /// Schedules a local notification, replacing one with the same identifier, or shows it at once.
    public class func addNotification(_ request: JPushNotificationRequest!) {
        if let request { client.local.add(request) }
    }

    /// Removes the pending or delivered notifications that the identifier selects; nil removes all of both.
    public class func removeNotification(_ identifier: JPushNotificationIdentifier!) { client.local.remove(identifier) }

    /// Calls the identifier's handler with the pending or delivered notifications.
    public class func findNotification(_ identifier: JPushNotificationIdentifier!) {
        guard let identifier else { return }
        guard let handler = identifier.findCompletionHandler else {
            return client.warn("findNotification needs a findCompletionHandler.")
        }
        client.local.find(identifier, handler)
    }

    // MARK: The link

    /// Sets whether custom messages arrive in the background too, while the app runs there; call it before `setup`.
    public class func setBackgroundEnable(_ enable: Bool) { client.stayInBackground(enable) }

    /// Sets the heartbeat interval of the link, 30 to 290 seconds; call it before `setup`. It applies to links opened from now
    /// on. Without it the app only answers the service's pings, sent every 30 seconds, which it does in any case.
    public class func setHeartBeatTimeInterval(_ interval: Int) { client.setHeartbeat(interval) }

    // MARK: The log

    /// Logs everything.
    public class func setDebugMode() { client.setLog(isQuiet: false) }

    /// Logs warnings and errors only.
    public class func setLogOFF() { client.setLog(isQuiet: true) }

    // MARK: In-app messages

    // Notifications of pushes with `inapp_message`, shown by the SDK while the user has disabled notifications. On Apple's systems
    // the SDK shows none, and calls no delegate for them.

    /// Enters a page: in-app messages are shown from now on, including those that arrived before.
    public class func pageEnter(to pageName: String!) { client.enter(page: pageName ?? "") }

    /// Leaves a page: unless another one was entered, the visible message disappears, and the next waits for a page.
    public class func pageLeave(_ pageName: String!) { client.leave(page: pageName ?? "") }

    /// Sets a delegate for in-app messages, as `setNotiInMessageDelegate` does: called once each is shown, and when it
    /// is tapped.
    ///
    /// - Parameter delegate: held weakly.
    public class func setInAppMessageDelegate(_ delegate: (any JPUSHInAppMessageDelegate)!) {
        client.delegates.inApp = delegate
        client.review(delegate)
    }

    /// - Parameter delegate: held weakly.
    public class func setNotiInMessageDelegate(_ delegate: (any JPUSHNotiInMessageDelegate)!) {
        client.delegates.notiInApp = delegate
        client.review(delegate)
    }
}

#endif
