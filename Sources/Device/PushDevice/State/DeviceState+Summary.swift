import Foundation
import PushModel
import SystemPort

// The scheduled summary (iOS 15): what can wait, waits for a time of day, and comes without a banner and a sound.
//
// Source: Apple, "UNNotificationInterruptionLevel" and "relevanceScore", read November 2026. What Apple does not say is
// decided here: an app in front is asked at once, the badge changes at once, and the app finds what is held among its
// delivered notifications.

extension DeviceState {
    /// Whether the notification is for the next summary: passive or active, of an app that the person put into it.
    func waitsForSummary(_ shown: ShownNotification, _ record: AppRecord) -> Bool {
        guard profile.hasScheduledSummary, !summaryTimes.isEmpty, record.settings.status == 2,
            record.settings.scheduledDelivery == true
        else { return false }
        let content = shown.notification.content
        guard content.hasText, record.allows(SettingsRecord.alert) else { return false }
        return switch level(of: content, record) {
        case .passive, .active: true
        case .timeSensitive, .critical: false
        }
    }

    mutating func holdForSummary(_ shown: ShownNotification, _ effects: inout Effects) {
        let identifier = shown.notification.identifier
        let older = removeOlder(shown.bundleID, identifier)
        entries.insert(Entry(shown: shown, place: .summary), at: 0)
        for entry in older {
            if entry.place == .summary { report(.replaced(by: identifier), of: entry.shown.subject, &effects) }
            discardFiles(of: entry.shown.notification.content, &effects)
        }
        trim(shown.bundleID, &effects)
        if let badge = shown.notification.content.badge, apps[shown.bundleID]?.allows(SettingsRecord.badge) == true {
            report(.presented(.badge), of: shown.subject, &effects)
            // From a number to 0 clears the app's older entries, not this one.
            let kept = entries.removeFirst()
            setBadge(badge, of: shown.bundleID, &effects)
            entries.insert(kept, at: 0)
        }
        report(.suppressed(.scheduledSummary), of: shown.subject, &effects)
        planSummary(&effects)
    }

    /// What waits for the next summary: the most relevant first, of equals the newest.
    var heldForSummary: [ShownNotification] {
        let held = entries.filter { $0.place == .summary }.map(\.shown)
        return held.enumerated().sorted { one, other in
            let scores = (one.element.relevance, other.element.relevance)
            return scores.0 == scores.1 ? one.offset < other.offset : scores.0 > scores.1
        }.map(\.element)
    }

    /// Sets the alarm for the next summary, if there is something for it.
    mutating func planSummary(_ effects: inout Effects) {
        let next = entries.contains { $0.place == .summary } ? nextSummary : nil
        guard next != plannedSummary else { return }
        plannedSummary = next
        guard let next else { return effects.append(.cancel(.summary)) }
        effects.append(.alarm(.summary, .seconds(max(0, next.timeIntervalSince(date)))))
    }

    private var nextSummary: Date? {
        summaryTimes.compactMap { time in
            TriggerDates.next(of: .calendar(time.components, repeats: true), after: date, in: timeZone)
        }.min()
    }

    /// It is time for the summary, or some of it need not wait any more.
    mutating func showSummary(_ effects: inout Effects, where matches: (ShownNotification) -> Bool = { _ in true }) {
        plannedSummary = nil
        let summary = heldForSummary.filter(matches)
        if !summary.isEmpty { tell(.changed("summary of \(summary.count)"), &effects) }
        // Each goes on top of those before.
        for shown in summary.reversed() { showInSummary(shown, &effects) }
        planSummary(&effects)
    }

    private mutating func showInSummary(_ shown: ShownNotification, _ effects: inout Effects) {
        guard let record = apps[shown.bundleID] else { return }
        guard record.settings.allowed != 0 else {
            removeEntries(of: shown.bundleID, &effects) { $0.id == shown.id }
            return report(.suppressed(.permissionDenied), of: shown.subject, &effects)
        }
        let content = shown.notification.content
        let reason = heldByFocus(content, record, level(of: content, record))
        // The summary lies in the notification centre whatever else the person chose.
        var presented = [Presentation.list]
        if isLocked, record.settings.showsOnLockScreen, reason == nil { presented.insert(.lockScreen, at: 0) }
        place(shown, presented, &effects)
        for how in presented { report(.presented(how), of: shown.subject, &effects) }
        if let reason { report(.suppressed(reason), of: shown.subject, &effects) }
    }
}

extension ShownNotification {
    fileprivate var relevance: Double { notification.content.relevanceScore }
}
