/// The reader behind a sequence of messages, which takes one whenever the app asks for the next.
final class MessageReader: Sendable {
    private struct State {
        var id = 0
        var waiting: CheckedContinuation<CustomMessage?, Never>?
        var isOver = false
    }

    private let engine: ClientEngine
    private let state = Guarded(State())

    init(_ engine: ClientEngine) {
        self.engine = engine
        engine.read(.nothing) { id in
            state.with { $0.id = id }
            return ClientEngine.Reader(
                id: id,
                deliver: { [weak self] in self?.answer($0) },
                end: { [weak self] in self?.answer(nil) }
            )
        }
    }

    deinit { end() }

    func next() async -> CustomMessage? {
        await withCheckedContinuation { continuation in
            let isOver = state.with { state in
                if !state.isOver { state.waiting = continuation }
                return state.isOver
            }
            if isOver { return continuation.resume(returning: nil) }
            engine.update { $0.demand(.one) }
        }
    }

    func end() { engine.endReading(state.with { $0.id }) }

    /// Hands out a message, or ends with nil.
    private func answer(_ message: CustomMessage?) {
        let waiting = state.with { state in
            defer { state.waiting = nil }
            if message == nil { state.isOver = true }
            return state.waiting
        }
        waiting?.resume(returning: message)
    }
}
