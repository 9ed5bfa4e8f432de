import PushModel
import UIKit

/// The scene of an app of the matrix that declares one.
final class MatrixScene: UIResponder, UIWindowSceneDelegate {
    /// The value of `UIApplicationSceneManifest`.
    static let manifest: JSONValue = [
        "UIApplicationSupportsMultipleScenes": false,
        "UISceneConfigurations": [
            "UIWindowSceneSessionRoleApplication": [
                [
                    "UISceneConfigurationName": "Default Configuration",
                    "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).MatrixScene",
                ]
            ]
        ],
    ]

    private var app: MatrixApp? { UIApplication.shared.delegate as? MatrixApp }

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        app?.connections.append(Self.cause(connectionOptions))
    }

    /// Returns the cause of a connection, in the notation of the matrix.
    private static func cause(_ options: UIScene.ConnectionOptions) -> String {
        if options.notificationResponse != nil { return "notificationResponse" }
        if options.shortcutItem != nil { return "shortcutItem" }
        return options.urlContexts.isEmpty ? "nothing" : "urlContexts"
    }

    func sceneDidBecomeActive(_ scene: UIScene) { app?.becameActive() }
    func sceneWillEnterForeground(_ scene: UIScene) {}
    func sceneWillResignActive(_ scene: UIScene) {}
    func sceneDidEnterBackground(_ scene: UIScene) {}
    func sceneDidDisconnect(_ scene: UIScene) {}
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}

    func windowScene(
        _ windowScene: UIWindowScene,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        completionHandler(true)
    }
}
