public import Foundation

/// The item of a controller in a navigation bar. Its values are kept; Posthorn draws no bar.
@preconcurrency @MainActor
open class UINavigationItem: NSObject {
    /// Whether a large title is shown. Raw values: Apple, `UINavigationItemLargeTitleDisplayMode`.
    public enum LargeTitleDisplayMode: Int, Sendable {
        /// As the item before it, always large, and never large.
        case automatic, always, never
    }

    /// The title; nil for none.
    open var title: String?
    /// A line above the title; stored only.
    open var prompt: String?
    /// A view in place of the title; stored only.
    open var titleView: UIView?
    /// The button by which the next screen leads back here; stored only.
    open var backBarButtonItem: UIBarButtonItem?
    /// The title of that button; stored only.
    open var backButtonTitle: String?
    /// Whether the button that leads back is missing; stored only.
    open var hidesBackButton = false
    /// The items on the left side; stored only.
    open var leftBarButtonItems: [UIBarButtonItem]?
    /// The items on the right side; stored only.
    open var rightBarButtonItems: [UIBarButtonItem]?
    /// The size of the title; stored only.
    open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic

    /// Creates an item with a title.
    public init(title: String) { self.title = title }

    /// The first of ``leftBarButtonItems``.
    open var leftBarButtonItem: UIBarButtonItem? {
        get { leftBarButtonItems?.first }
        set { leftBarButtonItems = newValue.map { [$0] } }
    }

    /// The first of ``rightBarButtonItems``.
    open var rightBarButtonItem: UIBarButtonItem? {
        get { rightBarButtonItems?.first }
        set { rightBarButtonItems = newValue.map { [$0] } }
    }

    /// Sets the item on the left side, without an animation.
    open func setLeftBarButton(_ item: UIBarButtonItem?, animated: Bool) { leftBarButtonItem = item }
    /// Sets the item on the right side, without an animation.
    open func setRightBarButton(_ item: UIBarButtonItem?, animated: Bool) { rightBarButtonItem = item }
}

/// The base class of items in bars.
@preconcurrency @MainActor
open class UIBarItem: NSObject {
    /// Whether it can be tapped.
    open var isEnabled = true
    /// The title; nil for none.
    open var title: String?
    /// The picture; nil for none.
    open var image: UIImage?
    /// A number for the app's own use.
    open var tag = 0

    public override nonisolated init() { super.init() }
}

/// An item in a tab bar. Its values are kept; Posthorn draws no bar.
@preconcurrency @MainActor
open class UITabBarItem: UIBarItem {
    /// The text of the red badge; nil for none. Stored only.
    open var badgeValue: String?
    /// The colour of the badge; stored only.
    open var badgeColor: UIColor?
    /// The picture while the tab is selected; nil for the same.
    open var selectedImage: UIImage?

    /// Creates an item with title, picture and tag.
    public convenience init(title: String?, image: UIImage?, tag: Int) {
        self.init()
        self.title = title
        self.image = image
        self.tag = tag
    }

    /// Creates an item with title and pictures.
    public convenience init(title: String?, image: UIImage?, selectedImage: UIImage?) {
        self.init(title: title, image: image, tag: 0)
        self.selectedImage = selectedImage
    }
}

/// A button in a bar. Posthorn draws no bar; ``primaryAction`` can be performed by the app's own code.
@preconcurrency @MainActor
open class UIBarButtonItem: UIBarItem {
    /// The look of a button. Raw values: Apple, `UIBarButtonItemStyle`.
    public enum Style: Int, Sendable {
        /// As usual.
        case plain = 0
        /// In bold, for the button that completes the task.
        case done = 2
    }

    /// A button of the system's. Raw values: Apple, `UIBarButtonSystemItem`.
    public enum SystemItem: Int, Sendable {
        /// The word for completing a task.
        case done = 0
        /// A word, a symbol or a space of the system.
        case cancel, edit, save, add, flexibleSpace, fixedSpace, compose, reply, action, organize, bookmarks, search
        /// A symbol of the system.
        case refresh, stop, camera, trash, play, pause, rewind, fastForward, undo, redo
        /// A cross.
        case close = 24
    }

