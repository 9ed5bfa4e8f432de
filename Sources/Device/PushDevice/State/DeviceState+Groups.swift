import PushModel
import SystemPort

// Grouping of the notification centre's entries, and their display.

extension DeviceState {
    /// Returns the visible stacks of a list of entries, newest first; the stack with the newest entry comes first.
    func groups(of list: [ShownNotification]) -> [NotificationGroup] {
        var places: [GroupKey: Int] = [:]
        var groups: [NotificationGroup] = []
        for shown in list {
            let key = key(of: shown)
            if let place = places[key] {
                groups[place].notifications.append(shown)
            } else {
                places[key] = groups.count
                groups.append(
                    NotificationGroup(
                        bundleID: shown.bundleID,
                        appName: shown.appName,
                        threadIdentifier: key.thread,
                        notifications: [shown],
                        count: 0
                    )
                )
            }
        }
        for place in groups.indices { sumUp(&groups[place]) }
        return groups
    }

    /// The key that the entries of a stack share.
    private struct GroupKey: Hashable {
        var bundleID: String
        var thread: String
        /// Set where entries are not grouped.
        var id: String?
    }

    private func key(of shown: ShownNotification) -> GroupKey {
        let thread = shown.notification.content.threadIdentifier
        let grouping = profile.groupsNotifications ? apps[shown.bundleID]?.settings.grouping : .off
        return switch grouping {
        case .off: GroupKey(bundleID: shown.bundleID, thread: thread, id: shown.id)
        case .byApp: GroupKey(bundleID: shown.bundleID, thread: "")
        case .automatic, nil: GroupKey(bundleID: shown.bundleID, thread: thread)
        }
    }

    private func sumUp(_ group: inout NotificationGroup) {
        let counts = group.notifications.map { shown in
            profile.hasSummaryArguments ? shown.notification.content.summaryArgumentCount : 1
        }
        group.count = counts.reduce(0, +)
        guard counts.count > 1, let top = group.notifications.first else { return }
        let below = group.notifications.dropFirst()
        // While previews are hidden, senders are hidden too.
        let mayName = profile.hasSummaryArguments && below.allSatisfy { $0.placeholder == nil }
        let category = apps[group.bundleID]?.category(top.notification.content.categoryIdentifier)
        group.summary =
            GroupSummary(
                counts: Array(counts.dropFirst()),
                arguments: mayName ? below.map(\.notification.content.summaryArgument) : nil,
                format: text(\.categorySummaryFormat, of: category, in: group.bundleID)
            ).text
    }

    /// Returns the notification as the user sees it: previews may be hidden.
    func seen(_ shown: ShownNotification) -> ShownNotification {
        guard let record = apps[shown.bundleID] else { return shown }
        let isHidden =
            switch record.settings.previews {
            case .always: false
            case .whenUnlocked: springboard.isLocked
            case .never: true
            }
        guard isHidden else { return shown }
        let category = record.category(shown.notification.content.categoryIdentifier)
        let options = category?.options ?? 0
        let thread = shown.notification.content.threadIdentifier
        let count = entries.all.count { entry in
            entry.place != .banner && entry.shown.bundleID == shown.bundleID
                && entry.shown.notification.content.threadIdentifier == thread
        }
        let placeholder = text(\.hiddenPreviewsBodyPlaceholder, of: category, in: shown.bundleID)
        var shown = shown
        // Source: Apple, "hiddenPreviewsBodyPlaceholder": the number of messages with the same thread identifier.
        shown.placeholder =
            placeholder.isEmpty ? "Notification" : placeholder.replacing("%u", with: String(max(1, count)))
        shown.hidesTitle = options & CategoryRecord.hiddenPreviewsShowTitle == 0
        shown.hidesSubtitle = options & CategoryRecord.hiddenPreviewsShowSubtitle == 0
        return shown
    }

    /// Returns a text of a category in the device's language; empty if there is none.
    private func text(
        _ path: KeyPath<CategoryRecord, String>,
        of category: CategoryRecord?,
        in bundleID: String
    ) -> String {
        guard let category else { return "" }
        return category.localize(category[keyPath: path], in: apps[bundleID]?.app.strings(in: settings.language) ?? [:])
    }
}
