public import Foundation
import SystemPort
import UserNotifications

/// The classes that make up a scene.
@preconcurrency @MainActor
open class UISceneConfiguration: NSObject, @preconcurrency NSCopying, @preconcurrency NSSecureCoding {
    /// The name of the configuration in the Info.plist.
    public let name: String?
    /// The role that the configuration is for.
    public let role: UISceneSession.Role
    /// The scene class; nil for `UIWindowScene`, the only one available.
    open var sceneClass: AnyClass?
    /// The delegate class: it conforms to ``UISceneDelegate``, and derives from `NSObject` or `UIResponder`.
    open var delegateClass: AnyClass?
    /// The storyboard with the first screen; stored only, because storyboards cannot be read.
    open var storyboard: UIStoryboard?

    /// Creates a configuration for a role. One with the name of a configuration in the Info.plist gets the class of its delegate from
    /// there.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
    }

    /// Creates a configuration without a name.
    public override nonisolated init() {
        name = nil
        role = .windowApplication
    }

    public required init?(coder: NSCoder) {
        name = coder.decodeObject(of: NSString.self, forKey: "name").map { String($0) }
        guard let role = coder.decodeObject(of: NSString.self, forKey: "role") else { return nil }
        self.role = UISceneSession.Role(rawValue: String(role))
        let classes = ["sceneClass", "delegateClass"].map { key in
            coder.decodeObject(of: NSString.self, forKey: key).flatMap { NSClassFromString(String($0)) }
        }
        sceneClass = classes[0]
        delegateClass = classes[1]
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        let values = [
            "name": name, "role": role.rawValue, "sceneClass": sceneClass.map(NSStringFromClass),
            "delegateClass": delegateClass.map(NSStringFromClass),
        ]
        // A key without a value fails the whole archive, so nil is encoded, too.
        for (key, value) in values { coder.encode(value.map(NSString.init(string:)), forKey: key) }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UISceneConfiguration(name: name, sessionRole: role)
        copy.sceneClass = sceneClass
        copy.delegateClass = delegateClass
        copy.storyboard = storyboard
        return copy
    }
}

extension UISceneConfiguration {
    /// Creates the scene's delegate, a ``delegateClass``.
    ///
    /// - Returns: nil without a class. A class that cannot be a scene's delegate raises an exception.
    package func makeDelegate() -> (any UISceneDelegate)? {
        guard let delegateClass else { return nil }
        if let type = delegateClass as? any (NSObject & UISceneDelegate).Type { return make(type) }
        RaisedException.raise(
            """
            \(String(reflecting: delegateClass)) cannot be the scene's delegate: expected a class that derives from NSObject \
            and conforms to UISceneDelegate.
            """,
            name: "NSInvalidArgumentException"
        )
        return nil
    }

    private func make<Delegate: NSObject & UISceneDelegate>(_ type: Delegate.Type) -> Delegate {
        ObjectCreation.make(type)
    }
}