    /// How the item is drawn; stored only.
    open var style = Style.plain
    /// The colour of the item; nil for the bar's. Stored only.
    open var tintColor: UIColor?
    /// A view in place of title and picture; nil for none.
    open var customView: UIView?
    /// The action that a tap performs; nil for none.
    open var primaryAction: UIAction?
    /// The object that the button tells. It is never told: Linux has no selectors.
    open weak var target: AnyObject?
    /// A placeholder; see ``target``.
    open var action: Selector?

    /// Creates an item with a title. The selector is never called, because Linux has no Objective-C.
    public convenience init(title: String?, style: Style, target: Any?, action: Selector?) {
        self.init()
        self.title = title
        self.style = style
        set(target, action)
    }

    /// Creates an item with a picture. The selector is never called, because Linux has no Objective-C.
    public convenience init(image: UIImage?, style: Style, target: Any?, action: Selector?) {
        self.init()
        self.image = image
        self.style = style
        set(target, action)
    }

    /// Creates an item of the system's. The selector is never called, because Linux has no Objective-C.
    public convenience init(barButtonSystemItem systemItem: SystemItem, target: Any?, action: Selector?) {
        self.init()
        set(target, action)
    }

    /// Creates an item that shows a view.
    public convenience init(customView: UIView) {
        self.init()
        self.customView = customView
    }

    /// Creates an item with title, picture and action.
    public convenience init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil) {
        self.init()
        self.title = title ?? primaryAction?.title
        self.image = image ?? primaryAction?.image
        self.primaryAction = primaryAction
    }

    /// Creates an item of the system's, with an action.
    public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil) {
        self.init()
        title = primaryAction?.title
        self.primaryAction = primaryAction
    }

    private func set(_ target: Any?, _ action: Selector?) {
        self.target = target as AnyObject?
        self.action = action
    }
}

/// A navigation bar. Its values are kept; Posthorn draws no bar.
@preconcurrency @MainActor
open class UINavigationBar: UIView {
    /// Whether titles are large; stored only.
    open var prefersLargeTitles = false
    /// The colour of the bar; stored only.
    open var barTintColor: UIColor?
    /// Whether content shows through the bar; stored only.
    open var isTranslucent = true
    /// The attributes of titles; stored only.
    open var titleTextAttributes: [NSAttributedString.Key: Any]?
    /// The attributes of large titles; stored only.
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any]?
    /// The picture of the bar's shadow; stored only.
    open var shadowImage: UIImage?

    /// The items of the stack, the root's first; nil for none. A navigation controller sets those of its controllers.
    open var items: [UINavigationItem]?
    /// The item that the bar shows; nil for none.
    open var topItem: UINavigationItem? { items?.last }
    /// The item below it, to which the button leads back; nil for none.
    open var backItem: UINavigationItem? { items?.dropLast().last }

    private var backgrounds: [UIBarMetrics: UIImage] = [:]

    /// Stores a picture behind the bar.
    open func setBackgroundImage(_ backgroundImage: UIImage?, for barMetrics: UIBarMetrics) {
        backgrounds[barMetrics] = backgroundImage
    }

    /// Returns the picture behind the bar; nil for none.
    open func backgroundImage(for barMetrics: UIBarMetrics) -> UIImage? { backgrounds[barMetrics] }
}

/// The height of a bar. Raw values: Apple, `UIBarMetrics`.
public enum UIBarMetrics: Int, Sendable {
    /// Upright.
    case `default` = 0
    /// On its side.
    case compact = 1
}

/// A tab bar. Its values are kept; Posthorn draws no bar.
@preconcurrency @MainActor
open class UITabBar: UIView {
    /// The tabs; nil for none.
    open var items: [UITabBarItem]?
    /// The colour of the bar; stored only.
    open var barTintColor: UIColor?
    /// Whether content shows through the bar; stored only.
    open var isTranslucent = true
}
