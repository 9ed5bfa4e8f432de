public import Foundation
public import UserNotifications

/// Hears of notifications instead of the centre's own delegate. Every method is optional.
///
/// Apps of two SDK generations live on: each method may be written with or without `!` on each parameter, with a
/// handler or `async`. All these spellings are requirements of their own, so each is found and called. One that is not
/// listed (`?` in the place of `!`) compiles and is never called.
///
/// Source: JPush iOS SDK headers 2.1.9 to 6.0.0 through the Swift importer; nullability changed at 5.2.0.
@preconcurrency public protocol JPUSHRegisterDelegate: NSObjectProtocol {
    /// The answer to ``JPUSHService/register(forRemoteNotificationConfig:delegate:)``'s question to the person.
    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?)

    // A notification arrives while the app is in front. The handler takes the raw presentation options; nothing is
    // shown unless it is called.
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

    // The person acted on a notification.
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

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!
    ) async
}
