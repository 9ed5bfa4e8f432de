import Synchronization

/// Keeps what happens in its order, and lets a test wait for it.
package final class Recorder<Element: Sendable>: Sendable {
    private struct Waiter {
        /// How many more elements have to match.
        var missing: Int
        var matches: @Sendable (Element) -> Bool
        var continuation: CheckedContinuation<[Element]?, Never>
    }

    private struct State {
        var elements: [Element] = []
        var nextID = 0
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []

        /// - Returns: the waiters that this element satisfies.
        mutating func add(_ element: Element) -> [Waiter] {
            elements.append(element)
            var satisfied: [Waiter] = []
            for (id, var waiter) in waiters where waiter.matches(element) {
                waiter.missing -= 1
                waiters[id] = waiter.missing > 0 ? waiter : nil
                if waiter.missing <= 0 { satisfied.append(waiter) }
            }
            return satisfied
        }
    }

    private let state = Mutex(State())

    package init() {}

    package var elements: [Element] { state.withLock(\.elements) }

    /// - Returns: how many there are now.
    @discardableResult
    package func add(_ element: Element) -> Int {
        let (count, satisfied, elements) = state.withLock { state in
            let satisfied = state.add(element)
            // A copy that is kept makes the next element copy them all.
            return (state.elements.count, satisfied, satisfied.isEmpty ? [] : state.elements)
        }
        for waiter in satisfied { waiter.continuation.resume(returning: elements) }
        return count
    }

    /// Returns when so many elements have been recorded that match.
    ///
    /// - Returns: all elements.
    /// - Throws: ``UnmetCondition``.
    @discardableResult
    package func wait(
        for count: Int,
        file: String = #fileID,
        line: Int = #line,
        where matches: @escaping @Sendable (Element) -> Bool = { _ in true }
    ) async throws -> [Element] {
        try await event("\(count) of \(Element.self) are recorded", file: file, line: line) {
            guard let elements = await self.reach(count, matches) else { throw CancellationError() }
            return elements
        }
    }

    /// - Returns: all elements once so many match; nil when the task is cancelled.
    @discardableResult
    package func reach(
        _ count: Int,
        _ matches: @escaping @Sendable (Element) -> Bool = { _ in true }
    ) async -> [Element]? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: [Element]?? = state.withLock { state in
                    if state.cancelled.contains(id) { return .some(nil) }
                    let missing = count - state.elements.count(where: matches)
                    if missing <= 0 { return state.elements }
                    state.waiters[id] = Waiter(missing: missing, matches: matches, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(id)
                return state.waiters.removeValue(forKey: id)
            }
            waiter?.continuation.resume(returning: nil)
        }
    }
}
