import CObjectCreation
public import Foundation
import SystemPort
import UserNotifications

/// The controller of a screen. Posthorn draws nothing, but calls its life cycle in Apple's order.
///
/// Source: Apple, `UIViewController`. The callbacks are made when the controller's view enters or leaves a window: as the root of
/// a visible window, in a container, or presented. They follow the code that causes them (`Transitions`), and do not follow the
/// app's way to the background and back, as on iOS.
@preconcurrency @MainActor
open class UIViewController: UIResponderWithoutInit {
    /// The title; also of its items in bars.
    open var title: String? {
        didSet {
            navigationItem.title = title
            tabBarItem?.title = title
        }
    }
    /// The size that the controller wants in a popover or a container.
    open var preferredContentSize = CGSize.zero
    /// The interface to the system in an extension; nil in an app.
    open package(set) var extensionContext: NSExtensionContext?
    /// The name of the nib; nil for none.
    public let nibName: String?
    /// The bundle of the nib; nil for the main one.
    public let nibBundle: Bundle?
    /// The storyboard that it comes from: none, because Posthorn reads no storyboards.
    open var storyboard: UIStoryboard? { nil }

    /// How it is presented; stored only.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    /// How it appears; stored only.
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    /// Whether swiping a sheet down does not close it; stored only.
    open var isModalInPresentation = false
    /// Whether its area is the one of its presentations; stored only.
    open var definesPresentationContext = false
    /// The edges that its view extends under; stored only.
    open var edgesForExtendedLayout: UIRectEdge = .all
    /// Whether the tab bar hides while it is on a stack; stored only.
    open var hidesBottomBarWhenPushed = false

    /// The container that it is in; nil for none.
    open internal(set) weak var parent: UIViewController?
    /// The controllers that it contains.
    open internal(set) var children: [UIViewController] = []
    /// Whether it is being presented, within the calls about that.
    open internal(set) var isBeingPresented = false
    /// Whether it is being dismissed, within the calls about that.
    open internal(set) var isBeingDismissed = false
    /// Whether it is being added to a container, within the calls about that.
    open internal(set) var isMovingToParent = false
    /// Whether it is being removed from a container, within the calls about that.
    open internal(set) var isMovingFromParent = false

    /// The item that represents it in a navigation bar.
    open private(set) lazy var navigationItem = UINavigationItem(title: title ?? "")
    /// The item that represents it in a tab bar.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open lazy var tabBarItem: UITabBarItem! = UITabBarItem(title: title, image: nil, tag: 0)

    private lazy var popover = UIPopoverPresentationController()
    /// The place at which its bubble begins; nil unless its style is `popover`.
    open var popoverPresentationController: UIPopoverPresentationController? {
        modalPresentationStyle == .popover ? popover : nil
    }

    enum Appearance {
        case disappeared, appearing, appeared, disappearing
    }

    var appearance = Appearance.disappeared
    /// Whether ``viewIsAppearing(_:)`` and the layout of the current appearance are done.
    var isLaidOut = false
    var isAnimated = false
    /// Whether its window, container or presenter makes it appear; otherwise the place of its view decides.
    var isDriven = false
    var presented: UIViewController?
    weak var presenter: UIViewController?
    private var loaded: UIView?
    private var firstFrame: CGRect?
    private var isLoading = false

