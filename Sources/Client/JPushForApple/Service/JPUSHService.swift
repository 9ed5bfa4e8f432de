#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient
import UIKit
import UserNotifications

#if canImport(ObjectiveC)
@objc(JPUSHService) @objcMembers
#endif
/// The JPush SDK's interface for apps, over a Posthorn service.
///
/// The service's address is in the app's Info.plist, under `PosthornService`, or set by ``setService(_:)``. Class methods only, as in
/// the SDK. Completions run on the main thread.
open class JPUSHService: NSObject {
    /// Sets the address of the service, such as `https://push.example.com`, in place of the Info.plist's. Call it before `setup`.
    /// Posthorn's own addition.
    open class func setService(_ url: URL) { PushCore.shared.setService(url) }

    /// Starts the SDK: registers the device, or reports this start of the app.
    ///
    /// - Parameters:
    ///   - launchOptions: the app delegate's launch options; a notification in them counts as opened.
    ///   - appKey: the app's key at the service.
    ///   - channel: free text for statistics.
    ///   - isProduction: what the app says of its build. The signing decides; a difference is reported as an error.
    open class func setup(
        withOption launchOptions: [AnyHashable: Any]!,
        appKey: String!,
        channel: String!,
        apsForProduction isProduction: Bool
    ) {
        PushCore.shared.setUp(appKey: appKey ?? "", channel: channel, isProduction: isProduction)
        noteLaunch(launchOptions)
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

    /// Asks the user for permission, replaces the app as delegate of the notification centre, and asks the system for a token. Call it
    /// before `setup`.
    ///
    /// - Parameters:
    ///   - config: the permissions and categories to request.
    ///   - delegate: held weakly.
    open class func register(
        forRemoteNotificationConfig config: JPUSHRegisterEntity!,
        delegate: (any JPUSHRegisterDelegate)!
    ) {
        PushCore.shared.delegates.register = delegate
        UNUserNotificationCenter.current().delegate = PushCore.shared.center
        ask(types: UInt(bitPattern: config?.types ?? 0), categories: config?.categories)
    }

    /// Registers as before iOS 10: asks the user for permission, and the system for a token.
    open class func register(forRemoteNotificationTypes types: UInt, categories: Set<AnyHashable>!) {
        ask(types: types, categories: categories)
    }

    private class func ask(types: UInt, categories: Set<AnyHashable>?) {
        let center = UNUserNotificationCenter.current()
        let known = Set((categories ?? []).compactMap { $0.base as? UNNotificationCategory })
        if !known.isEmpty { center.setNotificationCategories(known) }
        center.requestAuthorization(options: UNAuthorizationOptions(rawValue: types)) { _, _ in
            PushCore.shared.reportPermission()
            PushCore.shared.status { PushCore.shared.delegates.notify($0) }
        }
        runOnMain { UIApplication.shared.registerForRemoteNotifications() }
    }

    /// Registers the token from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    open class func registerDeviceToken(_ deviceToken: Data!) {
        guard let deviceToken, !deviceToken.isEmpty else { return }
        PushCore.shared.withClient { $0.setDeviceToken(deviceToken) }
    }

    /// Returns the registration id; empty until the service has assigned one.
    @discardableResult
    open class func registrationID() -> String! { PushCore.shared.registrationID }

    /// Calls the handler with 0 and the registration id as soon as it is known, or with the code of the refusal and nil.
    open class func registrationIDCompletionHandler(_ completionHandler: ((Int32, String?) -> Void)!) {
        let handler = MainCall(completionHandler)
        PushCore.shared.run { result in
            switch result {
            case .failure(let error): handler.call { $0?(Int32(error.code), nil) }
            case .success(let client):
                client.whenRegistered { result in
                    switch result {
                    case .success(let registration): handler.call { $0?(0, registration.id) }
                    case .failure(let error): handler.call { $0?(Int32(error.code), nil) }
                    }
                }
            }
        }
    }

    /// Unregisters the device: the service deletes it. `setup` in a later process registers it anew. Posthorn's own addition.
    open class func unregister(_ completion: (() -> Void)!) {
        let completion = MainCall(completion)
        PushCore.shared.withClient { client in client.unregister { completion.call { $0?() } } }
    }

    /// Asks the service why the user gets nothing: it sends a test push to this device. The completion gets the cause, such as `well` or
    /// `permission`, and a sentence for the user in the device's language. Posthorn's own addition.
    open class func diagnose(_ completion: ((_ cause: String, _ sentence: String) -> Void)!) {
        let completion = MainCall(completion)
        PushCore.shared.run { result in
            switch result {
            case .failure(let error): completion.call { $0?("not_registered", error.message) }
            case .success(let client):
                client.diagnose { result in
                    switch result {
                    case .success(let found): completion.call { $0?(found.cause, found.sentence) }
                    case .failure(let error): completion.call { $0?("unreachable", error.message) }
                    }
                }
            }
        }
    }

    // MARK: Receipts

    /// Reports a push: as opened if the user has opened its notification, otherwise as received. Payloads without `_j_msgid` are not
    /// from the service.
    open class func handleRemoteNotification(_ remoteInfo: [AnyHashable: Any]!) {
        PushCore.shared.report(remoteInfo ?? [:])
    }

    /// Reports a VoIP push as received.
    open class func handleVoipNotification(_ remoteInfo: [AnyHashable: Any]!) {
        PushCore.shared.report(remoteInfo ?? [:])
    }

    private class func noteLaunch(_ options: [AnyHashable: Any]?) {
        let key = UIApplication.LaunchOptionsKey.remoteNotification
        let found = options?[AnyHashable(key)] ?? options?[AnyHashable(key.rawValue)]
        guard let payload = found as? [AnyHashable: Any] else { return }
        let boxed = Boxed(payload)
        // In the background it is the push that woke the app.
        let report: @MainActor @Sendable () -> Void = {
            PushCore.shared.report(boxed.value, isOpened: UIApplication.shared.applicationState != .background)
        }
        if Thread.isMainThread { MainActor.assumeIsolated(report) } else { runOnMain(report) }
    }

    class var client: PushCore { .shared }
}

#endif
