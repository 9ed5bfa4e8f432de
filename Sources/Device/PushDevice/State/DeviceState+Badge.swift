import SystemPort

// The badge on the icon of an app: who may set which, and what clears the app's entries with it. The table with its sources is in
// Documentation/Compatibility/NotificationRules.md, "Badges".

/// A change of an app's badge.
struct IconBadgeChange: Hashable, Sendable {
    /// The number; 0 for no badge.
    var number: Int
    /// Whether the app's entries leave the notification centre when the badge goes.
    var clearsEntries = true
}

extension IconBadgeChange {
    /// Returns the change that a notification asks for; nil if it leaves the icon as it is.
    ///
    /// A negative number removes the badge. In a push it is like 0. In a local notification it keeps the entries.
    init?(_ notification: NotificationRecord) {
        guard let badge = notification.content.badge, !notification.isBadgeOfZero else { return nil }
        self.init(number: max(0, badge), clearsEntries: badge == 0 || !notification.isLocal)
    }
}

extension NotificationRecord {
    /// Whether it is a local notification with a badge of 0 and nothing else, which the system does not deliver.
    var isBadgeOfZero: Bool {
        isLocal && content.badge == 0 && !content.hasText && content.sound == nil && content.attachments.isEmpty
    }
}

extension DeviceState {
    /// Handles an app's change of its own badge.
    mutating func changeBadge(_ change: IconBadgeChange, by record: AppRecord) -> SystemReply {
        guard change.number >= 0 else {
            return .failed(.notifications(.badgeInputInvalid, "The badge count is negative."))
        }
        // Provisional permission covers the list only.
        let isAllowed =
            record.allows(SettingsRecord.badge) && record.settings.authorization != .provisional
        guard isAllowed || !profile.asksForLocalNotifications else { return .failed(.notificationsNotAllowed) }
        setBadge(change, of: record.app.bundleID)
        return .done
    }

    /// Sets the badge.
    mutating func setBadge(_ change: IconBadgeChange, of bundleID: String) {
        guard apps[bundleID] != nil, badges.set(change.number, of: bundleID) else { return }
        emit(.badgeChanged(change.number), app: bundleID)
        sendFacts(bundleID)
        if change.number == 0, change.clearsEntries { removeEntries(of: bundleID) }
    }
}
