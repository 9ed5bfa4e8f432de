import Foundation

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
