public import Foundation
import SystemPort

/// A container with a stack of controllers, of which the top one is on the screen.
///
/// Source: Apple, `UINavigationController`. There is no bar to see; a test calls what its buttons would.
@preconcurrency @MainActor
open class UINavigationController: UIViewController {
    /// The controllers on the stack, the root first.
    open private(set) var viewControllers: [UIViewController] = []
    /// The receiver of the changes.
    open weak var delegate: (any UINavigationControllerDelegate)?
    /// The bar with title and buttons.
    open private(set) lazy var navigationBar = UINavigationBar()
    /// Whether the bar is hidden; stored only.
    open var isNavigationBarHidden = false
    /// Whether the toolbar is hidden; stored only.
    open var isToolbarHidden = true
    /// The controller whose view is in the container's.
    private var shown: UIViewController?

    /// Creates a stack with one controller.
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        set([rootViewController])
    }

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// The controller on top; nil for an empty stack.
    open var topViewController: UIViewController? { viewControllers.last }
    /// The controller presented by the container, or the top one.
    open var visibleViewController: UIViewController? { presentedViewController ?? topViewController }

    open override func viewDidLoad() {
        super.viewDidLoad()
        showTop(animated: false)
    }

    /// Puts a controller on top, at once. One that is on the stack already is an error of the app.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        guard !viewControllers.contains(where: { $0 === viewController }) else {
            return RaisedException.raise(
                "Pushing the same view controller instance more than once is not supported (\(type(of: viewController)))",
                name: "NSInvalidArgumentException"
            )
        }
        set(viewControllers + [viewController], animated: animated)
    }

    /// - Returns: the controller that was on top; nil if only the first one is left.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard viewControllers.count > 1 else { return nil }
        let top = topViewController
        set(Array(viewControllers.dropLast()), animated: animated)
        return top
    }

    /// - Returns: the controllers that were on top of the first one.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        viewControllers.first.flatMap { popToViewController($0, animated: animated) }
    }

    /// - Returns: the controllers that were on top of this one; nil if it is not on the stack.
    @discardableResult
    open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
        guard let place = viewControllers.firstIndex(where: { $0 === viewController }) else { return nil }
        let gone = Array(viewControllers[(place + 1)...])
        set(Array(viewControllers[...place]), animated: animated)
        return gone
    }

    /// Replaces the whole stack, at once.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        set(viewControllers, animated: animated)
    }

    /// Shows or hides the bar, without an animation.
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) { isNavigationBarHidden = hidden }

    open override func show(_ vc: UIViewController, sender: Any?) { pushViewController(vc, animated: true) }

    private func set(_ new: [UIViewController], animated: Bool = false) {
        let gone = viewControllers.filter { old in !new.contains { $0 === old } }
        viewControllers = new
        navigationBar.items = new.map(\.navigationItem)
        for controller in new where controller.parent !== self { contain(controller) }
        guard isViewLoaded else { return gone.forEach(release) }
        Transitions.current.add { [self] in
            showTop(animated: animated)
            gone.forEach(release)
        }
    }

    /// Puts the top controller's view into the container's.
    private func showTop(animated: Bool) {
        let top = topViewController
        guard top !== shown else { return }
        let old = shown
        shown = top
        if let top { delegate?.navigationController(self, willShow: top, animated: animated) }
        old?.isMovingFromParent = old.map { each in !viewControllers.contains { $0 === each } } ?? false
        top?.isMovingToParent = true
        top?.view.map(view.addSubview)
        if isVisible { Self.replace(old, by: top, animated: animated) }
        old?.viewIfLoaded?.removeFromSuperview()
        old?.isMovingFromParent = false
        top?.isMovingToParent = false
        if let top { delegate?.navigationController(self, didShow: top, animated: animated) }
    }
}

/// The delegate of a navigation controller. All methods are optional.
///
/// Source: Apple, `UINavigationControllerDelegate`.
@preconcurrency @MainActor
public protocol UINavigationControllerDelegate: AnyObject {
    /// A controller is about to come to the top.
    func navigationController(
        _ navigationController: UINavigationController,
        willShow viewController: UIViewController,
        animated: Bool
    )
    /// A controller has come to the top.
    func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    )
}

extension UINavigationControllerDelegate {
    public func navigationController(
        _ navigationController: UINavigationController,
        willShow viewController: UIViewController,
        animated: Bool
    ) {}
    public func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    ) {}
}
