import Synchronization

/// Keeps the elements that a store hands out, in their order.
final class Collected<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])

    var elements: [Element] { list.withLock(\.self) }

    func add(_ element: Element) { list.withLock { $0.append(element) } }
}
