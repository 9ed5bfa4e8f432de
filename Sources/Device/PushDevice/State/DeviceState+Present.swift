import PushModel
import SystemPort

// Presentation of a notification to the user, or the reason for not presenting it.

extension DeviceState {
    /// Presents the notification if the user, and in the foreground the app, allows it. Without the user's permission the
    /// app is not asked.
    mutating func presentIfAllowed(_ notification: ShownNotification, alsoFetched: Bool) {
        guard let record = record(for: notification) else { return }
        var shown = notification
        if shown.notification.content.sender != nil, !record.app.entitlements.contains(.communication) {
            shown.notification.content.sender = nil
            warn(Self.communicationNotEntitled, app: shown.bundleID)
        }
        guard !shown.notification.isBadgeOfZero else { return suppress(shown.subject, .noText) }
        guard record.settings.authorization != .notDetermined else {
            return suppress(shown.subject, .permissionNotDetermined)
        }
        guard record.settings.allowed != 0 else { return suppress(shown.subject, .permissionDenied) }
        if record.condition == .active {
            send(
                .willPresent(shown.notification, alsoFetched: alsoFetched),
                to: shown.bundleID,
                as: .present(shown),
                for: shown.subject
            )
        } else if waitsForSummary(shown, record) {
            holdForSummary(shown)
        } else {
            present(shown, options: .max)
        }
    }

    /// A phone shows such a notification as an ordinary one. Source: Apple, "Implementing communication notifications": the capability.
    private static let communicationNotEntitled = """
        The sender of a communication notification is not shown: the app lacks the entitlement \
        \(InstalledApp.Entitlement.communication.rawValue) (InstalledApp.entitlements).
        """

    /// Presents the notification with those `options` (`UNNotificationPresentationOptions`) that the user allows.
    mutating func present(_ shown: ShownNotification, options: UInt) {
        guard let record = record(for: shown) else { return }
        let content = shown.notification.content
        let level = level(of: content, record)
        let quiet = quiet(content, of: record, at: level)
        let mayShowText = content.hasText && record.allows(SettingsRecord.alert)
        var presented: [Presentation] = []
        if mayShowText, options & PresentationBits.banner != 0, quiet == nil {
            if springboard.isLocked, record.settings.showsOnLockScreen { presented.append(.lockScreen) }
            if !springboard.isLocked, record.settings.showsBanners { presented.append(.banner) }
        }
        if mayShowText, options & PresentationBits.list != 0, record.settings.showsInNotificationCenter {
            presented.append(.list)
        }
        if content.sound != nil, options & PresentationBits.sound != 0, quiet == nil,
            record.allows(SettingsRecord.sound)
        {
            presented.append(.sound)
        }
        if IconBadgeChange(shown.notification) != nil, options & PresentationBits.badge != 0, quiet != .provisional,
            record.allows(SettingsRecord.badge)
        {
            presented.append(.badge)
        }
        if settings.isCarConnected, mayShowText, quiet == nil, showsInCar(content, record) {
            presented.append(.carPlay)
        }
        updateScreen(shown, presented)
        let withheld = withheld(from: presented, options: options, quiet: quiet, mayShowText: mayShowText, by: record)
        for reason in withheld { suppress(shown.subject, reason) }
        if presented.contains(.sound), let reason = soundFault(content.sound, record) {
            suppress(shown.subject, reason)
        }
        if let reason = silence(content, of: record, presented: presented) {
            suppress(shown.subject, reason)
        }
    }

    /// Returns the notification's app with its permissions: before iOS 8 local notifications needed none.
    private func record(for shown: ShownNotification) -> AppRecord? {
        guard var record = apps[shown.bundleID] else { return nil }
        if !profile.asksForLocalNotifications, shown.notification.isLocal {
            record.permission.grant(SettingsRecord.usual, of: SettingsRecord.usual)
        }
        return record
    }

    /// Returns the level that the content requests, as far as the app is permitted.
    func level(of content: ContentRecord, _ record: AppRecord) -> ContentRecord.InterruptionLevel {
        guard profile.hasInterruptionLevels else { return .active }
        let mayHave =
            switch content.level {
            case .passive, .active: true
            case .timeSensitive: record.settings.timeSensitive == true
            case .critical: record.allows(SettingsRecord.criticalAlert)
            }
        return mayHave ? content.level : .active
    }

    /// Returns why it goes to the list without banner and sound; nil if it does not.
    private func quiet(
        _ content: ContentRecord,
        of record: AppRecord,
        at level: ContentRecord.InterruptionLevel
    ) -> SuppressionReason? {
        if record.settings.authorization == .provisional { return .provisional }
        if level == .passive { return .passive }
        return heldByFocus(content, of: record, at: level)
    }

    /// Returns why the active Focus does not let it interrupt; nil if it does, or no Focus is active.
    func heldByFocus(
        _ content: ContentRecord,
        of record: AppRecord,
        at level: ContentRecord.InterruptionLevel
    ) -> SuppressionReason? {
        guard let focus = settings.focus, level != .critical else { return nil }
        if level == .timeSensitive, focus.allowsTimeSensitive { return nil }
        return focus.holds(profile.hasFocusFilters ? content.filterCriteria : nil, of: record.app.bundleID)
    }

    private func showsInCar(_ content: ContentRecord, _ record: AppRecord) -> Bool {
        let category = record.category(content.categoryIdentifier)
        let isAllowed = (category?.options ?? 0) & CategoryRecord.allowInCarPlay != 0
        return isAllowed && record.allows(SettingsRecord.carPlay)
    }

