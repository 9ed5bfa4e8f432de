import PushModel
import SystemPort

// The permission for notifications, and the prompts on the screen.

extension DeviceState {
    mutating func authorize(
        _ bundleID: String,
        options: UInt,
        _ completion: @escaping SystemReplyHandler
    ) {
        guard let record = apps[bundleID] else { return }
        let options = supported(options, by: record.app)
        let isProvisional = options & SettingsRecord.provisional != 0 && profile.hasProvisionalPermission
        switch record.settings.authorization {
        case .notDetermined where isProvisional:
            grant(bundleID, options & ~SettingsRecord.provisional, as: .provisional)
            add(.reply(.authorization(granted: true), completion))
        case .notDetermined,
            .provisional where !isProvisional:
            promptQueue.wait(completion, of: bundleID)
            ask(record, options: options)
        case .provisional, .denied, .authorized:
            // Options that do not interrupt need no second prompt.
            apps[bundleID]?.permission.settings.requested |= options & SettingsRecord.providesAppNotificationSettings
            add(.reply(.authorization(granted: record.settings.allowed != 0), completion))
        }
    }

    /// Handles a registration by an iOS 8 or 9 app: the first one prompts the user, later ones return the user's
    /// choice.
    mutating func registerSettings(_ bundleID: String, _ types: UInt) {
        guard let record = apps[bundleID] else { return }
        // iOS 8 and 9 have these three types.
        let types = types & SettingsRecord.usual
        apps[bundleID]?.permission.register(types)
        switch record.settings.authorization {
        case .notDetermined, .provisional:
            return ask(record, options: types)
        case .authorized: apps[bundleID]?.permission.grantFurther(types)
        case .denied: break
        }
        sendSettings(to: bundleID)
    }

    private mutating func sendSettings(to bundleID: String) {
        guard apps[bundleID]?.process != nil, let calls = apps[bundleID]?.permission.takeCalls() else { return }
        for _ in 0..<calls.count { send(.didRegisterUserNotificationSettings(types: calls.types), to: bundleID) }
    }

    /// Reports why a notification of the API before iOS 10 may not be shown: its app gets no error, so the journey has
    /// the reason.
    mutating func explain(_ request: RequestRecord, _ record: AppRecord) {
        let isOpen = record.settings.authorization == .notDetermined
        let reason: SuppressionReason = isOpen ? .permissionNotDetermined : .permissionDenied
        suppress(subject(of: request.identifier, record.app.bundleID), reason)
    }

    /// Queues a prompt behind those that are pending; a duplicate is ignored.
    mutating func ask(
        _ record: AppRecord,
        for subject: PermissionPrompt.Subject = .notifications,
        options: UInt = 0
    ) {
        let app = record.app
        let question = PermissionPrompt(bundleID: app.bundleID, appName: app.name, options: options, subject: subject)
        if promptQueue.add(question) { show(question) }
    }

    private mutating func show(_ question: PermissionPrompt) {
        emit(.promptShown(question), app: question.bundleID)
        interruptFront()
        switch settings.prompts {
        case .ask: break
        case .allow: answerPrompt(true)
        case .deny: answerPrompt(false)
        }
    }

    mutating func answerPrompt(_ allow: Bool) {
        guard let question = promptQueue.front else { return }
        emit(.promptAnswered(allowed: allow), app: question.bundleID)
        if question.subject == .notifications {
            answerNotifications(question, allow)
        } else {
            answerLocation(question, allow)
        }
        nextPrompt()
    }

    private mutating func answerNotifications(_ question: PermissionPrompt, _ allow: Bool) {
        if allow {
            // If several calls wait for one prompt, each has its own options.
            let more = apps[question.bundleID]?.permission.awaitedTypes ?? 0
            grant(question.bundleID, question.options | more, as: .authorized)
        } else {
            apps[question.bundleID]?.permission.deny(question.options)
        }
        sendSettings(to: question.bundleID)
        let granted = apps[question.bundleID]?.settings.allowed != 0
        for completion in promptQueue.takeCalls(of: question.bundleID) {
            add(.reply(.authorization(granted: granted), completion))
        }
    }

    mutating func nextPrompt() {
        if let next = promptQueue.next() { show(next) } else { endInterruption() }
    }

    /// Returns the options without critical alerts, if the app may not have them: their setting is then not supported, whatever the app
    /// asked for. Source: Apple, `criticalAlert` and `UNNotificationSettings.criticalAlertSetting`, of iOS 12 and later.
    private func supported(_ options: UInt, by app: InstalledApp) -> UInt {
        let mayAlert = app.entitlements.contains(.criticalAlerts) && profile.isAtLeast(12, 0)
        return mayAlert ? options : options & ~SettingsRecord.criticalAlert
    }

    /// Grants options: any app can have badge, sound and alert; the rest needs an entitlement or a newer system.
    mutating func grant(_ bundleID: String, _ asked: UInt, as authorization: SettingsRecord.Authorization) {
        guard let app = apps[bundleID]?.app else { return }
        let profile = profile
        let options = supported(asked, by: app)
        let kinds = SettingsRecord.usual | SettingsRecord.carPlay | SettingsRecord.criticalAlert
        apps[bundleID]?.permission.grant(options, of: kinds, as: authorization)
        let isAnnouncementAsked = options & SettingsRecord.announcement != 0
        apps[bundleID]?.permission.offer(app, on: profile, announcement: isAnnouncementAsked)
    }
}