    /// Creates a view controller.
    ///
    /// - Parameters:
    ///   - nibNameOrNil: the nib with the view. Posthorn reads no nibs: loading the view raises an exception that says so.
    ///   - nibBundleOrNil: the nib's bundle.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        nibName = nibNameOrNil
        nibBundle = nibBundleOrNil
        super.init(inside: ())
        MemoryWarnings.of(CurrentPort.ifKnown).add(self)
    }

    /// Creates a view controller as from a storyboard. Linux has none: only an app's own archives call it.
    public required init?(coder: NSCoder) {
        nibName = nil
        nibBundle = nil
        super.init(inside: ())
        MemoryWarnings.of(CurrentPort.ifKnown).add(self)
    }

    /// Creates a controller whose view is empty, or comes from a nib with its name.
    public convenience init() { self.init(nibName: nil, bundle: nil) }

    // MARK: The view

    /// The view, loaded on first access. Apple's type: apps write `view.addSubview(…)`.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loaded
        }
        set {
            if loaded?.controller === self { loaded?.controller = nil }
            loaded = newValue
            newValue?.controller = self
        }
    }

    /// Whether the view exists already; asking does not load it.
    open var isViewLoaded: Bool { loaded != nil }
    /// The view; nil if it was not loaded yet.
    open var viewIfLoaded: UIView? { loaded }

    /// Creates the view, in the size of the screen or of an extension's area.
    open func loadView() {
        if let nibName { MissingNib.raise(nibName, in: nibBundle) }
        view = UIView(frame: firstFrame ?? UIScreen.main.bounds)
    }

    /// Loads the view, unless it exists already.
    open func loadViewIfNeeded() {
        guard loaded == nil, !isLoading else { return }
        isLoading = true
        loadView()
        isLoading = false
        viewDidLoad()
    }

    open override var next: UIResponder? { loaded?.superview ?? presenter ?? loaded?.window }

    /// Loads the view of an extension in its area.
    package func loadView(in frame: CGRect) {
        firstFrame = frame
        loadViewIfNeeded()
    }

    // MARK: The life cycle, for subclasses to override

    /// The view has been loaded, once.
    open func viewDidLoad() {}
    /// The view is about to appear in a window.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called after ``viewWillAppear(_:)``, when the view is in the hierarchy.
    open func viewIsAppearing(_ animated: Bool) {}
    /// The views below are about to be laid out.
    open func viewWillLayoutSubviews() {}
    /// The views below have been laid out.
    open func viewDidLayoutSubviews() {}
    /// The view has appeared in a window.
    open func viewDidAppear(_ animated: Bool) {}
    /// The view is about to leave the window.
    open func viewWillDisappear(_ animated: Bool) {}
    /// The view has left the window.
    open func viewDidDisappear(_ animated: Bool) {}
    /// Called when the app receives a memory warning.
    open func didReceiveMemoryWarning() {}

    // MARK: Containment

    /// Adds a child. Its view appears once the app adds it to this controller's view.
    open func addChild(_ childController: UIViewController) { adopt(childController) }

    /// Leaves its container.
    open func removeFromParent() { leaveParent() }

    /// Called before the parent changes; an app calls it with nil before it removes a child.
    open func willMove(toParent parent: UIViewController?) {}
    /// Called after the parent has changed; an app calls it after it has added a child.
    open func didMove(toParent parent: UIViewController?) {}

    /// Whether its children's views appear and disappear with its own.
    open var shouldAutomaticallyForwardAppearanceMethods: Bool { true }

    // MARK: Presentation

    /// The controller that it or one of its ancestors presents.
    open var presentedViewController: UIViewController? { root.presented }
    /// The controller that presents it or one of its ancestors.
    open var presentingViewController: UIViewController? { root.presenter }

    /// Presents another controller in front of this one.
    ///
    /// A warning on standard error says why nothing is presented, as on iOS: this controller's view is not in a window, or it
    /// presents another one already.
    ///
    /// - Parameters:
    ///   - viewControllerToPresent: the other controller.
    ///   - flag: passed on to the appearance callbacks; an animation takes no time here.
    ///   - completion: called after the other's `viewDidAppear(_:)`.
    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) { Presentation(of: viewControllerToPresent, from: self, animated: flag).begin(completion) }

    /// Dismisses the controller that this one presents, with all that it presents; otherwise this one.
    ///
    /// - Parameters:
    ///   - flag: passed on to the appearance callbacks; an animation takes no time here.
    ///   - completion: called after the other's `viewDidDisappear(_:)`.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        if let presented = root.presented {
            Presentation(of: presented, from: root, animated: flag).end(completion)
        } else if let presenter = root.presenter {
            presenter.dismiss(animated: flag, completion: completion)
        }
    }

    /// Shows a controller: a navigation controller around this one pushes it, otherwise it is presented.
    open func show(_ vc: UIViewController, sender: Any?) {
        if let navigationController {
            navigationController.show(vc, sender: sender)
        } else {
            present(vc, animated: true)
        }
    }

    // MARK: Storyboards, of which there are none

    /// Called on objects from a nib; on none here.
    open func awakeFromNib() {}
    /// A segue is about to be performed, with `sender` as its cause.
    open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}
    /// Whether a segue may be performed; true unless overridden.
    open func shouldPerformSegue(withIdentifier identifier: String, sender: Any?) -> Bool { true }

    /// Raises an exception that names the segue, as on iOS for one that is not in the storyboard.
    open func performSegue(withIdentifier identifier: String, sender: Any?) {
        MissingNib.raise(segue: identifier, of: self)
    }

    // MARK: Values that the system asks for. Nothing is drawn or rotated, so it does not ask.

    /// The style of the status bar; unread, as none is drawn.
    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    /// Whether the status bar is hidden; unread, as none is drawn.
    open var prefersStatusBarHidden: Bool { false }
    /// Whether the content turns with the device.
    open var shouldAutorotate: Bool { true }
    /// Does nothing: no status bar is drawn.
    open func setNeedsStatusBarAppearanceUpdate() {}
    /// Begins or ends editing, without an animation.
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }
    /// Whether the user can edit the content.
    open var isEditing = false
}

extension UIViewController: OwnCreation {
    /// Creates a controller whose class is known at run time only, with its `init(nibName:bundle:)`.
    ///
    /// A class without that initialiser, because only another one sets all its stored properties, ends the process with Swift's
    /// message.
    static func make<Controller: UIViewController>(_ type: Controller.Type) -> Controller {
        let pointer = unsafe unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
        let object = unsafe Unmanaged<UIViewController>.fromOpaque(create_view_controller(pointer)).takeRetainedValue()
        return unsafe unsafeDowncast(object, to: type)
    }

    package static nonisolated func makeObject() -> NSObject { MainActor.assumeIsolated { make(self) } }
}
