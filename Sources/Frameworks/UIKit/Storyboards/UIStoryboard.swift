public import Foundation

/// A storyboard, by its name. Posthorn cannot read it: to create a controller from it raises an exception that names both, and says
/// what to do instead.
///
/// Source: Apple, `UIStoryboard`.
@preconcurrency @MainActor
open class UIStoryboard: NSObject {
    private let name: String

    /// Creates a storyboard; its file is not read, because nothing can compile it on Linux.
    public init(name: String, bundle storyboardBundleOrNil: Bundle?) { self.name = name }

    /// Raises an exception; returns nil within `RaisedException.catching(_:)`.
    open func instantiateInitialViewController() -> UIViewController? {
        MissingNib.raise(storyboard: name, controller: nil)
        return nil
    }

    /// Raises an exception; returns nil within `RaisedException.catching(_:)`.
    public func instantiateInitialViewController<ViewController: UIViewController>(
        creator: ((NSCoder) -> ViewController?)? = nil
    ) -> ViewController? {
        MissingNib.raise(storyboard: name, controller: nil)
        return nil
    }

    /// Raises an exception; returns an empty controller within `RaisedException.catching(_:)`.
    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        MissingNib.raise(storyboard: name, controller: identifier)
        return UIViewController()
    }

    /// Raises an exception; returns a controller created with `init(nibName:bundle:)` within `RaisedException.catching(_:)`.
    public func instantiateViewController<ViewController: UIViewController>(
        identifier: String,
        creator: ((NSCoder) -> ViewController?)? = nil
    ) -> ViewController {
        MissingNib.raise(storyboard: name, controller: identifier)
        return UIViewController.make(ViewController.self)
    }
}
