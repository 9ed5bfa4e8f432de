public import Foundation

/// The controller of a screen. A value for app code to hold: Posthorn draws nothing.
open class UIViewController: UIResponder {
    open var title: String?
    open var preferredContentSize = CGSize.zero
    /// The interface to the system in an extension; nil in an app.
    open package(set) var extensionContext: NSExtensionContext?
    private var loaded: UIView?
    private var firstFrame: CGRect?

    /// The view, loaded on first access. Apple's type: apps write `view.addSubview(…)`.
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

    /// Creates the view, in the size of the screen or of an extension's area.
    open func loadView() { view = UIView(frame: firstFrame ?? UIScreen.main.bounds) }

    open func loadViewIfNeeded() {
        guard loaded == nil else { return }
        loadView()
        viewDidLoad()
    }

    open func viewDidLoad() {}

    open override var next: UIResponder? { loaded?.superview ?? loaded?.window }

    /// Loads the view of an extension in its area.
    package func loadView(in frame: CGRect) {
        firstFrame = frame
        loadViewIfNeeded()
    }
}
