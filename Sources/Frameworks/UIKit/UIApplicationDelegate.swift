public import Foundation
import SystemPort

/// Hears of the app's life and of its pushes. Every method is optional; the fetch has two spellings.
///
/// On Linux a method that a subclass adds to the conforming class is not called: the class that names the protocol has
/// to implement it.
@MainActor
@preconcurrency public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    func applicationWillEnterForeground(_ application: UIApplication)
    func applicationDidBecomeActive(_ application: UIApplication)
    func applicationWillResignActive(_ application: UIApplication)
    func applicationDidEnterBackground(_ application: UIApplication)
    func applicationWillTerminate(_ application: UIApplication)

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    )

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    )

    /// A URL of the app's own scheme, for an app without scenes. At a launch it comes after
    /// `application(_:didFinishLaunchingWithOptions:)`, unless that or `willFinish` returned false.
    ///
    /// - Returns: whether the app took it; the device makes no difference.
    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool

    /// The app's scene is about to be made. An app that has this method has scenes, whatever its Info.plist says.
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// The person swiped the app away, and its scene with it.
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)

    /// The old way, used only by apps without the next method: in front, or at a tap, where the notification centre has
    /// no delegate.
    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any])

    /// A push with `content-available`. The handler has 30 seconds.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    )

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult

    // MARK: Of before iOS 10, for an app that sets no delegate of the notification centre

    /// After `UIApplication.registerUserNotificationSettings(_:)`: what the person granted.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNUserNotificationCenter.")
    func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)

    /// A local notification in front, or the tap on one. A tap that launches the app comes as
    /// `UIApplication.LaunchOptionsKey.localNotification` alone.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNUserNotificationCenterDelegate.")
    func application(_ application: UIApplication, didReceive notification: UILocalNotification)

    /// A button of a local notification; `completionHandler` is to be called in the end. Only for apps without
    /// `application(_:handleActionWithIdentifier:for:withResponseInfo:completionHandler:)`.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNUserNotificationCenterDelegate.")
    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        completionHandler: @escaping @Sendable () -> Void
    )

    /// A button of a local notification. `responseInfo` has what the person wrote under
    /// ``UIUserNotificationActionResponseTypedTextKey``, and is empty for a button that asks for no text.
    @available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNUserNotificationCenterDelegate.")
    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    )

    /// A button of a push, whose payload is `userInfo`. Only for apps without
    /// `application(_:handleActionWithIdentifier:forRemoteNotification:withResponseInfo:completionHandler:)`.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNUserNotificationCenterDelegate.")
    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    )

    /// A button of a push, whose payload is `userInfo`. `responseInfo` has what the person wrote under
    /// ``UIUserNotificationActionResponseTypedTextKey``, and is empty for a button that asks for no text.
    @available(iOS, introduced: 9.0, deprecated: 10.0, message: "Use UNUserNotificationCenterDelegate.")
    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    )
}

// Each default says to the probe that the app has no such method.
extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        MethodProbe.miss()
        return true
    }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        MethodProbe.miss()
        return true
    }

    public func applicationWillEnterForeground(_ application: UIApplication) { MethodProbe.miss() }
    public func applicationDidBecomeActive(_ application: UIApplication) { MethodProbe.miss() }
    public func applicationWillResignActive(_ application: UIApplication) { MethodProbe.miss() }
    public func applicationDidEnterBackground(_ application: UIApplication) { MethodProbe.miss() }
    public func applicationWillTerminate(_ application: UIApplication) { MethodProbe.miss() }

    public func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        MethodProbe.miss()
        return false
    }

    public func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        MethodProbe.miss()
        return connectingSceneSession.configuration
    }

    public func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
        MethodProbe.miss()
    }

    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { MethodProbe.miss() }

    public func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) { MethodProbe.miss() }

    public func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        MethodProbe.miss()
    }

    // The handler form is what the system calls; its default calls the async form, whose default calls nothing.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        let delegate = Handoff(self)
        let userInfo = Handoff(userInfo)
        // Nobody awaits it: it ends with the app's method, and the handler tells the system.
        Task.immediate { @MainActor in
            let result: UIBackgroundFetchResult = await delegate.value.application(
                application,
                didReceiveRemoteNotification: userInfo.value
            )
            completionHandler(result)
        }
    }

    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        MethodProbe.miss()
        return .noData
    }
}
