import Synchronization

/// Keeps the last happenings and hands new ones to whoever listens; nobody who is slow holds up the device.
final class HappeningFeed: Sendable {
    static let memory = 1000

    private struct State {
        /// Full, it is a ring that begins at `oldest`: nothing moves.
        var ring: [Happening] = []
        var oldest = 0
        var next = 0
        var listeners: [Int: AsyncStream<Happening>.Continuation] = [:]
        var isFinished = false

        var recent: [Happening] { Array(ring[oldest...] + ring[..<oldest]) }

        mutating func keep(_ happening: Happening) {
            guard ring.count == HappeningFeed.memory else { return ring.append(happening) }
            ring[oldest] = happening
            oldest = (oldest + 1) % HappeningFeed.memory
        }
    }

    private let state = Mutex(State())

    var recent: [Happening] { state.withLock(\.recent) }

    func add(_ happening: Happening) {
        state.withLock { state in
            state.keep(happening)
            for listener in state.listeners.values { listener.yield(happening) }
        }
    }

    func listen(replaying: Bool) -> AsyncStream<Happening> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Happening.self,
            bufferingPolicy: .bufferingNewest(Self.memory)
        )
        let number = state.withLock { state in
            if replaying { for happening in state.recent { continuation.yield(happening) } }
            state.next += 1
            if state.isFinished { continuation.finish() } else { state.listeners[state.next] = continuation }
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
