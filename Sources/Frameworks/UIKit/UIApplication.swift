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
        public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    }

    open var delegate: (any UIApplicationDelegate)? { AppSlot.of(CurrentPort.find()).delegate }

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

    private func tell(_ call: SystemCall) { CurrentPort.find().call(call) { _ in } }
}
