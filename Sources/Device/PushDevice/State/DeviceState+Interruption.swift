import PushModel
import SystemPort

// Interruptions of the app in the foreground. Source: Apple, `applicationWillResignActive(_:)`: an app becomes inactive for
// temporary interruptions, and while something of the system is in front of it; a permission prompt is (reported for the prompt of
// notifications at nickoneill/PermissionScope#34, for others at dotnet/macios#7371).

extension DeviceState {
    /// The state of a running app that an event is sent with.
    func appState(of bundleID: String) -> AppState {
        guard let run = apps[bundleID]?.run, run.condition == .active else { return .background }
        return run.isInterrupted ? .inactive : .active
    }

    /// Makes the app in the foreground inactive, for a prompt.
    mutating func interruptFront() {
        guard let front = springboard.front, apps[front]?.run.interrupt() == true else { return }
        send(.willResignActive, .active, to: front)
    }

    /// Makes the app in the foreground active again, after the last prompt.
    mutating func endInterruption() {
        guard let front = springboard.front, apps[front]?.run.endInterruption() == true else { return }
        send(.didBecomeActive, .active, to: front)
    }
}
