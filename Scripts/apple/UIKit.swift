// UIKit as far as the pages and the client for apps use it, with the isolation and the availability of Apple's headers.

@_exported import CoreLocation
@_exported import Foundation

@available(iOS 2.0, *)
@MainActor open class UIResponder: NSObject {
    public override init() {}
}

@available(iOS 2.0, *)
@MainActor open class UIApplication: UIResponder {
    public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        @available(iOS 3.0, *)
        public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    }
    public struct OpenExternalURLOptionsKey: Hashable, RawRepresentable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
    public enum State: Int, Sendable {
        case active
        case inactive
        case background
    }

    @available(iOS 4.0, *)
    nonisolated public static let didEnterBackgroundNotification = NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    @available(iOS 4.0, *)
    nonisolated public static let willEnterForegroundNotification = NSNotification.Name("UIApplicationWillEnterForegroundNotification")
    nonisolated public static let didBecomeActiveNotification = NSNotification.Name("UIApplicationDidBecomeActiveNotification")
    @available(iOS 8.0, *)
    nonisolated public static let openSettingsURLString = "app-settings:"
    open var applicationState: State { .active }
    @available(iOS 10.0, *)
    open func open(
        _ url: URL,
        options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {}

    open class var shared: UIApplication { fatalError() }
    open weak var delegate: (any UIApplicationDelegate)?
    @available(iOS 8.0, *)
    open func registerForRemoteNotifications() {}
    @available(iOS 3.0, *)
    open func unregisterForRemoteNotifications() {}
    @available(iOS 2.0, *)
    @available(iOS, deprecated: 17.0, message: "Use -[UNUserNotificationCenter setBadgeCount:withCompletionHandler:] instead.")
    open var applicationIconBadgeNumber: Int {
        get { 0 }
        set {}
    }
    @available(iOS 2.0, *)
    @available(iOS, deprecated: 13.0, message: "Should not be used for applications that support multiple scenes")
    open var keyWindow: UIWindow? { nil }
}

@available(iOS 2.0, *)
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    @available(iOS 3.0, *)
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    @available(iOS 3.0, *)
    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
    @available(iOS 7.0, *)
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    )
    @available(iOS 13.0, *)
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
    @available(iOS 13.0, *)
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
}

// The methods are optional at Apple.
extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {}
    public func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {}
    @available(iOS 13.0, *)
    public func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration { UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role) }
    @available(iOS 13.0, *)
    public func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {}

    /// `@main` on an app delegate.
    public static func main() {}
}

@available(iOS 7.0, *)
public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData
    case noData
    case failed
}

@available(iOS 2.0, *)
@MainActor open class UIScreen: NSObject {
    @available(iOS 2.0, *)
    @available(iOS, deprecated: 16.0, message: "Use a UIScreen instance found through context instead")
    open class var main: UIScreen { fatalError() }
    open var bounds: CGRect { .zero }
}

@available(iOS 2.0, *)
@MainActor open class UIView: UIResponder {
    public override init() {}
    public init(frame: CGRect) {}
}

@available(iOS 2.0, *)
@MainActor open class UIWindow: UIView {
    // No initializer without a scene: the window of an app with scenes belongs to one.
    @available(iOS 13.0, *)
    public init(windowScene: UIWindowScene) { super.init() }
    open var rootViewController: UIViewController?
    open func makeKeyAndVisible() {}
}

@available(iOS 2.0, *)
@MainActor open class UIViewController: UIResponder {
    public override init() {}
    open var view: UIView! { nil }
    open func viewDidLoad() {}
}

@available(iOS 13.0, *)
@MainActor open class UIScene: UIResponder {
    @MainActor open class ConnectionOptions: NSObject {
        open var urlContexts: Set<UIOpenURLContext> { [] }
    }

    open var session: UISceneSession { fatalError() }
}

@available(iOS 13.0, *)
@MainActor open class UIOpenURLContext: NSObject {
    open var url: URL { fatalError() }
}

@available(iOS 13.0, *)
@MainActor open class UIWindowScene: UIScene {}

@available(iOS 13.0, *)
@MainActor open class UISceneSession: NSObject {
    public struct Role: Hashable, RawRepresentable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    open var role: Role { fatalError() }
    open var configuration: UISceneConfiguration { fatalError() }
}

@available(iOS 13.0, *)
@MainActor open class UISceneConfiguration: NSObject {
    public init(name: String?, sessionRole: UISceneSession.Role) {}
    open var delegateClass: AnyClass?
}

@available(iOS 13.0, *)
@MainActor public protocol UISceneDelegate: NSObjectProtocol {
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func sceneDidDisconnect(_ scene: UIScene)
    func sceneDidBecomeActive(_ scene: UIScene)
    func sceneWillResignActive(_ scene: UIScene)
    func sceneWillEnterForeground(_ scene: UIScene)
    func sceneDidEnterBackground(_ scene: UIScene)
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

@available(iOS 13.0, *)
extension UISceneDelegate {
    public func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
}

@available(iOS 13.0, *)
@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

@available(iOS 13.0, *)
extension UIWindowSceneDelegate {
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}

@available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UserNotifications Framework's UNNotificationSound.")
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

@available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UserNotifications Framework's UNNotificationRequest")
@MainActor open class UILocalNotification: NSObject {
    public override init() {}
    open var fireDate: Date?
    open var region: CLRegion?
    open var regionTriggersOnce = true
    open var alertBody: String?
    open var alertAction: String?
    open var soundName: String?
    open var category: String?
    open var applicationIconBadgeNumber = 0
    open var userInfo: [AnyHashable: Any]?
}
