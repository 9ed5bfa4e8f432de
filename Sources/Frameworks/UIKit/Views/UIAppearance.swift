import Foundation
import UserNotifications

// The looks that an app gives to all views of a class. They are kept; Posthorn draws nothing.

/// A class whose objects get a common look.
@preconcurrency @MainActor
public protocol UIAppearance: AnyObject {
    /// Returns the object whose values are the look of all objects of the class.
    static func appearance() -> Self
}

extension UIView: UIAppearance {
    public class func appearance() -> Self { AppearanceProxies.proxy { self.init(coder: NSCoder()) } }
}

extension UIBarItem: UIAppearance {
    public class func appearance() -> Self { AppearanceProxies.proxy { ObjectCreation.make(self) } }
}

@MainActor
private enum AppearanceProxies {
    static var all: [ObjectIdentifier: AnyObject] = [:]

    static func proxy<Proxy: AnyObject>(_ make: () -> Proxy?) -> Proxy {
        if let known = all[ObjectIdentifier(Proxy.self)] as? Proxy { return known }
        guard let made = make() else { preconditionFailure("\(Proxy.self) cannot be created from a coder.") }
        all[ObjectIdentifier(Proxy.self)] = made
        return made
    }
}
