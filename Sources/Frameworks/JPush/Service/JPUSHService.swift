public import Foundation
import PushModel
import SystemPort
import UIKit

/// The JPush SDK's interface for apps, connected to Posthorn's service.
///
/// The service's URL is in the app's Info.plist, under `PosthornLink`; the app's code needs no change. Class methods
/// only, as in the SDK; each call uses the device of the calling app. Completions run on the main thread.
open class JPUSHService: NSObject {
    /// Starts the SDK: registers the app with the service, or logs in if it was registered before.
    ///
    /// - Parameters:
    ///   - launchOptions: the app delegate's launch options; a notification in them counts as opened.
    ///   - appKey: the app's key at the service; without one nothing starts.
    ///   - channel: free text for statistics.
    ///   - isProduction: how the app was built; must match its signing.
    open class func setup(
        withOption launchOptions: [AnyHashable: Any]!,
        appKey: String!,
        channel: String!,
        apsForProduction isProduction: Bool
    ) {
        let environment: APNSEnvironment = isProduction ? .production : .development
        client.setUp(JPushState.Setup(appKey: appKey ?? "", channel: channel, environment: environment))
        client.noteLaunch(launchOptions)
    }

    /// Starts the SDK as `setup(withOption:appKey:channel:apsForProduction:)` does; Posthorn stores no advertising
    /// identifier.
    open class func setup(
        withOption launchOptions: [AnyHashable: Any]!,
        appKey: String!,
        channel: String!,
        apsForProduction isProduction: Bool,
        advertisingIdentifier: String!
    ) {
        setup(withOption: launchOptions, appKey: appKey, channel: channel, apsForProduction: isProduction)
    }

    /// Starts the SDK as `setup(withOption:appKey:channel:apsForProduction:)` does, with `APP_KEY`, `CHANNEL` and
    /// `APS_FOR_PRODUCTION` of the app's `PushConfig.plist`. An emulated app has that file as the dictionary
    /// `PushConfig` in its Info.plist.
    @available(
        iOS,
        introduced: 4.0,
        deprecated: 10.0,
        message: "Use setup(withOption:appKey:channel:apsForProduction:)."
    )
    open class func setup(withOption launchOptions: [AnyHashable: Any]!) {
        let config = PushConfig.of(CurrentPort.find())
        setup(
            withOption: launchOptions,
            appKey: config.appKey,
            channel: config.channel,
            apsForProduction: config.isProduction
        )
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
        client.setToken(DeviceToken(bytes: deviceToken))
    }

    /// Returns the registration id; empty until the service has assigned one.
    @discardableResult
    open class func registrationID() -> String! { client.registrationID ?? "" }

    /// Calls the handler with 0 and the registration id as soon as it is known, or with the code of the refusal and
    /// nil.
    open class func registrationIDCompletionHandler(_ completionHandler: ((Int32, String?) -> Void)!) {
        guard let completionHandler else { return }
        client.whenRegistered(completionHandler)
    }

    class var client: JPushClient { JPushClient.of(CurrentPort.find()) }
}
