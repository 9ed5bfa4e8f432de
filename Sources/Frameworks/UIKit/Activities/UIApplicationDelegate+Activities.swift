import SystemPort
public import UserNotifications

// Each default tells the probe that the app has no such method.
extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        willContinueUserActivityWithType userActivityType: String
    ) -> Bool { MethodProbe.missed(false) }

    public func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool { MethodProbe.missed(false) }

    public func application(
        _ application: UIApplication,
        didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) { MethodProbe.miss() }

    public func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) { MethodProbe.miss() }
}

extension UISceneDelegate {
    public func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
        MethodProbe.miss()
    }

    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) { MethodProbe.miss() }

    public func scene(
        _ scene: UIScene,
        didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) { MethodProbe.miss() }

    public func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) { MethodProbe.miss() }
}

extension UIApplication.LaunchOptionsKey {
    /// The activity for which the app was launched: a dictionary with its type under `userActivityType`'s raw value, and the
    /// `NSUserActivity` under `UIApplicationLaunchOptionsUserActivityKey`, as observed on iOS 12 (recoursive.com, "Guide:
    /// UIApplicationDelegate method invocation order"). Absent for an app that declares scenes: its scene receives the activity in
    /// `UIScene.ConnectionOptions.userActivities`.
    public static let userActivityDictionary = Self(rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
    /// The key of the type in the dictionary of ``userActivityDictionary``.
    public static let userActivityType = Self(rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
}
