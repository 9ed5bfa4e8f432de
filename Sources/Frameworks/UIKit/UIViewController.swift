public import Foundation

/// The code behind a screen. A value for app code to hold: Posthorn draws nothing.
open class UIViewController: UIResponder {
    open var title: String?
    open var preferredContentSize = CGSize.zero
    private var loaded: UIView?

    /// Loaded when it is first asked for. Apple's type: apps write `view.addSubview(…)`.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loaded
        }
        set {
            loaded?.controller = nil
            loaded = newValue
            loaded?.controller = self
        }
    }

    open var isViewLoaded: Bool { loaded != nil }
    open var viewIfLoaded: UIView? { loaded }

    /// Makes the view, as large as the screen.
    open func loadView() { view = UIView(frame: UIScreen.main.bounds) }

    open func loadViewIfNeeded() {
        guard loaded == nil else { return }
        loadView()
        viewDidLoad()
    }

    open func viewDidLoad() {}

    open override var next: UIResponder? { loaded?.superview ?? loaded?.window }
}
