public import Foundation
import SystemPort
public import UserNotifications

/// One instance of an app's user interface.
///
/// The emulated device gives an app one, a ``UIWindowScene``, from iOS 13 on.
open class UIScene: UIResponder {
    /// The scene's state. Raw values: Apple, `UISceneActivationState`.
    public enum ActivationState: Int, Sendable {
        /// Not connected.
        case unattached = -1
        /// In the foreground, and receiving touches.
        case foregroundActive = 0
        /// In the foreground, but interrupted.
        case foregroundInactive = 1
        /// In the background.
        case background = 2
    }

    /// The cause of the scene's creation.
    @preconcurrency @MainActor
    open class ConnectionOptions: NSObject {
        /// The user's response to a notification, if it brought the app to the foreground. The centre's delegate is
        /// called for it too, if one is set by then.
        ///
        /// Source: Apple, "UIScene.ConnectionOptions", `notificationResponse`. The additional call of the delegate was
        /// observed on iOS 18.6 and 26.4 (defold/extension-push#58, which drops the second of the two);
        /// onmyway133/blog#884 saw nil here on an earlier iOS.
        public let notificationResponse: UNNotificationResponse?
        /// The URL that brought the app to the foreground; ``UISceneDelegate/scene(_:openURLContexts:)`` is not called
        /// for it.
        ///
        /// Source: Apple, `scene(_:openURLContexts:)` and `UIScene.ConnectionOptions.urlContexts`.
        public let urlContexts: Set<UIOpenURLContext>
        /// The bundle id of the app that asked for the URL, if disclosed.
        public let sourceApplication: String?
        /// The activity that brought the app to the foreground, such as a universal link; ``UISceneDelegate/scene(_:continue:)`` is
        /// not called for it.
        ///
        /// Source: Apple, "Supporting universal links in your app".
        public let userActivities: Set<NSUserActivity>
        /// The quick action that brought the app to the foreground;
        /// ``UIWindowSceneDelegate/windowScene(_:performActionFor:completionHandler:)`` is not called for it.
        ///
        /// Source: Apple, "Add Home Screen Quick Actions".
        public let shortcutItem: UIApplicationShortcutItem?
        /// The type of an activity of another device that is on its way; the device has its data by then, so it is nil.
        public let handoffUserActivityType: String? = nil

        init(notificationResponse: UNNotificationResponse?, item: OpenedItem?) {
            self.notificationResponse = notificationResponse
            var url: OpenedURL?
            var activities: Set<NSUserActivity> = []
            var shortcut: UIApplicationShortcutItem?
            switch item {
            case .url(let opened): url = opened
            case .activity(let activity): activities = [NSUserActivity(activity)]
            case .shortcut(let chosen): shortcut = UIApplicationShortcutItem(chosen)
            case nil: break
            }
            urlContexts = UIOpenURLContext.make(url)
            userActivities = activities
            shortcutItem = shortcut
            sourceApplication = urlContexts.first?.options.sourceApplication
        }
    }

    // Posted to `NotificationCenter.default`, which all apps of a Linux process share, after the delegate's method.
    /// Posted after the scene's delegate has been told.
    public nonisolated static let willConnectNotification = NSNotification.Name("UISceneWillConnectNotification")
    /// Posted after the scene's delegate has been told.
    public nonisolated static let didDisconnectNotification = NSNotification.Name("UISceneDidDisconnectNotification")
    /// Posted after the scene's delegate has been told.
    public nonisolated static let didActivateNotification = NSNotification.Name("UISceneDidActivateNotification")
    /// Posted after the scene's delegate has been told.
    public nonisolated static let willDeactivateNotification = NSNotification.Name("UISceneWillDeactivateNotification")
    /// Posted after the scene's delegate has been told.
    public nonisolated static let willEnterForegroundNotification = NSNotification.Name(
        "UISceneWillEnterForegroundNotification"
    )
    /// Posted after the scene's delegate has been told.
    public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
        "UISceneDidEnterBackgroundNotification"
    )

    /// Wishes for the activation of a scene.
    @preconcurrency @MainActor
    open class ActivationRequestOptions: NSObject {
        /// The scene that asks; stored only.
        open var requestingScene: UIScene?

        public override nonisolated init() { super.init() }
    }

    /// The scene's delegate, from the configuration.
    open var delegate: (any UISceneDelegate)?
    /// Where the scene is.
    open internal(set) var activationState = ActivationState.unattached
    /// The title, with Apple's type: apps treat it as a `String`.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var title: String! = ""

    /// The session that the scene belongs to.
    open private(set) var session: UISceneSession

    /// Creates a scene, as the system does.
    public init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
        super.init()
    }

    open override var next: UIResponder? { UIApplication.shared }
}

extension UNNotificationResponse {
    /// The scene that shows the result of the response: the app's one scene; nil in the background before there is one,
    /// and for an app without scenes.
    @preconcurrency @MainActor
    public var targetScene: UIScene? { AppSlot.current.scene }
}
