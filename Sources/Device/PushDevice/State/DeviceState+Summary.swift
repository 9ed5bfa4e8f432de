import Foundation
import PushModel
import SystemPort

// The scheduled summary (iOS 15): notifications that can wait are held until a time of day, then shown without banner
// and sound.
//
// Source: Apple, "UNNotificationInterruptionLevel" and "relevanceScore", read November 2026. Where Apple's
// documentation is silent, we decide: an app in the foreground is asked at once, the badge changes at once, and held
// notifications are among the app's delivered ones.

extension DeviceState {
    /// Whether the notification is for the next summary: passive or active, from an app that the user included.
    ///
    /// Communication notifications come at once, unless the user has switched that off. Source: Apple, "Implementing communication
    /// notifications" and WWDC 2021, session 10091 "Send communication and Time Sensitive notifications". A passive one waits: our
    /// decision.
    func waitsForSummary(_ shown: ShownNotification, _ record: AppRecord) -> Bool {
        guard profile.hasScheduledSummary, !settings.summaryTimes.isEmpty, record.settings.authorization == .authorized,
            record.settings.scheduledDelivery == true
        else { return false }
        let content = shown.notification.content
        guard content.hasText, record.allows(SettingsRecord.alert) else { return false }
        return switch level(of: content, record) {
        case .passive: true
        case .active: content.sender == nil || record.settings.directMessages != true
        case .timeSensitive, .critical: false
        }
    }

    mutating func holdForSummary(_ shown: ShownNotification) {
        let identifier = shown.notification.identifier
        let older = entries.remove { $0.isOf(shown.bundleID, identifier) }
        entries.insert(shown, at: .summary)
        for entry in older {
            if entry.place == .summary { report(.replaced(by: identifier), of: entry.shown.subject) }
            discardFiles(of: entry.shown.notification.content)
        }
        trim(shown.bundleID)
        if let change = IconBadgeChange(shown.notification), apps[shown.bundleID]?.allows(SettingsRecord.badge) == true
        {
            report(.presented(.badge), of: shown.subject)
            // A badge that goes clears the app's older entries, not this one.
            entries.remove { $0.isOf(shown.bundleID, identifier) }
            setBadge(change, of: shown.bundleID)
            entries.insert(shown, at: .summary)
        }
        suppress(shown.subject, .scheduledSummary)
        planSummary()
    }

    /// Sets the alarm for the next summary, if any notification is held.
    mutating func planSummary() {
        plan(.summary, at: entries.all.contains { $0.place == .summary } ? nextSummary : nil)
    }

    private var nextSummary: Date? {
        settings.summaryTimes.compactMap { time in
            TriggerDates.next(of: .calendar(time.components, repeats: true), after: date, in: timeZone)
        }.min()
    }

    /// Shows held notifications, because the summary is due or some need not wait any longer.
    mutating func showSummary(where matches: (ShownNotification) -> Bool = { _ in true }) {
        let summary = entries.heldForSummary.filter(matches)
        if !summary.isEmpty { emitChange("summary of \(summary.count)") }
        // Each goes on top of the previous ones.
        for shown in summary.reversed() { showInSummary(shown) }
        planSummary()
    }

    private mutating func showInSummary(_ shown: ShownNotification) {
        guard let record = apps[shown.bundleID] else { return }
        guard record.settings.allowed != 0 else {
            removeEntries(of: shown.bundleID) { $0.id == shown.id }
            return suppress(shown.subject, .permissionDenied)
        }
        let content = shown.notification.content
        let reason = heldByFocus(content, of: record, at: level(of: content, record))
        // The summary is in the notification centre regardless of the user's other choices.
        var presented = [Presentation.list]
        if springboard.isLocked, record.settings.showsOnLockScreen, reason == nil {
            presented.insert(.lockScreen, at: 0)
        }
        updateScreen(shown, presented)
        if let reason { suppress(shown.subject, reason) }
    }
}
