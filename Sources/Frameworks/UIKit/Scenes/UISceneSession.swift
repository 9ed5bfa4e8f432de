public import Foundation
public import UserNotifications

/// The system's persistent data of a scene.
@preconcurrency @MainActor
open class UISceneSession: NSObject {
    /// The role of a scene.
    public struct Role: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A scene on the device's own screen.
        public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")
        /// A screen besides the device's own. It never occurs here.
        public static let windowExternalDisplayNonInteractive = Self(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive"
        )
    }

    /// The role of the session's scenes.
    public let role: Role
    /// A UUID of the session.
    public let persistentIdentifier = UUID().uuidString
    /// The configuration of its scenes.
    open internal(set) var configuration: UISceneConfiguration
    /// The scene; nil while it is not connected.
    open internal(set) weak var scene: UIScene?
    /// The activity from which the app restores the scene; stored only, as long as the app runs.
    open var stateRestorationActivity: NSUserActivity?
    /// Data for the app, kept while the session exists.
    open var userInfo: [String: Any]?

    init(role: Role) {
        self.role = role
        configuration = UISceneConfiguration(name: nil, sessionRole: role)
    }
}
