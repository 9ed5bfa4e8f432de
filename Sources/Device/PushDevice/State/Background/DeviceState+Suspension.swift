import PushModel
import SystemPort

// Suspension of apps that are idle in the background and have a process of their own. Source: Apple, "Managing your
// app's life cycle" and "Extending your app's background execution time".

extension DeviceState {
    /// The time for which work begun in the background may continue after the last event. Apple does not document it:
    /// our decision.
    static let lingerTime = Duration.seconds(5)
    /// The same for an app that requested time; its frameworks revoke it after 30 seconds.
    static let backgroundTaskTime = Duration.seconds(35)

    /// Records that the process is an operating system process of its own.
    mutating func began(_ process: Int) {
        processes.separate.insert(process)
        if let bundleID = owner(of: process) { planSuspension(of: bundleID) }
    }

    /// Sets the alarm for suspending an app that is idle.
    mutating func planSuspension(of bundleID: String) {
        guard let record = apps[bundleID], maySuspend(record) else { return }
        apps[bundleID]?.suspension.isPlanned = true
        let isBusy = events.all.contains { $0.process == record.process && !$0.isAnswered }
        let time = record.suspension.isAskedToWait || isBusy ? Self.backgroundTaskTime : Self.lingerTime
        add(.alarm(.suspend(bundleID), time))
    }

    private func maySuspend(_ record: AppRecord) -> Bool {
        guard let process = record.process, processes.separate.contains(process), record.condition == .background,
            !record.suspension.isSuspended,
            phoneCalls.of(record.app.bundleID).isEmpty,
            !(record.location.updates.areOn
                && (record.location.updates.goOnInBackground || record.location.activity.isActive))
        else { return false }
        // A fetch has its own timeout.
        return !events.all.contains { $0.process == process && !$0.isAnswered && $0.purpose.isFetch }
    }

    /// Suspends an app whose background time has expired.
    mutating func suspend(_ bundleID: String) {
        _ = apps[bundleID]?.suspension.takePlan()
        guard let record = apps[bundleID], maySuspend(record),
            let process = record.process
        else { return }
        apps[bundleID]?.suspension.begin()
        emit(.suspended, app: bundleID)
        add(.suspend(process: process))
        settle()
    }

    /// Resumes the app for an event.
    mutating func resume(_ bundleID: String) {
        cancelSuspension(bundleID)
        guard let process = apps[bundleID]?.process, apps[bundleID]?.suspension.end() == true else { return }
        add(.resumeProcess(process))
    }

    private mutating func cancelSuspension(_ bundleID: String) {
        if apps[bundleID]?.suspension.takePlan() == true { add(.cancel(.suspend(bundleID))) }
    }

    /// Forgets the suspension of a process that has ended.
    mutating func forgetSuspension(_ bundleID: String) {
        cancelSuspension(bundleID)
        apps[bundleID]?.suspension = Suspension()
    }

    /// Records that the app has begun, or ended, work that it finishes in the background.
    mutating func keepRunning(_ bundleID: String, _ keeps: Bool) {
        apps[bundleID]?.suspension.isAskedToWait = keeps
        planSuspension(of: bundleID)
    }
}

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
