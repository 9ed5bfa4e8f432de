import SystemPort

/// The transitions between view controllers that have begun and not finished.
///
/// Animations take no time on the device's clock. What follows them (the appearance callbacks, completion handlers) still comes
/// after the code that began them: at the end of the event that the app handles, or otherwise in the main actor's next turn.
@MainActor
package final class Transitions: PortSlot {
    private var steps: [() -> Void] = []
    private var isRunning = false
    private var isScheduled = false
    /// Whether the app handles an event, after which ``finish()`` is called.
    private var isInEvent = false

    package nonisolated init() {}

    /// The transitions of the app. Views and controllers may be used outside of all apps too.
    static var current: Transitions { of(CurrentPort.ifKnown) }

    func add(_ step: @escaping () -> Void) {
        steps.append(step)
        guard !isInEvent, !isRunning, !isScheduled else { return }
        isScheduled = true
        // Not awaited: nothing waits for a transition that the app begins outside of an event.
        Task { @MainActor in finish() }
    }

    /// Finishes the transitions, and those that they begin.
    package func finish() {
        isScheduled = false
        guard !isRunning else { return }
        isRunning = true
        while !steps.isEmpty { steps.removeFirst()() }
        isRunning = false
    }

    /// Runs the handling of an event, and finishes the transitions before and after it.
    package func during(_ event: () -> Void) {
        finish()
        isInEvent = true
        event()
        isInEvent = false
        finish()
    }
}
