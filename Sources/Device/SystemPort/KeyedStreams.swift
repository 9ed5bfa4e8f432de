import Synchronization

/// Streams of elements by a key, each of what is passed from its beginning on.
package final class KeyedStreams<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [String: Listeners<Element>] = [:]
        var held: [String: [Element]] = [:]
    }

    private let state = Mutex(State())
    private let holds: Bool

    /// Creates the streams. If they hold, elements without a listener wait for the first one of their key.
    package init(holding: Bool) { holds = holding }

    /// Passes an element to the listeners of a key.
    package func pass(_ element: Element, to key: String) {
        state.withLock { state in
            state.listeners[key, default: Listeners()].pass(element)
            if holds, state.listeners[key]?.isEmpty == true { state.held[key, default: []].append(element) }
        }
    }

    /// Returns the stream of a key, which begins with what `begin` makes of the elements that waited.
    package func stream(of key: String, _ begin: ([Element]) -> [Element] = { $0 }) -> AsyncStream<Element> {
        let (added, held) = state.withLock { state in
            (state.listeners[key, default: Listeners()].add(), state.held.removeValue(forKey: key) ?? [])
        }
        for element in begin(held) { added.continuation.yield(element) }
        return added.stream
    }
}
