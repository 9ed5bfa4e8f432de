import Synchronization

/// Holds a method's answer until it is known that the app, not a default implementation, is answering.
package final class AnswerGate<Answer: Sendable>: Sendable {
    private enum State {
        case undecided(Answer?)
        case open
        case shut
    }

    private let state = Mutex(State.undecided(nil))
    private let pass: @Sendable (Answer) -> Void

    package init(_ pass: @escaping @Sendable (Answer) -> Void) { self.pass = pass }

    package func answer(_ answer: Answer) {
        let isOpen = state.withLock { state in
            switch state {
            case .undecided(nil):
                state = .undecided(answer)
                return false
            case .undecided, .shut: return false
            case .open: return true
            }
        }
        if isOpen { pass(answer) }
    }

    package func decide(open: Bool) {
        let waiting: Answer? = state.withLock { state in
            guard case .undecided(let waiting) = state else { return nil }
            state = open ? .open : .shut
            return open ? waiting : nil
        }
        if let waiting { pass(waiting) }
    }
}
