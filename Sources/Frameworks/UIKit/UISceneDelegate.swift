public import Foundation
import SystemPort

/// Hears of the life of a scene, in the place of the app's delegate. Every method is optional.
///
/// On Linux a method that a subclass adds to the conforming class is not called: the class that names the protocol has
/// to implement it.
@MainActor
@preconcurrency public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene is made: at the first time that the app's process comes to the front.
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )

    /// The person swiped the app away while it was in front.
    func sceneDidDisconnect(_ scene: UIScene)
    /// Also after ``scene(_:willConnectTo:options:)``, at each launch to the front.
    func sceneWillEnterForeground(_ scene: UIScene)
    func sceneDidBecomeActive(_ scene: UIScene)
    func sceneWillResignActive(_ scene: UIScene)
    func sceneDidEnterBackground(_ scene: UIScene)
    /// A URL of the app's own scheme. One for which the scene is made is in the options of
    /// ``scene(_:willConnectTo:options:)`` instead.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

/// The delegate of a scene with windows.
@MainActor
@preconcurrency public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The main window of the scene. Optional.
    var window: UIWindow? { get set }
}

// Each default says to the probe that the app has no such method.
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

extension UIWindowSceneDelegate {
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}
