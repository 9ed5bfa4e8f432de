public import Foundation

/// The code behind a screen. A value for app code to hold: Posthorn draws nothing.
open class UIViewController: UIResponder {
    open var title: String?
    open var preferredContentSize = CGSize.zero
    /// In an extension, its way to the system; nil in an app.
    open package(set) var extensionContext: NSExtensionContext?
    private var loaded: UIView?
    private var firstFrame: CGRect?

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

    /// Makes the view, as large as the screen or the place that an extension has.
    open func loadView() { view = UIView(frame: firstFrame ?? UIScreen.main.bounds) }

    open func loadViewIfNeeded() {
        guard loaded == nil else { return }
        loadView()
        viewDidLoad()
    }

    open func viewDidLoad() {}

    open override var next: UIResponder? { loaded?.superview ?? loaded?.window }

    /// Loads the view of an extension in its place.
    package func loadView(in frame: CGRect) {
        firstFrame = frame
        loadViewIfNeeded()
    }
}
