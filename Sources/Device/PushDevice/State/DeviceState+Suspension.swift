import SystemPort

// An app in the background that has nothing more to do is suspended, if it has a process of its own. Source: Apple,
// "Managing your app's life cycle" and "Extending your app's background execution time".

extension DeviceState {
    /// What an app in the background began may go on for this long after its last event. Apple does not say how long: our
    /// decision.
    static let lingerTime = Duration.seconds(5)
    /// The same for an app that has asked for time; its frameworks take that back after 30 seconds.
    static let backgroundTaskTime = Duration.seconds(35)

    /// The process runs as one of its own.
    mutating func began(_ process: Int, _ effects: inout Effects) {
        ownProcesses.insert(process)
        if let bundleID = owner(of: process) { planSuspension(of: bundleID, &effects) }
    }

    /// Sets the alarm for the suspension of an app that has nothing more to do.
    mutating func planSuspension(of bundleID: String, _ effects: inout Effects) {
        guard let record = apps[bundleID], maySuspend(record), !record.suspension.isSuspended else { return }
        apps[bundleID]?.suspension.isPlanned = true
        let isBusy = outstanding.values.contains { $0.process == record.process && !$0.isAnswered }
        let time = record.suspension.isAskedToWait || isBusy ? Self.backgroundTaskTime : Self.lingerTime
        effects.append(.alarm(.suspend(bundleID), time))
    }

    private func maySuspend(_ record: AppRecord) -> Bool {
        guard let process = record.process, ownProcesses.contains(process), record.condition == .background,
            !(record.location.isUpdating && record.location.updatesInBackground)
        else { return false }
        // A fetch has its own time.
        return !outstanding.values.contains { $0.process == process && !$0.isAnswered && $0.purpose.isFetch }
    }

    /// The app's time in the background is over.
    mutating func suspend(_ bundleID: String, _ effects: inout Effects) {
        apps[bundleID]?.suspension.isPlanned = false
        guard let record = apps[bundleID], maySuspend(record), !record.suspension.isSuspended,
            let process = record.process
        else { return }
        apps[bundleID]?.suspension.isSuspended = true
        tell(.suspended, app: bundleID, &effects)
        effects.append(.suspend(process: process))
        settle(&effects)
    }

    /// An event comes for the app: it runs on.
    mutating func resume(_ bundleID: String, _ effects: inout Effects) {
        guard let suspension = apps[bundleID]?.suspension else { return }
        if suspension.isPlanned { effects.append(.cancel(.suspend(bundleID))) }
        apps[bundleID]?.suspension.isPlanned = false
        guard suspension.isSuspended, let process = apps[bundleID]?.process else { return }
        apps[bundleID]?.suspension.isSuspended = false
        effects.append(.resumeProcess(process))
    }

    /// The process is gone.
    mutating func forgetSuspension(_ bundleID: String, _ effects: inout Effects) {
        if apps[bundleID]?.suspension.isPlanned == true { effects.append(.cancel(.suspend(bundleID))) }
        apps[bundleID]?.suspension = Suspension()
    }

    /// The app has begun, or ended, what it finishes in the background.
    mutating func keepRunning(_ bundleID: String, _ keeps: Bool, _ effects: inout Effects) {
        apps[bundleID]?.suspension.isAskedToWait = keeps
        planSuspension(of: bundleID, &effects)
    }
}
