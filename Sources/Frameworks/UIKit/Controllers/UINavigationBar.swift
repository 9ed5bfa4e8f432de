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
