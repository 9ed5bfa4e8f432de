import Foundation
import UIKit

/// The app's scene, from iOS 13 on: its window, its life cycle, and the cause that brings the app to the foreground.
///
/// The app's delegate keeps what concerns the process: the launch, the token, and pushes. Before iOS 13 it does all of this.
///
/// Source: Apple, "Transitioning to the UIKit scene-based life cycle": an app built with the SDK of iOS 27 has to have scenes. One is
/// enough.
public final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    public var window: UIWindow?

    private var app: AppDelegate? { UIApplication.shared.delegate as? AppDelegate }

    // MARK: Connection

    /// Makes the window, and opens the page of the notification, the quick action or the link that launched the app: with scenes the
    /// launch options have none of them, and the methods for a running app are not called.
    public func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene, let app else { return }
        app.log.add("scene(_:willConnectTo:options:)", Self.describe(connectionOptions))
        app.log.recorder.add(connectionOptions)
        let window = UIWindow(windowScene: scene)
        window.rootViewController = app.makeFace()
        self.window = window
        app.window = window
        window.makeKeyAndVisible()

        if let response = connectionOptions.notificationResponse { app.act(onConnectionFor: response) }
        if let shortcut = connectionOptions.shortcutItem { _ = app.perform(shortcut) }
        for context in connectionOptions.urlContexts { _ = app.follow(context.url) }
    }

    private static func describe(_ options: UIScene.ConnectionOptions) -> String {
        if let response = options.notificationResponse { return "notificationResponse \(response.actionIdentifier)" }
        if let shortcut = options.shortcutItem { return "shortcutItem \(shortcut.type)" }
        return options.urlContexts.first.map { "urlContexts \($0.url.absoluteString)" } ?? ""
    }

    /// The user swiped the app away, or the system needs memory: it may connect a new scene later.
    public func sceneDidDisconnect(_ scene: UIScene) {
        app?.log.add("sceneDidDisconnect(_:)")
        window = nil
        app?.window = nil
    }

    // MARK: Life cycle

    public func sceneWillEnterForeground(_ scene: UIScene) {
        app?.log.add("sceneWillEnterForeground(_:)")
        app?.comesForward()
    }

    public func sceneDidBecomeActive(_ scene: UIScene) {
        app?.log.add("sceneDidBecomeActive(_:)")
        app?.becameActive()
    }

    public func sceneWillResignActive(_ scene: UIScene) { app?.log.add("sceneWillResignActive(_:)") }

    public func sceneDidEnterBackground(_ scene: UIScene) {
        app?.log.add("sceneDidEnterBackground(_:)")
        app?.enteredBackground()
    }

    // MARK: Links and quick actions of a running app

    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        for context in URLContexts {
            app?.log.add("scene(_:openURLContexts:)", context.url.absoluteString)
            _ = app?.follow(context.url)
        }
    }

    public func windowScene(
        _ windowScene: UIWindowScene,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        app?.log.add("windowScene(_:performActionFor:completionHandler:)", shortcutItem.type)
        completionHandler(app?.perform(shortcutItem) ?? false)
    }
}
