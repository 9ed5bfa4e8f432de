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

/// An action with a closure.
///
/// Source: Apple, `UIAction`.
@preconcurrency @MainActor
open class UIAction: UIMenuElement {
    /// The name of an action.
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Creates an identifier.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    /// The identifier, by which a control replaces or removes the action; unique if none was given.
    public let identifier: Identifier
    /// A longer title for explanations; stored only.
    open var discoverabilityTitle: String?
    /// How the element is shown; stored only.
    open var attributes: UIMenuElement.Attributes
    /// Whether the element has a mark; stored only.
    open var state: UIMenuElement.State
    /// The object that performs the action, while it does.
    open private(set) var sender: Any?
    private let handler: UIActionHandler

    /// Creates an action that the handler performs.
    public init(
        title: String = "",
        image: UIImage? = nil,
        identifier: Identifier? = nil,
        discoverabilityTitle: String? = nil,
        attributes: UIMenuElement.Attributes = [],
        state: UIMenuElement.State = .off,
        handler: @escaping UIActionHandler
    ) {
        self.identifier = identifier ?? Identifier("com.apple.action.dynamic.\(UUID().uuidString)")
        self.discoverabilityTitle = discoverabilityTitle
        self.attributes = attributes
        self.state = state
        self.handler = handler
        super.init(title: title, image: image)
    }

    func perform(from sender: Any?) {
        guard !attributes.contains(.disabled) else { return }
        self.sender = sender
        handler(self)
        self.sender = nil
    }
}

/// The code of an action.
public typealias UIActionHandler = (_ action: UIAction) -> Void

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
