public import Foundation
import SystemPort

extension UIApplication {
    /// The app's windows that have been shown and still exist, in the order in which they were shown first; also hidden ones.
    ///
    /// Source: Apple, `UIApplication.windows`. As on a phone, nobody but the app keeps a window.
    @available(iOS, introduced: 2.0, deprecated: 15.0, message: "Use UIWindowScene.windows.")
    public var windows: [UIWindow] { AppSlot.of(CurrentPort.find()).windows.compactMap(\.value) }

    /// The window that most recently became the key window; nil if there is none.
    @available(iOS, introduced: 2.0, deprecated: 13.0, message: "Use UIWindowScene.keyWindow.")
    public var keyWindow: UIWindow? {
        guard let window = AppSlot.of(CurrentPort.find()).keyWindow, window.isKeyWindow else { return nil }
        return window
    }
}

extension UIApplication {
    /// The place of the status bar: the upper 47 points of the screen.
    @available(iOS, introduced: 2.0, deprecated: 13.0, message: "Use UIWindowScene.statusBarManager.")
    public var statusBarFrame: CGRect { CGRect(x: 0, y: 0, width: UIScreen.main.bounds.width, height: 47) }
}

/// A window that somebody else keeps.
struct WeakWindow {
    weak var value: UIWindow?
}

extension [WeakWindow] {
    /// Appends a window once, and drops those that are gone.
    @MainActor
    mutating func note(_ window: UIWindow) {
        removeAll { $0.value == nil }
        if !contains(where: { $0.value === window }) { append(WeakWindow(value: window)) }
    }
}

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
