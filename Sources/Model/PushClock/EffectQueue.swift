import Synchronization

/// A state behind a lock, and the effects of its changes, which run outside of the lock, one at a time, in the order in
/// which they were added.
///
/// An effect may change the state again: the resulting effects run after it.
package final class EffectQueue<State: Sendable, Effect: Sendable>: Sendable {
    private struct Guarded {
        var state: State
        var waiting: [Effect] = []
        var isRunning = false
    }

    private let guarded: Mutex<Guarded>

    package init(_ state: State) {
        guarded = Mutex(Guarded(state: state))
    }

    package func read<Result: Sendable>(_ body: @Sendable (State) -> Result) -> Result {
        guarded.withLock { body($0.state) }
    }

    /// Changes the state, then runs the effects, unless another call is running effects: then that call runs these too.
    ///
    /// - Parameters:
    ///   - perform: runs an effect; the same function in each call.
    ///   - body: changes the state and adds effects.
    /// - Returns: the result of `body`.
    @discardableResult
    package func update<Result: Sendable>(
        perform: (Effect) -> Void,
        _ body: (inout State, inout [Effect]) -> Result
    ) -> Result {
        let (result, mustRun) = guarded.withLock { guarded in
            let result = body(&guarded.state, &guarded.waiting)
            if guarded.isRunning || guarded.waiting.isEmpty { return (result, false) }
            guarded.isRunning = true
            return (result, true)
        }
        if mustRun { run(perform) }
        return result
    }

    private func run(_ perform: (Effect) -> Void) {
        while true {
            let effects = guarded.withLock { guarded in
                let effects = guarded.waiting
                guarded.waiting = []
                if effects.isEmpty { guarded.isRunning = false }
                return effects
            }
            if effects.isEmpty { return }
            for effect in effects { perform(effect) }
        }
    }
}
