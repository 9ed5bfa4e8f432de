import Foundation
public import UserNotifications

/// Hears of notifications instead of the centre's own delegate. Every method is optional.
///
/// Apps of two SDK generations live on: each method may be written with or without `!` on each parameter, with a
/// handler or `async`. All these spellings are requirements of their own, so each is found and called; those that differ
/// by `?` and `!` alone stand in two protocols, for one cannot have both. One that is not listed (`?` in the place of
/// the `!` of a notification that comes, or of a response) compiles and is never called.
///
/// Source: JPush iOS SDK headers 2.1.9 to 6.0.0 through the Swift importer; nullability changed at 5.2.0.
@preconcurrency public protocol JPUSHRegisterDelegate: JPUSHImplicitSpellings, JPUSHOptionalSpellings {
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

    // As JPUSHOptionalSpellings' and JPUSHImplicitSpellings', for who cannot take nil: an empty notification stands in
    // its place.
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification)

    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification)
}
