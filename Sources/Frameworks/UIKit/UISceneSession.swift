public import Foundation

/// What the system keeps of a scene.
@MainActor
open class UISceneSession: NSObject {
    /// What a scene is for.
    public struct Role: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// On the device's own screen.
        public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")
        public static let windowExternalDisplayNonInteractive = Self(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive"
        )
    }

    public let role: Role
    public let persistentIdentifier = UUID().uuidString
    open internal(set) var configuration: UISceneConfiguration
    open internal(set) weak var scene: UIScene?
    /// For the app; kept while the session lives.
    open var userInfo: [String: Any]?

    init(role: Role) {
        self.role = role
        configuration = UISceneConfiguration(name: nil, sessionRole: role)
    }
}

/// Which classes make a scene.
@MainActor
open class UISceneConfiguration: NSObject {
    /// Of the configuration in the Info.plist.
    public let name: String?
    public let role: UISceneSession.Role
    /// Nil for `UIWindowScene`, which alone is offered.
    open var sceneClass: AnyClass?
    /// A `UIResponder` with the methods of ``UISceneDelegate``; on Linux no other class can be made from its type alone.
    open var delegateClass: AnyClass?

    /// - Parameters:
    ///   - name: of a configuration in the Info.plist, which then gives the class of the delegate.
    ///   - sessionRole: what the scene is for.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
    }
}
