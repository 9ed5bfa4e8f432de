/// A placeholder for Objective-C's selectors, which Linux lacks: stored, never called. Callers pass nil.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
    public let name: String

    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { name = value }
}
