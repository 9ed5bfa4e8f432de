import Foundation

/// A container with a tab for each controller, of which the selected one is on the screen.
///
/// Source: Apple, `UITabBarController`. There is no bar to see; a test sets ``selectedIndex``.
@preconcurrency @MainActor
open class UITabBarController: UIViewController {
    /// The receiver of the changes.
    open weak var delegate: (any UITabBarControllerDelegate)?
    /// The bar with the tabs.
    open private(set) lazy var tabBar = UITabBar()
    private var contained: [UIViewController] = []
    private var selected: UIViewController?
    /// The controller whose view is in the container's.
    private var shown: UIViewController?

    /// The controllers of the tabs, in their order. The first one is selected, unless the selected one is still among them.
    open var viewControllers: [UIViewController]? {
        get { contained }
        set { setViewControllers(newValue, animated: false) }
    }

    /// Replaces the tabs, without an animation.
    open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
        let new = viewControllers ?? []
        let gone = contained.filter { old in !new.contains { $0 === old } }
        contained = new
        for controller in new where controller.parent !== self { contain(controller) }
        tabBar.items = new.compactMap(\.tabBarItem)
        if selected.map({ old in !new.contains { $0 === old } }) ?? true { selected = new.first }
        update { gone.forEach(self.release) }
    }

    /// The controller of the selected tab; nil without tabs.
    open var selectedViewController: UIViewController? {
        get { selected }
        set {
            guard let newValue, contained.contains(where: { $0 === newValue }) else { return }
            selected = newValue
            update()
        }
    }

    /// The number of the selected tab; `NSNotFound` without tabs.
    open var selectedIndex: Int {
        get { contained.firstIndex { $0 === selected } ?? NSNotFound }
        set {
            guard contained.indices.contains(newValue) else { return }
            selectedViewController = contained[newValue]
        }
    }

    open override func viewDidLoad() {
        super.viewDidLoad()
        showSelected()
    }

    private func update(_ then: @escaping () -> Void = {}) {
        guard isViewLoaded else { return then() }
        Transitions.current.add { [self] in
            showSelected()
            then()
        }
    }

    private func showSelected() {
        guard selected !== shown else { return }
        let old = shown
        shown = selected
        selected?.view.map(view.addSubview)
        if isVisible { Self.replace(old, by: selected, animated: false) }
        old?.viewIfLoaded?.removeFromSuperview()
    }
}

/// The delegate of a tab bar controller. It is told of the user's taps on tabs, of which there are none.
///
/// Source: Apple, `UITabBarControllerDelegate`.
@preconcurrency @MainActor
public protocol UITabBarControllerDelegate: AnyObject {
    /// The user, or the app, selected a tab.
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
    /// Whether a tab may be selected; only asked for a user's tap, and nobody taps views here.
    func tabBarController(_ tabBarController: UITabBarController, shouldSelect viewController: UIViewController) -> Bool
}

extension UITabBarControllerDelegate {
    public func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {}
    public func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelect viewController: UIViewController
    ) -> Bool { true }
}
