import Foundation
import PushModel
import SystemPort

// The system's fetches in the background. Source: Apple, `setMinimumBackgroundFetchInterval(_:)`,
// `application(_:performFetchWithCompletionHandler:)` (30 seconds) and "Background Execution" (the mode `fetch`).
//
// A phone chooses the moment by the user's habits, which Apple does not document. The device's rule is simple: an app is fetched
// as soon as its interval has passed since its last fetch and since it was last in the foreground, and not within 15 minutes.
// What keeps a fetch from its time: Low Power Mode, the user's switch, and a swipe in the app switcher until the app is opened.
// When it may happen again, one that is overdue happens at once, and once.

extension DeviceState {
    /// Sets an app's interval; nil for no fetches.
    mutating func setFetchInterval(_ seconds: Double?, of bundleID: String) {
        apps[bundleID]?.background.setFetchInterval(seconds, at: time.date)
        planFetch()
    }

    /// Whether an app has background fetches at all. Source: Apple, `BGTaskScheduler`: an Info.plist with
    /// `BGTaskSchedulerPermittedIdentifiers` ends the older fetches in iOS 13 and later.
    private func mayFetch(_ record: AppRecord) -> Bool {
        let usesScheduler = profile.major >= 13 && record.app.info["BGTaskSchedulerPermittedIdentifiers"] != nil
        return record.app.fetchesInBackground && !usesScheduler && record.background.isAllowed
            && record.condition != .forceQuit && record.condition != .active && !settings.isLowPower
    }

    private func nextFetch(_ record: AppRecord) -> Date? { mayFetch(record) ? record.background.nextFetch : nil }

    /// Sets whether pushes and fetches may wake an app.
    mutating func setBackgroundRefresh(of bundleID: String, _ isAllowed: Bool) {
        apps[bundleID]?.background.isAllowed = isAllowed
        sendFacts(bundleID)
        planFetch()
    }

    /// Sets the alarm for the next fetch.
    mutating func planFetch() { plan(.fetch, at: apps.values.compactMap { nextFetch($0) }.min()) }

    /// Lets the apps fetch whose time has come.
    mutating func fetchDue() {
        let now = date.addingTimeInterval(DeviceTime.tolerance)
        for bundleID in bundleIDs {
            guard let record = apps[bundleID], let due = nextFetch(record), due <= now else { continue }
            fetch(bundleID)
        }
        planFetch()
    }

    /// Lets an app fetch now, whatever its interval is.
    ///
    /// - Returns: false if the app may not fetch.
    mutating func fetchNow(_ bundleID: String) -> Bool {
        guard let record = apps[bundleID], mayFetch(record) else { return false }
        defer { planFetch() }
        return fetch(bundleID)
    }

    /// - Returns: false if the system refuses to launch the app.
    @discardableResult
    private mutating func fetch(_ bundleID: String) -> Bool {
        apps[bundleID]?.background.lastFetch = time.date
        guard wake(bundleID, "background fetch") else { return false }
        send(.performFetch, .background, to: bundleID, as: .fetch)
        return true
    }

    /// Gives an app that is not in the foreground the end of its transfers.
    ///
    /// Source: Apple, `application(_:handleEventsForBackgroundURLSession:completionHandler:)`, and
    /// `URLSessionConfiguration.background(withIdentifier:)`: a swipe in the app switcher cancels an app's transfers.
    ///
    /// - Returns: false for an app in the foreground, whose session tells its delegate itself, for one that was swiped away, and for one
    ///   that the system refuses to launch.
    mutating func finishTransfers(of session: String, _ bundleID: String) -> Bool {
        guard let record = apps[bundleID], record.condition != .active, record.condition != .forceQuit else {
            return false
        }
        guard wake(bundleID, "transfers of \(session) finished") else { return false }
        send(.backgroundSession(identifier: session), .background, to: bundleID, as: .transfers)
        return true
    }

    /// Starts the app if it does not run. Returns false if the system refuses to launch it.
    private mutating func wake(_ bundleID: String, _ reason: String) -> Bool {
        emitChange(reason, app: bundleID)
        return apps[bundleID]?.process != nil || launchInBackground(bundleID)
    }

    /// Reports the result of work in the background that belongs to no notification.
    mutating func finished(_ waiting: Outstanding, with reply: EventReply) {
        guard waiting.purpose.isFetch, case .fetched(let outcome) = reply else { return }
        emitChange("background fetch: \(outcome.rawValue)", app: waiting.bundleID)
    }

    /// Reports that such work has not ended in time.
    mutating func reportOverrun(_ waiting: Outstanding) {
        guard waiting.purpose.isFetch else { return }
        emitChange("background work took more than 30 seconds", app: waiting.bundleID)
    }
}
