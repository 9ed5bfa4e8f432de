public import Foundation

/// The base class of actions and menus.
@preconcurrency @MainActor
open class UIMenuElement: NSObject {
    /// The look of an element. Raw values: Apple, `UIMenuElementAttributes`.
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// It cannot be chosen.
        public static let disabled = Self(rawValue: 1)
        /// It destroys something.
        public static let destructive = Self(rawValue: 2)
        /// It is not shown.
        public static let hidden = Self(rawValue: 4)
    }

    /// The mark beside an element. Raw values: Apple, `UIMenuElementState`.
    public enum State: Int, Sendable {
        /// Not chosen, chosen, and chosen in part.
        case off, on, mixed
    }

    /// The title; empty for none.
    open internal(set) var title: String
    /// The picture; nil for none.
    open internal(set) var image: UIImage?

    init(title: String, image: UIImage?) {
        self.title = title
        self.image = image
    }
}

/// A menu of actions. Its values are kept; Posthorn draws no menu.
@preconcurrency @MainActor
open class UIMenu: UIMenuElement {
    /// The elements of the menu.
    open private(set) var children: [UIMenuElement]

    /// Creates a menu.
    public init(title: String = "", image: UIImage? = nil, children: [UIMenuElement] = []) {
        self.children = children
        super.init(title: title, image: image)
    }
}
