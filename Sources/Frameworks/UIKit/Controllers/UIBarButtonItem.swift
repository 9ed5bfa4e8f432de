public import Foundation

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
