/// The streams of those who hear of something, until it is over. A stream that nobody reads any more is forgotten with the next
/// element.
package struct Listeners<Element: Sendable>: Sendable {
    private var continuations: [AsyncStream<Element>.Continuation] = []
    package private(set) var isOver = false

    package init() {}

    package var isEmpty: Bool { continuations.isEmpty }

    /// Adds a stream of these elements and what is passed from now on; it ends after these if it is over.
    package mutating func add(
        bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded,
        after elements: [Element] = []
    ) -> (stream: AsyncStream<Element>, continuation: AsyncStream<Element>.Continuation) {
        let added = AsyncStream<Element>.makeStream(bufferingPolicy: bufferingPolicy)
        for element in elements { added.continuation.yield(element) }
        if isOver { added.continuation.finish() } else { continuations.append(added.continuation) }
        return added
    }

    package mutating func pass(_ element: Element) {
        continuations.removeAll { if case .terminated = $0.yield(element) { true } else { false } }
    }

    package mutating func finish() {
        isOver = true
        for continuation in continuations { continuation.finish() }
        continuations = []
    }
}
