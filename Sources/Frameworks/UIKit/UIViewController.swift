public import Foundation

/// The code behind a screen. A value for app code to hold: Posthorn draws nothing.
open class UIViewController: UIResponder {
    open var title: String?
    open var preferredContentSize = CGSize.zero
    private var loaded: UIView?

    /// Loaded when it is first asked for.
    open var view: UIView? {
        get {
            loadViewIfNeeded()
            return loaded
        }
        set { loaded = newValue }
    }

    open var isViewLoaded: Bool { loaded != nil }

    open func loadViewIfNeeded() {
        guard loaded == nil else { return }
        loaded = UIView(frame: UIScreen.main.bounds)
        viewDidLoad()
    }

    open func viewDidLoad() {}
}
