import DeviceLink
import PushModel
import SystemPort

// A push arrives: what the person sees, and what the app hears (callback-matrix.csv, rows R10-*).

extension DeviceState {
    mutating func receive(_ push: CourierPush, _ effects: inout Effects) {
        guard let record = apps[push.topic] else {
            return report(.suppressed(.notInstalled), of: push.apnsID, &effects)
        }
        guard record.app.environment == push.environment else {
            return report(.suppressed(.environment), of: push.apnsID, &effects)
        }
        guard let payload = RemotePayload(push.payload) else {
            return report(.suppressed(.badPayload), of: push.apnsID, &effects)
        }
        tell(.pushArrived(apnsID: push.apnsID), app: push.topic, &effects)
        if payload.isContentAvailable { wake(record, payload, push.apnsID, &effects) }
        if payload.isForPerson {
            show(record, payload, push, &effects)
        } else if !payload.isContentAvailable {
            report(.suppressed(.noText), of: push.apnsID, &effects)
        }
    }

    /// The app's share of the push.
    private mutating func wake(
        _ record: AppRecord,
        _ payload: RemotePayload,
        _ apnsID: String,
        _ effects: inout Effects
    ) {
        let bundleID = record.app.bundleID
        let state: AppState
        switch record.condition {
        case .active:
            state = .active
        case .background, .notRunning, .forceQuit:
            guard record.app.wakesForPushes else { return report(.suppressed(.noBackgroundMode), of: apnsID, &effects) }
            guard record.condition != .forceQuit else { return report(.suppressed(.forceQuit), of: apnsID, &effects) }
            state = .background
            if record.process == nil {
                launch(bundleID, .background, payload: payload.content.userInfo, push: apnsID, &effects)
                set(.background, bundleID, &effects)
            } else {
                report(.woken(.background), of: apnsID, &effects)
            }
        }
        let event = SystemEvent.Kind.remoteNotification(payload.content.userInfo)
        send(event, state, to: bundleID, as: .fetch, push: apnsID, isPartOfJourney: true, &effects)
    }

    /// The person's share of the push.
    private mutating func show(
        _ record: AppRecord,
        _ payload: RemotePayload,
        _ push: CourierPush,
        _ effects: inout Effects
    ) {
        // Permission first: without it the app is not asked either.
        guard record.settings.status != 0 else {
            return report(.suppressed(.permissionNotDetermined), of: push.apnsID, &effects)
        }
        guard record.settings.allowed != 0 else {
            return report(.suppressed(.permissionDenied), of: push.apnsID, &effects)
        }
        let shown = ShownNotification(
            bundleID: record.app.bundleID,
            appName: record.app.name,
            apnsID: push.apnsID,
            notification: NotificationRecord(
                identifier: push.collapseID ?? random.uuid().uppercased(),
                date: date,
                content: payload.content
            )
        )
        if record.condition == .active {
            let event = SystemEvent.Kind.willPresent(shown.notification, alsoFetched: payload.isContentAvailable)
            let purpose = Outstanding.Purpose.present(shown)
            send(event, .active, to: shown.bundleID, as: purpose, push: push.apnsID, isPartOfJourney: true, &effects)
        } else {
            present(shown, options: .max, &effects)
        }
    }

    /// Shows what the person allows, and of that what `options` (`UNNotificationPresentationOptions`) ask for.
    mutating func present(_ shown: ShownNotification, options: UInt, _ effects: inout Effects) {
        guard let record = apps[shown.bundleID] else { return }
        let content = shown.notification.content
        let isProvisional = record.settings.status == 3
        var presented: [Presentation] = []
        let mayShowText = content.hasText && record.allows(SettingsRecord.alert)
        if mayShowText, options & PresentationBits.banner != 0, !isProvisional { presented.append(.banner) }
        if mayShowText, options & PresentationBits.list != 0 { presented.append(.list) }
        if content.sound != nil, options & PresentationBits.sound != 0, !isProvisional,
            record.allows(SettingsRecord.sound)
        {
            presented.append(.sound)
        }
        if content.badge != nil, options & PresentationBits.badge != 0, !isProvisional,
            record.allows(SettingsRecord.badge)
        {
            presented.append(.badge)
        }
        place(shown, presented, &effects)
        for how in presented { report(.presented(how), of: shown.apnsID, &effects) }
        if let reason = silence(content, record, presented) { report(.suppressed(reason), of: shown.apnsID, &effects) }
    }

    /// Why the person saw no text; nil if there was some, or the app chose a sound or a badge alone.
    private func silence(
        _ content: ContentRecord,
        _ record: AppRecord,
        _ presented: [Presentation]
    ) -> SuppressionReason? {
        if presented.contains(.banner) || presented.contains(.list) { return nil }
        if !content.hasText { return .noText }
        // It may badge or sound, but never asked to alert.
        if !record.allows(SettingsRecord.alert) { return .permissionNotDetermined }
        return presented.isEmpty ? .foreground : nil
    }

