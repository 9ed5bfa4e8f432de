public import Foundation

/// The item of a controller in a navigation bar. Its values are kept; Posthorn draws no bar.
@preconcurrency @MainActor
open class UINavigationItem: NSObject {
    /// Whether a large title is shown. Raw values: Apple, `UINavigationItemLargeTitleDisplayMode`.
    public enum LargeTitleDisplayMode: Int, Sendable {
        case automatic = 0
        case always = 1
        case never = 2
    }

    open var title: String?
    open var prompt: String?
    open var titleView: UIView?
    open var backBarButtonItem: UIBarButtonItem?
    open var backButtonTitle: String?
    open var hidesBackButton = false
    open var leftBarButtonItems: [UIBarButtonItem]?
    open var rightBarButtonItems: [UIBarButtonItem]?
    open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic

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

    open func setLeftBarButton(_ item: UIBarButtonItem?, animated: Bool) { leftBarButtonItem = item }
    open func setRightBarButton(_ item: UIBarButtonItem?, animated: Bool) { rightBarButtonItem = item }
}

/// The base class of items in bars.
@preconcurrency @MainActor
open class UIBarItem: NSObject {
    open var isEnabled = true
    open var title: String?
    open var image: UIImage?
    open var tag = 0

    public override nonisolated init() { super.init() }
}

/// An item in a tab bar. Its values are kept; Posthorn draws no bar.
@preconcurrency @MainActor
open class UITabBarItem: UIBarItem {
    open var badgeValue: String?
    open var badgeColor: UIColor?
    open var selectedImage: UIImage?

    public convenience init(title: String?, image: UIImage?, tag: Int) {
        self.init()
        self.title = title
        self.image = image
        self.tag = tag
    }

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
        case plain = 0
        case done = 2
    }

    /// A button of the system's. Raw values: Apple, `UIBarButtonSystemItem`.
    public enum SystemItem: Int, Sendable {
        case done = 0
        case cancel, edit, save, add, flexibleSpace, fixedSpace, compose, reply, action, organize, bookmarks, search
        case refresh, stop, camera, trash, play, pause, rewind, fastForward, undo, redo
        case close = 24
    }

    open var style = Style.plain
    open var tintColor: UIColor?
    open var customView: UIView?
    open var primaryAction: UIAction?
    /// The object that the button tells. It is never told: Linux has no selectors.
    open weak var target: AnyObject?
    /// A placeholder; see ``target``.
    open var action: Selector?

    public convenience init(title: String?, style: Style, target: Any?, action: Selector?) {
        self.init()
        self.title = title
        self.style = style
        set(target, action)
    }

    public convenience init(image: UIImage?, style: Style, target: Any?, action: Selector?) {
        self.init()
        self.image = image
        self.style = style
        set(target, action)
    }

    public convenience init(barButtonSystemItem systemItem: SystemItem, target: Any?, action: Selector?) {
        self.init()
        set(target, action)
    }

    public convenience init(customView: UIView) {
        self.init()
        self.customView = customView
    }

    public convenience init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil) {
        self.init()
        self.title = title ?? primaryAction?.title
        self.image = image ?? primaryAction?.image
        self.primaryAction = primaryAction
    }

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
    open var prefersLargeTitles = false
    open var barTintColor: UIColor?
    open var isTranslucent = true
}

/// A tab bar. Its values are kept; Posthorn draws no bar.
@preconcurrency @MainActor
open class UITabBar: UIView {
    open var items: [UITabBarItem]?
    open var barTintColor: UIColor?
    open var isTranslucent = true
}
