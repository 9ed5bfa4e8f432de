import Synchronization

/// A counter for use on any thread.
public final class Counter: Sendable {
    private let count = Atomic(0)

    public init() {}

    public var value: Int { count.load(ordering: .relaxed) }

    /// Adds to the count. Returns the count before.
    @discardableResult
    public func add() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}
