public import Foundation

/// A placeholder for Objective-C's selectors, which Linux lacks: stored, never called. Callers pass nil.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name, such as `tap:`.
    public let name: String

    /// Creates a selector from its name.
    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { name = value }
}

extension NotificationCenter {
    /// Says what to write instead: Linux has no selectors.
    @available(*, unavailable, message: "Linux has no selectors: use addObserver(forName:object:queue:using:).")
    public func addObserver(_ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?) {}
}