    private mutating func place(_ shown: ShownNotification, _ presented: [Presentation], _ effects: inout Effects) {
        let isBanner = presented.contains(.banner)
        let isListed = presented.contains(.list)
        if isBanner || isListed {
            let identifier = shown.notification.identifier
            entries.removeAll { $0.shown.bundleID == shown.bundleID && $0.shown.notification.identifier == identifier }
            hideBanner(&effects)
            entries.insert(Entry(shown: shown, isListed: isListed), at: 0)
            trim(shown.bundleID)
        }
        if isListed { tell(.listed(shown), app: shown.bundleID, &effects) }
        if isBanner {
            banner = shown
            tell(.bannerShown(shown), app: shown.bundleID, &effects)
            effects.append(.alarm(.banner, Self.bannerTime))
        }
        let content = shown.notification.content
        if presented.contains(.sound) { tell(.soundPlayed(name: content.sound?.name), app: shown.bundleID, &effects) }
        if presented.contains(.badge), let badge = content.badge { setBadge(badge, of: shown.bundleID, &effects) }
    }

    private mutating func trim(_ bundleID: String) {
        let own = entries.indices.filter { entries[$0].shown.bundleID == bundleID }
        if own.count > Self.listLimit, let oldest = own.last { entries.remove(at: oldest) }
    }

    // MARK: The person

    /// A tap on the banner or on the entry in the list.
    mutating func tap(_ apnsID: String, _ effects: inout Effects) -> Bool {
        guard let shown = take(apnsID, &effects), let record = apps[shown.bundleID] else { return false }
        tell(.tapped(apnsID: apnsID), app: shown.bundleID, &effects)
        report(.opened, of: apnsID, &effects)
        let response = ResponseRecord(
            notification: shown.notification,
            actionIdentifier: ResponseRecord.defaultAction
        )
        if record.condition == .active {
            let event = SystemEvent.Kind.didReceive(response)
            send(event, .active, to: shown.bundleID, as: .respond, push: apnsID, isPartOfJourney: true, &effects)
        } else {
            bringForward(shown.bundleID, opening: response, push: apnsID, &effects)
        }
        return true
    }

    /// The entry is swiped away; the app hears of it only if the category asks for that.
    mutating func dismiss(_ apnsID: String, _ effects: inout Effects) -> Bool {
        guard let shown = take(apnsID, &effects), let record = apps[shown.bundleID] else { return false }
        tell(.dismissed(apnsID: apnsID), app: shown.bundleID, &effects)
        report(.dismissed, of: apnsID, &effects)
        let identifier = shown.notification.content.categoryIdentifier
        let category = record.categories.last { $0.identifier == identifier }
        guard let category, category.options & CategoryRecord.customDismissAction != 0 else { return true }
        let response = ResponseRecord(
            notification: shown.notification,
            actionIdentifier: ResponseRecord.dismissAction
        )
        if record.process == nil {
            let payload = shown.notification.content.userInfo
            launch(shown.bundleID, .background, payload: payload, push: apnsID, &effects)
            set(.background, shown.bundleID, &effects)
        }
        let state: AppState = record.condition == .active ? .active : .background
        let event = SystemEvent.Kind.didReceive(response)
        send(event, state, to: shown.bundleID, as: .respond, push: apnsID, isPartOfJourney: true, &effects)
        return true
    }

    private mutating func take(_ apnsID: String, _ effects: inout Effects) -> ShownNotification? {
        guard let place = entries.firstIndex(where: { $0.shown.apnsID == apnsID }) else { return nil }
        let shown = entries.remove(at: place).shown
        if banner?.apnsID == apnsID { endBanner(&effects) }
        return shown
    }

    // MARK: Banner, list and badge

    /// The banner's time is over.
    mutating func hideBanner(_ effects: inout Effects) {
        guard let shown = banner else { return }
        endBanner(&effects)
        entries.removeAll { $0.shown.apnsID == shown.apnsID && !$0.isListed }
    }

    private mutating func endBanner(_ effects: inout Effects) {
        guard let shown = banner else { return }
        banner = nil
        effects.append(.cancel(.banner))
        tell(.bannerHidden, app: shown.bundleID, &effects)
    }

    mutating func removeEntries(
        of bundleID: String,
        _ effects: inout Effects,
        where matches: (ShownNotification) -> Bool
    ) {
        let gone = entries.filter { $0.shown.bundleID == bundleID && matches($0.shown) }.map(\.shown.apnsID)
        entries.removeAll { gone.contains($0.shown.apnsID) }
        if let shown = banner, gone.contains(shown.apnsID) { endBanner(&effects) }
    }

    /// From a number to 0, the app's entries leave the notification centre.
    mutating func setBadge(_ badge: Int, of bundleID: String, _ effects: inout Effects) {
        guard let old = apps[bundleID]?.badge, old != badge else { return }
        apps[bundleID]?.badge = badge
        tell(.badgeChanged(badge), app: bundleID, &effects)
        sendFacts(bundleID, &effects)
        if badge == 0 { removeEntries(of: bundleID, &effects) { _ in true } }
    }

    func sendFacts(_ bundleID: String, _ effects: inout Effects) {
        guard let record = apps[bundleID], let process = record.process else { return }
        effects.append(.facts(facts(record), process: process))
    }
}

/// The bits of `UNNotificationPresentationOptions`; `alert` (4) means banner and list.
private enum PresentationBits {
    static let badge: UInt = 1
    static let sound: UInt = 2
    static let list: UInt = 4 | 8
    static let banner: UInt = 4 | 16
}
