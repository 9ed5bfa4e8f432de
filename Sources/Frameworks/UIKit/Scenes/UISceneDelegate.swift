import SystemPort
public import UserNotifications

/// Receives the life cycle events of a scene, instead of the app's delegate. Every method is optional.
///
/// On Linux a method that a subclass adds to the conforming class is not called: the class that declares the
/// conformance has to implement it.
@MainActor
@preconcurrency public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene has been created, when the app's process first comes to the foreground.
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )

    /// The user swiped the app away while it was in the foreground.
    func sceneDidDisconnect(_ scene: UIScene)
    /// Also called after ``scene(_:willConnectTo:options:)``, at each launch to the foreground.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// The scene is in the foreground.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// The scene is about to be interrupted or to leave.
    func sceneWillResignActive(_ scene: UIScene)
    /// The scene is in the background.
    func sceneDidEnterBackground(_ scene: UIScene)
    /// Receives a URL with the app's own scheme. A URL for which the scene is created is in the options of
    /// ``scene(_:willConnectTo:options:)`` instead.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// An activity is about to be continued.
    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
    /// Receives an activity, such as a universal link. One for which the scene is created is in the options of
    /// ``scene(_:willConnectTo:options:)`` instead.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    /// The data of an activity from another device did not arrive.
    func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
    /// The activity of a responder was saved.
    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity)
}

/// The delegate of a scene with windows.
@MainActor
@preconcurrency public protocol UIWindowSceneDelegate: UISceneDelegate, UIWindowOwner {
    /// Performs a quick action; call `completionHandler` with whether it could. One for which the scene is created is in the options
    /// of ``UISceneDelegate/scene(_:willConnectTo:options:)`` instead.
    func windowScene(
        _ windowScene: UIWindowScene,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    )

    /// The `async` form for a quick action; called if the app does not implement the other.
    func windowScene(
        _ windowScene: UIWindowScene,
        performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool
}

// Each default tells the probe that the app has no such method.
extension UISceneDelegate {
    public func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) { MethodProbe.miss() }

    public func sceneDidDisconnect(_ scene: UIScene) { MethodProbe.miss() }
    public func sceneWillEnterForeground(_ scene: UIScene) { MethodProbe.miss() }
    public func sceneDidBecomeActive(_ scene: UIScene) { MethodProbe.miss() }
    public func sceneWillResignActive(_ scene: UIScene) { MethodProbe.miss() }
    public func sceneDidEnterBackground(_ scene: UIScene) { MethodProbe.miss() }
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) { MethodProbe.miss() }
}
