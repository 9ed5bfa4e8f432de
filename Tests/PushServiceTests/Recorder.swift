import Synchronization

/// Keeps what happens in its order, and lets a test wait for it.
final class Recorder<Element: Sendable>: Sendable {
    private struct Waiter {
        var isOver: @Sendable ([Element]) -> Bool
        var continuation: CheckedContinuation<[Element], Never>
    }

    private struct State {
        var elements: [Element] = []
        var nextID = 0
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    var elements: [Element] { state.withLock(\.elements) }

    /// - Returns: how many there are now.
    @discardableResult
    func add(_ element: Element) -> Int {
        let (count, elements, woken) = state.withLock { state in
            state.elements.append(element)
            let over = state.waiters.filter { $0.value.isOver(state.elements) }
            for id in over.keys { state.waiters[id] = nil }
            return (state.elements.count, state.elements, over.values.map(\.continuation))
        }
        for continuation in woken { continuation.resume(returning: elements) }
        return count
    }

    /// Returns when what was recorded satisfies `isOver`, or the test is cancelled by its time limit.
    @discardableResult
    func wait(until isOver: @escaping @Sendable ([Element]) -> Bool) async -> [Element] {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let elements: [Element]? = state.withLock { state in
                    if isOver(state.elements) || state.cancelled.contains(id) { return state.elements }
                    state.waiters[id] = Waiter(isOver: isOver, continuation: continuation)
                    return nil
                }
                if let elements { continuation.resume(returning: elements) }
            }
        } onCancel: {
            let (waiter, elements) = state.withLock { state in
                state.cancelled.insert(id)
                return (state.waiters.removeValue(forKey: id), state.elements)
            }
            waiter?.continuation.resume(returning: elements)
        }
    }

    @discardableResult
    func wait(for count: Int) async -> [Element] {
        await wait { $0.count >= count }
    }
}
