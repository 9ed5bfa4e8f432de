import Synchronization

/// Streams of elements by a key, each of what is passed from its beginning on.
package final class KeyedStreams<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [String: [Int: AsyncStream<Element>.Continuation]] = [:]
        var held: [String: [Element]] = [:]
        var lastListener = 0
    }

    private let state = Mutex(State())
    private let holds: Bool

    /// Creates the streams. If they hold, elements without a listener wait for the first one of their key.
    package init(holding: Bool) { holds = holding }

    /// Passes an element to the listeners of a key.
    package func pass(_ element: Element, to key: String) {
        let listeners = state.withLock { state in
            let listeners = Array((state.listeners[key] ?? [:]).values)
            if holds, listeners.isEmpty { state.held[key, default: []].append(element) }
            return listeners
        }
        for listener in listeners { listener.yield(element) }
    }

    /// Returns the stream of a key, which begins with what `begin` makes of the elements that waited.
    package func stream(of key: String, _ begin: ([Element]) -> [Element] = { $0 }) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream()
        let (number, held) = state.withLock { state in
            state.lastListener += 1
            state.listeners[key, default: [:]][state.lastListener] = continuation
            return (state.lastListener, state.held.removeValue(forKey: key) ?? [])
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners[key]?.removeValue(forKey: number) }
        }
        for element in begin(held) { continuation.yield(element) }
        return stream
    }
}
