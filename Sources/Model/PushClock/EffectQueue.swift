import Synchronization

/// A state that keeps the effects of its changes until they are taken out.
package protocol EffectfulState: Sendable {
    associatedtype Effect: Sendable

    /// The effects not taken out yet, in the order in which they were added.
    var effects: [Effect] { get }

    /// Removes and returns ``effects``.
    mutating func takeEffects() -> [Effect]
}

/// A state behind a lock, and the effects of its changes, which run outside of the lock, one at a time, in the order in
/// which they were added.
///
/// An effect may change the state again: the resulting effects run after it.
package final class EffectQueue<State: EffectfulState>: Sendable {
    private struct Guarded {
        var state: State
        var isRunning = false
    }

    private let guarded: Mutex<Guarded>

    package init(_ state: State) { guarded = Mutex(Guarded(state: state)) }

    package func read<Result: Sendable>(_ body: @Sendable (State) -> Result) -> Result {
        guarded.withLock { body($0.state) }
    }

    /// Changes the state by `body`, then runs the effects by `perform`, the same in each call, unless another call is
    /// running effects: then that call runs these too.
    @discardableResult
    package func update<Result: Sendable>(perform: (State.Effect) -> Void, _ body: (inout State) -> Result) -> Result {
        let (result, mustRun) = guarded.withLock { guarded in
            let result = body(&guarded.state)
            if guarded.isRunning || guarded.state.effects.isEmpty { return (result, false) }
            guarded.isRunning = true
            return (result, true)
        }
        if mustRun { run(perform) }
        return result
    }

    private func run(_ perform: (State.Effect) -> Void) {
        while true {
            let effects = guarded.withLock { guarded in
                let effects = guarded.state.takeEffects()
                if effects.isEmpty { guarded.isRunning = false }
                return effects
            }
            if effects.isEmpty { return }
            for effect in effects { perform(effect) }
        }
    }
}
