public import Foundation
import PushModel
import SystemPort

/// The running app.
///
/// One object per process, as on iOS; each call uses the calling app (`CurrentPort`).
open class UIApplication: UIResponder {
    private static let only = UIApplication()

    /// The only application object of the running app's process.
    open class var shared: UIApplication { only }

    /// Where the app is.
    public enum State: Int, Sendable {
        /// In the foreground, and receiving touches.
        case active = 0
        /// In the foreground, but interrupted or on the way to another state.
        case inactive = 1
        /// In the background.
        case background = 2
    }

    /// A cause of the app's launch.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The payload of the push that was tapped, or that woke the app: `[AnyHashable: Any]`.
        ///
        /// Absent when an app whose Info.plist declares scenes is launched to the foreground: its scene receives
        /// `UIScene.ConnectionOptions.notificationResponse`.
        public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// The local notification that was tapped: a `UILocalNotification`, also for requests of
        /// `UNUserNotificationCenter`. Absent for an app that declares scenes: its scene receives it.
        @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNUserNotificationCenterDelegate.")
        public static let localNotification = Self(rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
        /// The `URL` for which the app was launched. Absent for an app that declares scenes: its scene receives it in
        /// `UIScene.ConnectionOptions.urlContexts`.
        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// The bundle id of the app that asked for the URL, if disclosed: a `String`.
        public static let sourceApplication = Self(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// Set if the system launched the app because of the device's location: an `NSNumber` of true. Create a
        /// location manager.
        public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
    }

    // Posted to `NotificationCenter.default`, which all apps of a Linux process share, after the delegate's method.
    /// Posted after the delegate has been told of the launch.
    public nonisolated static let didFinishLaunchingNotification = NSNotification.Name(
        "UIApplicationDidFinishLaunchingNotification"
    )
    /// Posted after the delegate has been told.
    public nonisolated static let didBecomeActiveNotification = NSNotification.Name(
        "UIApplicationDidBecomeActiveNotification"
    )
    /// Posted after the delegate has been told.
    public nonisolated static let willResignActiveNotification = NSNotification.Name(
        "UIApplicationWillResignActiveNotification"
    )
    /// Posted after the delegate has been told.
    public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
        "UIApplicationDidEnterBackgroundNotification"
    )
    /// Posted after the delegate has been told.
    public nonisolated static let willEnterForegroundNotification = NSNotification.Name(
        "UIApplicationWillEnterForegroundNotification"
    )
    /// Posted after the delegate has been told.
    public nonisolated static let willTerminateNotification = NSNotification.Name(
        "UIApplicationWillTerminateNotification"
    )

    /// The app's delegate; nil before the launch.
    open var delegate: (any UIApplicationDelegate)? { AppSlot.current.delegate }

    /// The app's scene, once it has been in the foreground (iOS 13 and later); at most one.
    ///
    /// An app that has no scenes of its own has one without a delegate, to which its windows belong.
    open var connectedScenes: Set<UIScene> {
        let slot = AppSlot.current
        return Set([slot.scene ?? slot.implicitScene].compactMap { $0 })
    }

    /// The sessions of ``connectedScenes``.
    open var openSessions: Set<UISceneSession> { Set(connectedScenes.map(\.session)) }

    /// False: an emulated iPhone shows one scene of an app.
    open var supportsMultipleScenes: Bool { false }

    open override var next: UIResponder? { delegate as? UIResponder }

    /// The state, as of the event that the app is handling.
    open var applicationState: State {
        switch AppSlot.current.state {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        }
    }

    /// Requests an APNs token; no permission is needed. The delegate receives it once the device is connected.
    open func registerForRemoteNotifications() {
        if SystemSymbol.register.require() { send(.registerForRemoteNotifications) }
    }

    /// Invalidates the token.
    open func unregisterForRemoteNotifications() { send(.unregisterForRemoteNotifications) }

