public import Foundation
import PushModel
import SystemPort
import UIKit

/// The JPush SDK as an app sees it, against a service of Posthorn's.
///
/// Where the service answers is said in the app's Info.plist, under `PosthornLink`; the app's code needs no change.
/// Class methods only, as in the SDK; each call finds the device of the app that makes it. Completions run on the main
/// thread.
open class JPUSHService: NSObject {
    /// Starts the SDK: registers the app with the service, or logs in if it was registered before.
    ///
    /// - Parameters:
    ///   - launchOptions: as they came to the app delegate; a notification in them counts as opened.
    ///   - appKey: the app's key at the service; without one nothing starts.
    ///   - channel: free text for statistics.
    ///   - isProduction: how the app was built; must agree with its signing.
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

    /// As `setup(withOption:appKey:channel:apsForProduction:)`; Posthorn keeps no advertising identifier.
    open class func setup(
        withOption launchOptions: [AnyHashable: Any]!,
        appKey: String!,
        channel: String!,
        apsForProduction isProduction: Bool,
        advertisingIdentifier: String!
    ) {
        setup(withOption: launchOptions, appKey: appKey, channel: channel, apsForProduction: isProduction)
    }

    /// As `setup(withOption:appKey:channel:apsForProduction:)`, with `APP_KEY`, `CHANNEL` and `APS_FOR_PRODUCTION` of
    /// the app's `PushConfig.plist`. An emulated app carries that file as the dictionary `PushConfig` of its Info.plist.
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

    /// Asks the person for permission, becomes the delegate of the notification centre in the place of the app, and asks
    /// the system for a token. Call it before `setup`.
    ///
    /// - Parameters:
    ///   - config: what to ask for.
    ///   - delegate: held weakly.
    open class func register(
        forRemoteNotificationConfig config: JPUSHRegisterEntity!,
        delegate: (any JPUSHRegisterDelegate)!
    ) {
        client.register(config?.types ?? 0, config?.categories, delegate: delegate)
    }

    /// As before iOS 10: asks the person for permission, and the system for a token. The app hears of notifications
    /// through its own delegate.
    ///
    /// - Parameters:
    ///   - types: the bits of `UIUserNotificationType`; on iOS 7 those of `UIRemoteNotificationType`.
    ///   - categories: `UIUserNotificationCategory` objects on iOS 8 and 9, `UNNotificationCategory` objects from iOS 10
    ///     on; others are passed over. On iOS 7 nil.
    open class func register(forRemoteNotificationTypes types: UInt, categories: Set<AnyHashable>!) {
        client.register(Int(bitPattern: types), categories)
    }

    /// The token from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    open class func registerDeviceToken(_ deviceToken: Data!) {
        guard let deviceToken, !deviceToken.isEmpty else { return }
        client.setToken(DeviceToken(bytes: deviceToken))
    }

    /// The registration id; empty until the service has given one.
    @discardableResult
    open class func registrationID() -> String! { client.registrationID ?? "" }

    /// Called with 0 and the registration id as soon as it is known, or with the code of the refusal and nil.
    open class func registrationIDCompletionHandler(_ completionHandler: ((Int32, String?) -> Void)!) {
        guard let completionHandler else { return }
        client.whenRegistered(completionHandler)
    }

    class var client: JPushClient { JPushClient.of(CurrentPort.find()) }
}
