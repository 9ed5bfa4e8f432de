public import Foundation
import PushModel
import SystemPort

/// The running app.
///
/// One object a process, as on iOS; each call finds the app that makes it (`CurrentPort`).
open class UIApplication: UIResponder {
    private static let only = UIApplication()

    open class var shared: UIApplication { only }

    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    /// Why the app was launched.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The payload of the push that was tapped, or that woke the app: `[AnyHashable: Any]`.
        ///
        /// A launch to the front of an app whose Info.plist declares scenes has none: its scene is told, by
        /// `UIScene.ConnectionOptions.notificationResponse`.
        public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// The local notification that was tapped: a `UILocalNotification`, also for requests of
        /// `UNUserNotificationCenter`. An app that declares scenes has none: its scene is told.
        @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNUserNotificationCenterDelegate.")
        public static let localNotification = Self(rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
        /// The `URL` that the app was launched for. An app that declares scenes has none: its scene is told, by
        /// `UIScene.ConnectionOptions.urlContexts`.
        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// The bundle id of the app that asked for the URL, where it is to be known: a `String`.
        public static let sourceApplication = Self(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// The system launched the app because of the device's place: an `NSNumber` of true. Make a location manager.
        public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
    }

    // Posted to `NotificationCenter.default`, which all apps of a Linux process share, after the delegate's method.
    public nonisolated static let didFinishLaunchingNotification = NSNotification.Name(
        "UIApplicationDidFinishLaunchingNotification"
    )
    public nonisolated static let didBecomeActiveNotification = NSNotification.Name(
        "UIApplicationDidBecomeActiveNotification"
    )
    public nonisolated static let willResignActiveNotification = NSNotification.Name(
        "UIApplicationWillResignActiveNotification"
    )
    public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
        "UIApplicationDidEnterBackgroundNotification"
    )
    public nonisolated static let willEnterForegroundNotification = NSNotification.Name(
        "UIApplicationWillEnterForegroundNotification"
    )
    public nonisolated static let willTerminateNotification = NSNotification.Name(
        "UIApplicationWillTerminateNotification"
    )

    open var delegate: (any UIApplicationDelegate)? { AppSlot.of(CurrentPort.find()).delegate }

    /// The app's scene, if it has scenes and has come to the front; there is one at most.
    open var connectedScenes: Set<UIScene> {
        Set([AppSlot.of(CurrentPort.find()).scene].compactMap { $0 })
    }

    /// The sessions of ``connectedScenes``.
    open var openSessions: Set<UISceneSession> { Set(connectedScenes.map(\.session)) }

    open var supportsMultipleScenes: Bool { false }

    open override var next: UIResponder? { delegate as? UIResponder }

    /// As of the event that the app is taking.
    open var applicationState: State {
        switch AppSlot.of(CurrentPort.find()).state {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        }
    }

    /// Asks for an APNs token; no permission is needed. The delegate hears it, as soon as the device is connected.
    open func registerForRemoteNotifications() { tell(.registerForRemoteNotifications) }

    /// The token is dead from now on.
    open func unregisterForRemoteNotifications() { tell(.unregisterForRemoteNotifications) }

    /// True from the first token until the app unregisters.
    open var isRegisteredForRemoteNotifications: Bool { CurrentPort.find().facts.isRegisteredForRemoteNotifications }

    /// The number on the icon. Setting it without permission to badge does nothing.
    open var applicationIconBadgeNumber: Int {
        get { CurrentPort.find().facts.iconBadge }
        set { tell(.setBadge(newValue)) }
    }

    /// Whether pushes may wake the app in the background.
    open var backgroundRefreshStatus: UIBackgroundRefreshStatus {
        UIBackgroundRefreshStatus(rawValue: CurrentPort.find().facts.backgroundRefresh) ?? .restricted
    }

    /// Begins work that goes on when the app leaves the front.
    ///
    /// - Parameter handler: called about 30 seconds after the app has gone to the background, if the work has not ended.
    /// - Returns: what ``endBackgroundTask(_:)`` takes.
    open func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        BackgroundTasks.of(CurrentPort.find()).begin(handler)
    }

    /// Begins work that goes on when the app leaves the front; the name is for debugging.
    open func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(expirationHandler: handler)
    }

    /// In seconds. In front there is no end to it: `Double.greatestFiniteMagnitude`.
    open var backgroundTimeRemaining: TimeInterval {
        guard applicationState == .background else { return .greatestFiniteMagnitude }
        return BackgroundTasks.of(CurrentPort.find()).remaining
    }

    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        BackgroundTasks.of(CurrentPort.find()).end(identifier)
    }

    private func tell(_ call: SystemCall) { CurrentPort.find().call(call) { _ in } }
}

@available(*, deprecated, renamed: "UIApplication.State")
public typealias UIApplicationState = UIApplication.State
@available(*, deprecated, renamed: "UIApplication.LaunchOptionsKey")
public typealias UIApplicationLaunchOptionsKey = UIApplication.LaunchOptionsKey
