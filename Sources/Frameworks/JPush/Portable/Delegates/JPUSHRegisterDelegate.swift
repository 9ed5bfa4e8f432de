#if os(Linux) && canImport(UIKit) && !canImport(ObjectiveC)

public import Foundation
public import UserNotifications

/// Receives notifications instead of the centre's own delegate. Every method is optional.
///
/// Apps of two SDK generations are in use: each method may be written with or without `!` on each parameter, with a
/// handler or `async`. Each of these spellings is a separate requirement, so each is found and called; those that
/// differ only by `?` and `!` are in two protocols, as one cannot have both. A spelling that is not listed (`?` instead
/// of the `!` of an arriving notification, or of a response) compiles but is never called.
///
/// Source: JPush iOS SDK headers 2.1.9 to 6.0.0 through the Swift importer; nullability changed at 5.2.0.
@preconcurrency public protocol JPUSHRegisterDelegate: JPUSHImplicitSpellings, JPUSHOptionalSpellings {
    /// A notification arrives in the foreground. The app answers with the raw bits of `UNNotificationPresentationOptions`; nothing
    /// is shown unless it does. Each of the others is a further spelling of it.
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> Int

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!
    ) async -> Int

    /// The user acted on a notification. The app calls the handler, or returns, when it is done. Each of the others is a further
    /// spelling of it.
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: @escaping () -> Void
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: @escaping () -> Void
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: (() -> Void)!
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: (() -> Void)!
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: (() -> Void)!
    )

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: (() -> Void)!
    )

    func jpushNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!
    ) async

    // Like the method in JPUSHOptionalSpellings and JPUSHImplicitSpellings, for delegates that cannot take nil: they
    // get an empty notification instead.
    /// The user opens the app's own settings from a notification.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification)

    /// The user opens the app's own settings from a notification; the spelling with an implicitly unwrapped type.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification)
}

/// The methods of ``JPUSHRegisterDelegate`` that may be written with `?`.
@preconcurrency public protocol JPUSHOptionalSpellings: NSObjectProtocol {
    /// The user's answer to the prompt of ``JPUSHService/register(forRemoteNotificationConfig:delegate:)``.
    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?)

    /// The user opens the app's own settings; from the system's settings there is no notification.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)

    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification?)
}

/// The methods of ``JPUSHRegisterDelegate`` that may be written with `!`.
@preconcurrency public protocol JPUSHImplicitSpellings: NSObjectProtocol {
    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]!)

    /// The same method of ``JPUSHRegisterDelegate``, with an implicitly unwrapped type.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification!)

    /// The same method of ``JPUSHRegisterDelegate``, with implicitly unwrapped types.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification!)
}

#endif
