public import Foundation
import SystemPort

extension UIApplication {
    /// The app's windows that have been shown and still exist, in the order in which they were shown first; also hidden ones.
    ///
    /// Source: Apple, `UIApplication.windows`. As on a phone, nobody but the app keeps a window.
    @available(iOS, introduced: 2.0, deprecated: 15.0, message: "Use UIWindowScene.windows.")
    public var windows: [UIWindow] { AppSlot.current.windows.compactMap(\.value) }

    /// The window that most recently became the key window; nil if there is none.
    @available(iOS, introduced: 2.0, deprecated: 13.0, message: "Use UIWindowScene.keyWindow.")
    public var keyWindow: UIWindow? {
        guard let window = AppSlot.current.keyWindow, window.isKeyWindow else { return nil }
        return window
    }
}

extension UIApplication {
    /// The place of the status bar: the upper 47 points of the screen.
    @available(iOS, introduced: 2.0, deprecated: 13.0, message: "Use UIWindowScene.statusBarManager.")
    public var statusBarFrame: CGRect { CGRect(x: 0, y: 0, width: UIScreen.main.bounds.width, height: 47) }
}
