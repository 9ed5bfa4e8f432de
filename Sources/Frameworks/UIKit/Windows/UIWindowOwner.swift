public import Foundation
import SystemPort

/// The main window of an app or a scene, as the delegate's own property has it.
///
/// Apple's is an optional property of `UIApplicationDelegate`, which is why its type there is `UIWindow??`; a class that has it writes
/// `var window: UIWindow?`.
@MainActor
@preconcurrency public protocol UIWindowOwner: NSObjectProtocol {
    /// The main window, if the class has this property.
    @_disfavoredOverload var window: UIWindow? { get set }
}

extension UIWindowOwner {
    @_disfavoredOverload public var window: UIWindow? {
        get { MethodProbe.missed(nil) }
        set {}
    }
}

extension UIApplicationDelegate {
    /// The main window of an app without scenes; nil for a class without this property.
    public var window: UIWindow?? {
        var own: UIWindow?
        return MethodProbe.reaches { own = self.window } ? .some(own) : nil
    }
}

extension UIWindowSceneDelegate {
    /// The main window of the scene; nil for a class without this property.
    public var window: UIWindow?? {
        var own: UIWindow?
        return MethodProbe.reaches { own = self.window } ? .some(own) : nil
    }
}
