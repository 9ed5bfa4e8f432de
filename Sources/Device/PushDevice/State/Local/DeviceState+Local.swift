import Foundation
import PushModel
import SystemPort

// Pending local notifications and their triggers. Source: Apple, "Scheduling a notification locally from your app" and
// `UNNotificationTrigger`.

extension DeviceState {
    /// Returns why a request cannot be added; nil if it can.
    func refusal(of request: RequestRecord, by process: Int) -> SystemError? {
        owner(of: process).flatMap { refusal(of: request, in: $0) }
    }

    /// Returns why a request cannot be added; nil if it can.
    func refusal(of request: RequestRecord, in bundleID: String) -> SystemError? {
        guard let record = apps[bundleID] else { return nil }
        guard managesPending(record) else { return .notificationsNotAllowed }
        return request.problem(at: date, in: timeZone)
    }

    /// Returns whether the app can add, read and remove pending requests.
    ///
    /// While the user has switched its notifications off, it sees none and removes none; all are there again when they are switched on.
    /// Source: expo #19736, notifee #544.
    func managesPending(_ record: AppRecord) -> Bool {
        record.settings.allowed != 0 || !profile.asksForLocalNotifications
    }

    mutating func add(_ request: RequestRecord, to bundleID: String) {
        let subject = subject(of: request.identifier, bundleID)
        var replaced: ContentRecord?
        // At the end, because a request that was read back and added again shares the files of the old one.
        defer { if let replaced { discardFiles(of: replaced) } }
        if let old = pending.remove(where: { $0.isRequest(request.identifier, of: bundleID) }).first {
            replaced = old.request.content
            report(.replaced(by: request.identifier), of: subject)
        }
        let order = pending.nextOrder()
        guard let trigger = request.trigger else { return fire(request, of: bundleID) }
        var new = PendingRequest(bundleID: bundleID, request: request, order: order)
        new.due = TriggerDates.next(of: trigger, after: date, in: timeZone)
        // A date in the past fires at once.
        if case .fireDate = trigger, new.due == nil { return fire(request, of: bundleID) }
        if case .location(let region, _) = trigger {
            new.watch = RegionWatch(region, state: surroundings.state(of: region))
        }
        pending.all.append(new)
        report(.scheduled, of: subject)
        if case .location(let region, _) = trigger, region.problem != nil {
            suppress(subject, .invalidRegion)
        }
        evict(bundleID)
        planLocal()
    }

    /// Drops one request if there are too many, without an error.
    private mutating func evict(_ bundleID: String) {
        guard let victim = pending.evict(of: bundleID, profile) else { return }
        let subject = subject(of: victim.request.identifier, bundleID)
        report(.evicted(limit: profile.pendingLimit), of: subject)
        discardFiles(of: victim.request.content)
    }

    /// Returns the pending requests, the next to fire first.
    func pendingRequests(of bundleID: String) -> [RequestRecord] { pending.of(bundleID).map(\.request) }

    mutating func removePending(of bundleID: String, where matches: (String) -> Bool = { _ in true }) {
        let gone = pending.remove { $0.bundleID == bundleID && matches($0.request.identifier) }
        for request in gone { discardFiles(of: request.request.content) }
        planLocal()
    }

    // MARK: Time

    /// Sets the alarm for the next request to fire.
    mutating func planLocal() { plan(.local, at: pending.next) }

    /// Fires the requests that are due.
    mutating func fireDue() {
        for request in pending.due(until: date.addingTimeInterval(DeviceTime.tolerance)) { reached(request) }
        planLocal()
    }

    private mutating func reached(_ waiting: PendingRequest) {
        guard pending.all.contains(where: { $0.order == waiting.order }) else { return }
        let due = waiting.due ?? date
        if let trigger = waiting.request.trigger, trigger.repeats,
            let next = TriggerDates.next(of: trigger, after: due, in: timeZone)
        {
            pending.change(waiting.order) { $0.due = next }
        } else {
            pending.remove { $0.order == waiting.order }
        }
        fire(waiting.request, of: waiting.bundleID, at: due)
    }

    /// Sets the time zone and recomputes the requests that depend on the time of day.
    mutating func setTimeZone(_ zone: TimeZone) {
        time.zone = zone
        for waiting in pending.all {
            guard let trigger = waiting.request.trigger else { continue }
            let due: Date? =
                switch trigger {
                case .calendar: TriggerDates.next(of: trigger, after: date, in: zone)
                case .fireDate(let rule) where rule.timeZone != nil || rule.repeats:
                    // A request due now in the new zone fires at once.
                    rule.next(after: date, in: zone) ?? date
                case .fireDate, .timeInterval, .location, .push: waiting.due
                }
            pending.change(waiting.order) { $0.due = due }
        }
        for bundleID in bundleIDs { sendFacts(bundleID) }
        emitChange("time zone \(zone.identifier)")
        timeChanged()
        planLocal()
        planSummary()
    }

    // MARK: Place

    /// Fires the local notifications whose region border the device has crossed.
    ///
    /// With an approximate location none fires: Apple documents that regions are not monitored then (`CLAccuracyAuthorization`), and
    /// nothing of its own about `UNLocationNotificationTrigger`, which uses the same service.
    mutating func fireCrossed() {
        for waiting in pending.all.sorted(by: { $0.order < $1.order }) {
            guard let state = waiting.watch.map({ surroundings.state(of: $0.region) }) else { continue }
            var hasCrossed = false
            pending.change(waiting.order) { hasCrossed = $0.watch?.update(to: state) != nil }
            guard hasCrossed else { continue }
            let mayFire = mayUseLocation(waiting.bundleID)
            guard mayFire, !isReduced(waiting.bundleID) else {
                let subject = subject(of: waiting.request.identifier, waiting.bundleID)
                suppress(subject, mayFire ? .reducedAccuracy : .locationDenied)
                continue
            }
            if waiting.request.trigger?.repeats != true { pending.remove { $0.order == waiting.order } }
            fire(waiting.request, of: waiting.bundleID)
        }
    }

    // MARK: Firing

    private mutating func fire(_ request: RequestRecord, of bundleID: String, at due: Date? = nil) {
        guard let record = apps[bundleID] else { return }
        let subject = subject(of: request.identifier, bundleID)
        report(.fired, of: subject)
        var content = request.content
        content.localize(in: record.app.strings(in: settings.language))
        let shown = ShownNotification(
            bundleID: bundleID,
            appName: record.app.name,
            subject: subject,
            notification: NotificationRecord(
                identifier: request.identifier,
                date: due ?? date,
                content: content,
                trigger: request.trigger
            )
        )
        presentIfAllowed(shown, alsoFetched: false)
    }

    func subject(of request: String, _ bundleID: String) -> JourneySubject {
        .local(device: id, app: bundleID, request: request)
    }

    // MARK: Files

    /// Deletes the files of removed content, unless another request or entry uses them.
    mutating func discardFiles(of content: ContentRecord) {
        guard !content.attachments.isEmpty else { return }
        let waiting = pending.all.flatMap(\.request.content.attachments)
        let kept = waiting + entries.all.flatMap(\.shown.notification.content.attachments)
        let gone = content.attachments.map(\.path).filter { path in !kept.contains { $0.path == path } }
        if !gone.isEmpty { add(.discard(paths: gone)) }
    }
}

extension PendingRequest {
    fileprivate func isRequest(_ identifier: String, of bundleID: String) -> Bool {
        self.bundleID == bundleID && request.identifier.isSame(as: identifier)
    }
}
