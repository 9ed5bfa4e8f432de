public import Foundation
import SystemPort
public import UserNotifications

/// Receives the app's life cycle events and its pushes. Every method is optional; the fetch has two spellings.
///
/// On Linux a method that a subclass adds to the conforming class is not called: the class that declares the
/// conformance has to implement it.
@MainActor
@preconcurrency public protocol UIApplicationDelegate: UIWindowOwner {
    /// The first method of a process: the app is launched. The options say why, nil for the user's tap on the icon.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The launch is complete, also after a restoration of state. The options say why the app was launched.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The app is about to come to the foreground; not called for apps with scenes.
    func applicationWillEnterForeground(_ application: UIApplication)
    /// The app is in the foreground; not called for apps with scenes.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// The app is about to be interrupted or to leave; not called for apps with scenes.
    func applicationWillResignActive(_ application: UIApplication)
    /// The app is in the background, and has about five seconds; not called for apps with scenes.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// The user ends the app while it is running; not called for an app that is suspended.
    func applicationWillTerminate(_ application: UIApplication)

    /// Midnight, daylight saving time, another time zone, or a correction by the carrier. An app in the background is told when it
    /// returns to the foreground, once.
    func applicationSignificantTimeChange(_ application: UIApplication)

    /// The device is unlocked again: files under data protection can be read.
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
    /// The device was locked: files under data protection cannot be read any more.
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)

    /// The device token, which can change at each launch: 32 bytes.
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)

    /// There is no token; the error says why.
    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    /// Receives a URL with the app's own scheme, for an app without scenes. At a launch it is called after
    /// `application(_:didFinishLaunchingWithOptions:)`, unless that or `willFinish` returned false.
    ///
    /// - Returns: whether the app handled it; the device ignores the result.
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool

    /// Receives a URL on iOS 7 and 8, and later in an app without `application(_:open:options:)`.
    ///
    /// - Parameters:
    ///   - application: the app.
    ///   - url: the URL with the app's own scheme.
    ///   - sourceApplication: the bundle id of the calling app; nil if it is not known.
    ///   - annotation: data from the other app; no app of the device sends any.
    /// - Returns: whether the app handled it; the device ignores the result.
    @available(iOS, introduced: 4.2, deprecated: 9.0, message: "Use application(_:open:options:).")
    func application(_ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any) -> Bool

    /// Receives a URL in an app without the other methods for it.
    ///
    /// - Returns: whether the app handled it; the device ignores the result.
    @available(iOS, introduced: 2.0, deprecated: 9.0, message: "Use application(_:open:options:).")
    func application(_ application: UIApplication, handleOpen url: URL) -> Bool

    /// The app's scene is about to be created. An app that has this method has scenes, whatever its Info.plist says.
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// The user swiped the app away, and its scene with it.
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)

    /// The device is short of memory.
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)

    /// The orientations that the app supports in a window; asked when it is shown. Without this method the Info.plist decides.
    func application(
        _ application: UIApplication,
        supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask

    // MARK: Activities and quick actions, for an app without scenes

    /// An activity is about to be continued.
    ///
    /// - Returns: whether the app tells the user itself; the device ignores the result.
    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool

    /// Receives an activity, such as a universal link. At a launch it is called after
    /// `application(_:didFinishLaunchingWithOptions:)`, unless that or `willFinish` returned false.
    ///
    /// - Returns: whether the app handled it; the device ignores the result.
    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool

    /// The data of an activity from another device did not arrive.
    func application(
        _ application: UIApplication,
        didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    )

    /// The activity of a responder was saved.
    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity)

    /// Performs a quick action; call `completionHandler` with whether it could. At a launch it is called after
    /// `application(_:didFinishLaunchingWithOptions:)`, unless that or `willFinish` returned false.
    func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    )

    /// The `async` form for a quick action; called if the app does not implement the other.
    func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool

    // MARK: Work in the background

    /// The occasion for a background fetch. The handler has 30 seconds.
    @available(iOS, introduced: 7.0, deprecated: 13.0, message: "Use BGTaskScheduler.")
    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    )

    /// The `async` form of the background fetch; called if the app does not implement the other.
    @available(iOS, introduced: 7.0, deprecated: 13.0, message: "Use BGTaskScheduler.")
    func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult

    /// The transfers of a background session have finished while the app was not in the foreground. Call the handler, within 30
    /// seconds, when its events have been processed.
    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping @Sendable () -> Void
    )

    /// The `async` form for a background session; called if the app does not implement the other.
    func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String) async

    // MARK: Pushes

    /// The old method, used only by apps without the next one: in the foreground, or at a tap, if the notification
    /// centre has no delegate.
    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any])

    /// A push with `content-available`. The handler has 30 seconds.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    )

    // Its isolation is written out, here and at its default: otherwise an app in Swift 5 mode is warned about a payload that leaves
    // its actor.
    /// The `async` form for a push to the app itself; called if the app does not implement the other.
    @MainActor
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult

    // MARK: Before iOS 10, for an app that sets no delegate of the notification centre

    /// Receives the types granted after `UIApplication.registerUserNotificationSettings(_:)`.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNUserNotificationCenter.")
    func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)

    /// A local notification in the foreground, or a tap on one. A tap that launches the app is reported only as
    /// `UIApplication.LaunchOptionsKey.localNotification`.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNUserNotificationCenterDelegate.")
    func application(_ application: UIApplication, didReceive notification: UILocalNotification)

    /// A button of a local notification; call `completionHandler` at the end. Only for apps without
    /// `application(_:handleActionWithIdentifier:for:withResponseInfo:completionHandler:)`.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNUserNotificationCenterDelegate.")
    func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        completionHandler: @escaping @Sendable () -> Void
    )

    /// A button of a local notification. `responseInfo` contains the user's text under
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

    /// A button of a push, whose payload is `userInfo`. `responseInfo` contains the user's text under
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

// Each default tells the probe that the app has no such method.
extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { MethodProbe.missed(true) }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { MethodProbe.missed(true) }

    public func applicationWillEnterForeground(_ application: UIApplication) { MethodProbe.miss() }
    public func applicationDidBecomeActive(_ application: UIApplication) { MethodProbe.miss() }
    public func applicationWillResignActive(_ application: UIApplication) { MethodProbe.miss() }
    public func applicationDidEnterBackground(_ application: UIApplication) { MethodProbe.miss() }
    public func applicationWillTerminate(_ application: UIApplication) { MethodProbe.miss() }

    public func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool { MethodProbe.missed(false) }

    public func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration { MethodProbe.missed(connectingSceneSession.configuration) }

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

    // The system calls the handler form; its default calls the async form, whose default calls nothing.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        let delegate = Handoff(self)
        let userInfo = Handoff(userInfo)
        // Not awaited: it ends with the app's method, and the handler notifies the system.
        Task.immediate { @MainActor in
            let result: UIBackgroundFetchResult = await delegate.value.application(
                application,
                didReceiveRemoteNotification: userInfo.value
            )
            completionHandler(result)
        }
    }

    @MainActor
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult { MethodProbe.missed(.noData) }
}