    /// Whether the app is registered: from the first token until it unregisters.
    open var isRegisteredForRemoteNotifications: Bool {
        SystemSymbol.isRegistered.require() && CurrentPort.facts.isRegisteredForRemoteNotifications
    }

    /// The badge number on the icon. Setting it without permission for badges has no effect.
    ///
    /// 0 removes the badge, and with it the app's entries in the notification centre; a negative number removes the badge alone.
    open var applicationIconBadgeNumber: Int {
        get { CurrentPort.facts.iconBadge }
        set { send(newValue < 0 ? .removeBadge : .setBadge(newValue)) }
    }

    /// Whether pushes may wake the app in the background.
    open var backgroundRefreshStatus: UIBackgroundRefreshStatus {
        UIBackgroundRefreshStatus(rawValue: CurrentPort.facts.backgroundRefresh) ?? .restricted
    }

    /// Starts work that continues when the app leaves the foreground.
    ///
    /// - Parameter handler: called about 30 seconds after the app has gone to the background, if the work has not
    ///   ended.
    /// - Returns: the identifier for ``endBackgroundTask(_:)``.
    open func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { BackgroundTasks.of(CurrentPort.find()).begin(handler) }

    /// Starts work that continues when the app leaves the foreground; the name is for debugging.
    open func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { beginBackgroundTask(expirationHandler: handler) }

    /// The remaining time in seconds. Unlimited in the foreground: `Double.greatestFiniteMagnitude`.
    open var backgroundTimeRemaining: TimeInterval {
        guard applicationState == .background else { return .greatestFiniteMagnitude }
        return BackgroundTasks.of(CurrentPort.find()).remaining
    }

    /// Ends a piece of background work; the app can be suspended when all have ended.
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        BackgroundTasks.of(CurrentPort.find()).end(identifier)
    }

    private func send(_ call: SystemCall) { CurrentPort.find().call(call) }
}

extension UIApplication {
    /// Whether the screen stays on although nobody touches it; stored only.
    public var isIdleTimerDisabled: Bool {
        get { AppSlot.current.isIdleTimerDisabled }
        set { AppSlot.current.isIdleTimerDisabled = newValue }
    }

    /// The user's text size: the default one.
    public var preferredContentSizeCategory: UIContentSizeCategory { .large }

    /// Whether the icon can be changed.
    public var supportsAlternateIcons: Bool { true }
    /// The name of the icon that the app has chosen; nil for its first one.
    public var alternateIconName: String? { AppSlot.current.alternateIconName }

    /// Chooses an icon, which is stored only. The completion handler runs at once, with nil.
    public func setAlternateIconName(
        _ alternateIconName: String?,
        completionHandler: (@MainActor @Sendable ((any Error)?) -> Void)? = nil
    ) {
        AppSlot.current.alternateIconName = alternateIconName
        completionHandler?(nil)
    }

    /// Fails unless the session exists: an emulated iPhone shows one scene of an app.
    public func requestSceneSessionActivation(
        _ sceneSession: UISceneSession?,
        userActivity: NSUserActivity?,
        options: UIScene.ActivationRequestOptions?,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        if let sceneSession, openSessions.contains(sceneSession) { return }
        // `UISceneErrorCodeMultipleScenesNotSupported`.
        errorHandler?(NSError(domain: "UISceneErrorDomain", code: 0))
    }

    /// Posted when the user switches the background refresh; never here.
    public nonisolated static let backgroundRefreshStatusDidChangeNotification = NSNotification.Name(
        "UIApplicationBackgroundRefreshStatusDidChangeNotification"
    )
}

/// The name in Swift 3 and 4.
@available(swift, obsoleted: 4.2, renamed: "UIApplication.State")
public typealias UIApplicationState = UIApplication.State
/// The name in Swift 4.
@available(swift, obsoleted: 4.2, renamed: "UIApplication.LaunchOptionsKey")
public typealias UIApplicationLaunchOptionsKey = UIApplication.LaunchOptionsKey