    /// Returns what the device withheld from a notification that was otherwise shown.
    private func withheld(
        from presented: [Presentation],
        options: UInt,
        quiet: SuppressionReason?,
        mayShowText: Bool,
        by record: AppRecord
    ) -> [SuppressionReason] {
        guard mayShowText else { return [] }
        if let quiet { return quiet == .provisional ? [] : [quiet] }
        var reasons: [SuppressionReason] = []
        if options & PresentationBits.banner != 0, !springboard.isLocked, !record.settings.showsBanners {
            reasons.append(.bannersOff)
        }
        if settings.isCarConnected, !presented.contains(.carPlay) { reasons.append(.carPlay) }
        return reasons
    }

    /// Returns why the user saw no text; nil if there was some, or the app chose a sound or a badge only.
    private func silence(
        _ content: ContentRecord,
        of record: AppRecord,
        presented: [Presentation]
    ) -> SuppressionReason? {
        if !presented.allSatisfy({ $0 == .sound || $0 == .badge }) { return nil }
        if !content.hasText { return .noText }
        // It may use badges or sounds, but never asked for alerts.
        if !record.allows(SettingsRecord.alert) { return .permissionNotDetermined }
        return presented.isEmpty && record.condition == .active ? profile.foregroundReason : nil
    }

    /// Updates badge, banner, list and sound for a notification presented in these ways.
    mutating func updateScreen(_ shown: ShownNotification, _ presented: [Presentation]) {
        let isBanner = presented.contains(.banner)
        let isListed = presented.contains(.list) || presented.contains(.lockScreen)
        let content = shown.notification.content
        // First, because a badge of 0 clears earlier entries, not the one that carries it.
        if presented.contains(.badge), let change = IconBadgeChange(shown.notification) {
            setBadge(change, of: shown.bundleID)
        }
        if isBanner || isListed {
            let older = entries.remove { $0.isOf(shown.bundleID, shown.notification.identifier) }
            hideBanner()
            entries.insert(shown, at: isListed ? .list : .banner)
            for entry in older { discardFiles(of: entry.shown.notification.content) }
            trim(shown.bundleID)
        }
        if isListed { emit(.listed(shown), app: shown.bundleID) }
        if isBanner {
            springboard.banner = shown
            emit(.bannerShown(shown), app: shown.bundleID)
            if apps[shown.bundleID]?.settings.hasPersistentBanners != true { add(.alarm(.banner, Self.bannerTime)) }
        }
        if presented.contains(.sound), let record = apps[shown.bundleID] {
            let name = soundFault(content.sound, record) == nil ? content.sound?.name : nil
            emit(.soundPlayed(name: name), app: shown.bundleID)
        }
        for how in presented { report(.presented(how), of: shown.subject) }
    }

    /// Removes the oldest entry of an app that has too many.
    mutating func trim(_ bundleID: String) {
        guard let gone = entries.trim(bundleID, to: Self.listLimit) else { return }
        report(.evicted(limit: Self.listLimit), of: gone.subject)
        discardFiles(of: gone.notification.content)
    }

    // MARK: Banner and list

    /// Hides the banner when its time has expired.
    mutating func hideBanner() {
        guard let shown = endBanner() else { return }
        let gone = entries.remove { $0.place == .banner && $0.shown.id == shown.id }
        for entry in gone { discardFiles(of: entry.shown.notification.content) }
    }

    /// Removes the banner; its entry stays. Returns its notification; nil if there is none.
    @discardableResult
    mutating func endBanner() -> ShownNotification? {
        guard let shown = springboard.banner.take() else { return nil }
        add(.cancel(.banner))
        emit(.bannerHidden, app: shown.bundleID)
        return shown
    }

    mutating func removeEntries(of bundleID: String, where matches: (ShownNotification) -> Bool = { _ in true }) {
        let gone = entries.remove { $0.shown.bundleID == bundleID && matches($0.shown) }.map(\.shown)
        let ids = Set(gone.map(\.id))
        if let shown = springboard.banner, ids.contains(shown.id) { endBanner() }
        if let expanded, ids.contains(expanded.id) { collapse() }
        for shown in gone { discardFiles(of: shown.notification.content) }
    }

    mutating func sendFacts(_ bundleID: String) {
        guard let record = apps[bundleID], let process = record.process else { return }
        add(.facts(facts(record), process: process))
    }
}

/// The bits of `UNNotificationPresentationOptions`; `alert` (4) means banner and list.
private enum PresentationBits {
    static let badge: UInt = 1
    static let sound: UInt = 2
    static let list: UInt = 4 | 8
    static let banner: UInt = 4 | 16
}

// The sound of a notification.
//
// Source: Apple, "UNNotificationSound", Prepare sound resources, read November 2026: a file of the app's bundle or of
// Library/Sounds in its container; aiff, wav or caf; under 30 seconds, else the system's own sound plays.

extension DeviceState {
    /// The length that a sound must stay below.
    static let soundLimit = Duration.seconds(30)
    private static let soundFormats: Set<String> = ["aif", "aiff", "aifc", "wav", "caf"]

    /// Returns why the system's own sound plays instead of a named one; nil if the named one plays.
    func soundFault(_ sound: SoundRecord?, _ record: AppRecord) -> SuppressionReason? {
        // If an app does not declare its files, any name is accepted.
        guard let name = sound?.name, let bundle = record.app.sounds else { return nil }
        // Files in the app's Library/Sounds take precedence.
        guard let length = record.librarySounds[name] ?? bundle[name] else { return .soundMissing }
        let parts = name.split(separator: ".")
        guard parts.count > 1, let format = parts.last, Self.soundFormats.contains(format.lowercased()) else {
            return .soundFormat
        }
        return length < Self.soundLimit ? nil : .soundTooLong
    }
}
