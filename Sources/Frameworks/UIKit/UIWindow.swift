public import Foundation

/// The app's window. A value for app code to hold: Posthorn draws nothing.
open class UIWindow: UIView {
    /// The root view controller, whose view is loaded when the window is shown.
    open var rootViewController: UIViewController? {
        didSet {
            if oldValue?.isViewLoaded == true { oldValue?.view.removeFromSuperview() }
            if !isHidden { showRoot() }
        }
    }
    open internal(set) var isKeyWindow = false

    /// The window's scene; initially nil, unless the window is created for one.
    open weak var windowScene: UIWindowScene? {
        didSet {
            oldValue?.remove(self)
            if !isHidden { windowScene?.show(self) }
        }
    }

    /// Creates a window, which is initially hidden.
    public override nonisolated init() {
        super.init()
        hide()
    }

    /// Creates a window in a scene, in the size of its screen.
    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: windowScene.screen.bounds)
        self.windowScene = windowScene
    }

    private nonisolated func hide() {
        // An app creates its windows on the main thread, as Apple requires.
        MainActor.assumeIsolated { isHidden = true }
    }

    open override var window: UIWindow? { self }
    open override var next: UIResponder? { windowScene ?? UIApplication.shared }

    open func makeKeyAndVisible() {
        isHidden = false
        isKeyWindow = true
        windowScene?.show(self)
        showRoot()
    }

    private func showRoot() {
        guard let view = rootViewController?.view, view.superview !== self else { return }
        addSubview(view)
    }
}

/// The device's screen, in points.
@preconcurrency @MainActor
open class UIScreen: NSObject {
    private static let only = UIScreen(inside: ())

    private init(inside: Void) {}

    open class var main: UIScreen { only }

    open var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }
    open var scale: CGFloat { 3 }
}
