/// What a window shows. A value for app code to hold: Posthorn draws nothing.
open class UIViewController: UIResponder {
    open var title: String?
}

/// The app's window. A value for app code to hold: Posthorn draws nothing.
open class UIWindow: UIResponder {
    open var rootViewController: UIViewController?
    /// Windows begin hidden.
    open private(set) var isHidden = true
    open private(set) var isKeyWindow = false

    open func makeKeyAndVisible() {
        isHidden = false
        isKeyWindow = true
    }
}
