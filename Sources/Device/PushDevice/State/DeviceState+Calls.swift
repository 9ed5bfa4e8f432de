import DeviceLink
import PushModel
import SystemPort

// Calls of apps to the system.

extension DeviceState {
    mutating func call(_ call: SystemCall, from process: Int, _ completion: @escaping @Sendable (SystemReply) -> Void) {
        guard let bundleID = owner(of: process), let record = apps[bundleID] else {
            add(.reply(.terminated, completion))
            return
        }
        var reply = answer(to: call, from: bundleID, record) ?? .done
        switch call {
        case .facts, .notificationSettings, .categories, .deliveredNotifications, .pendingRequests, .readStorage,
            .canOpen, .shortcuts:
            break
        case .requestAuthorization(let options):
            return authorize(bundleID, options: options, completion)
        case .registerUserNotificationSettings(let types, let categories):
            apps[bundleID]?.categories = categories
            add(.reply(.done, completion))
            return registerSettings(bundleID, types)
        case .setCategories(let categories): apps[bundleID]?.categories = categories
        case .registerForRemoteNotifications: register(bundleID)
        case .unregisterForRemoteNotifications: unregister(bundleID)
        case .removeDelivered(let identifiers):
            removeEntries(of: bundleID) { identifiers.contains($0.notification.identifier) }
        case .removeAllDelivered:
            removeEntries(of: bundleID) { _ in true }
        case .add(let request):
            guard let error = refusal(of: request, by: process) else {
                // A notification without a trigger is delivered after the answer. Another one is planned before it, so that whoever
                // turns the clock after the answer finds the alarm.
                guard request.trigger != nil else {
                    add(.reply(.done, completion))
                    return add(request, to: bundleID)
                }
                add(request, to: bundleID)
                return add(.reply(.done, completion))
            }
            reply = refuse(request, for: error, to: record)
        case .removePending(let identifiers):
            if managesPending(record) { removePending(of: bundleID) { identifiers.contains($0) } }
        case .removeAllPending:
            if managesPending(record) { removePending(of: bundleID) }
        case .setBadge(let badge): reply = changeBadge(IconBadgeChange(number: badge), by: record)
        case .removeBadge: reply = changeBadge(IconBadgeChange(number: 0, clearsEntries: false), by: record)
        case .writeStorage(let key, let value):
            apps[bundleID]?.storage[key] = value
            save(bundleID)
        case .open(let url, let linksOnly):
            reply = .opened(openURL(url, from: bundleID, linksOnly: linksOnly))
        case .setFetchInterval(let seconds): setFetchInterval(seconds, of: bundleID)
        case .setShortcuts(let shortcuts): apps[bundleID]?.shortcuts = shortcuts
        case .showInApp(let record): reply = showInApp(record, by: bundleID)
        case .awaitInAppEnd(let id):
            return awaitInAppEnd(id, of: bundleID, completion)
        case .hideInApp(let id): hideInApp(id, of: bundleID)
        case .showAlert, .hideAlert: if record.process == process { changeAlerts(call, of: bundleID) }
        case .keepRunning(let keeps):
            // An extension's work ends with it.
            if record.process == process { keepRunning(bundleID, keeps) }
        case .pushKit(let call): reply = self.call(call, from: process, bundleID)
        case .callKit(let call): reply = self.call(call, from: process, bundleID)
        case .warn(let warning): emit(.warning(warning), app: bundleID)
        case .contentExtension(let call):
            // Answered before the view, and the process with it, may close.
            add(.reply(.done, completion))
            return handle(call, from: process)
        case .location(let call): self.call(call, from: bundleID)
        case .liveActivity(let call): reply = self.call(call, from: bundleID)
        }
        add(.reply(reply, completion))
    }

    private mutating func refuse(_ request: RequestRecord, for error: SystemError, to record: AppRecord) -> SystemReply
    {
        if request.content.legacy != nil { explain(request, record) }
        discardFiles(of: request.content)
        return .failed(error)
    }

    /// Returns the answer to a call that only reads; nil for any other call.
    func answer(to call: SystemCall, from process: Int) -> SystemReply? {
        guard let bundleID = owner(of: process), let record = apps[bundleID] else { return .terminated }
        return answer(to: call, from: bundleID, record)
    }

    private func answer(to call: SystemCall, from bundleID: String, _ record: AppRecord) -> SystemReply? {
        switch call {
        case .facts: .facts(facts(record))
        case .notificationSettings: .settings(record.settings)
        case .categories: .categories(record.categories)
        case .deliveredNotifications: .notifications(delivered(to: bundleID))
        case .pendingRequests: .requests(managesPending(record) ? pendingRequests(of: bundleID) : [])
        case .readStorage(let key): .value(record.storage[key])
        case .open(let url, let linksOnly): .opened(mayOpen(url, from: bundleID, linksOnly: linksOnly))
        case .canOpen(let url): .opened(canOpenURL(url, from: record))
        case .shortcuts: .shortcuts(record.shortcuts)
        case .liveActivity(let call): answer(to: call, record)
        case .pushKit(.token(let type)): .pushToken(record.voIP.tokens[type])
        case .callKit(.list): .calls(phoneCalls.all.map(\.record))
        default: nil
        }
    }

    /// Returns the delivered notifications that the app may read, newest first.
    private func delivered(to bundleID: String) -> [NotificationRecord] {
        let own = entries.filter { $0.place != .banner && $0.shown.bundleID == bundleID }.map(\.shown.notification)
        return own.filter { notification in
            guard case .location = notification.trigger else { return true }
            return profile.readsBackLocationDeliveries
        }
    }

    // MARK: Permission

    private mutating func authorize(
        _ bundleID: String,
        options: UInt,
        _ completion: @escaping @Sendable (SystemReply) -> Void
    ) {
        guard let record = apps[bundleID] else { return }
        let isProvisional = options & SettingsRecord.provisional != 0 && profile.hasProvisionalPermission
        switch record.settings.status {
        case 0 where isProvisional:
            grant(bundleID, options & ~SettingsRecord.provisional, status: 3)
            add(.reply(.authorization(granted: true), completion))
        case let status where status == 0 || status == 3 && !isProvisional:
            asking[bundleID, default: []].append(completion)
            ask(PermissionPrompt(bundleID: bundleID, appName: record.app.name, options: options))
        default:
            // Options that do not interrupt need no second prompt.
            let quiet = options & SettingsRecord.providesAppNotificationSettings
            apps[bundleID]?.settings.requested |= quiet
            add(.reply(.authorization(granted: record.settings.allowed != 0), completion))
        }
    }

    /// Handles a registration by an iOS 8 or 9 app: the first one prompts the user, later ones return the user's
    /// choice.
    private mutating func registerSettings(_ bundleID: String, _ types: UInt) {
        guard let record = apps[bundleID] else { return }
        // iOS 8 and 9 have these three types.
        let types = types & (SettingsRecord.badge | SettingsRecord.sound | SettingsRecord.alert)
        let isAsked = record.settingsCalls > 0
        apps[bundleID]?.userNotificationTypes = isAsked ? record.userNotificationTypes | types : types
        apps[bundleID]?.settingsCalls += 1
        if record.settings.status == 0 || record.settings.status == SettingsRecord.provisionalStatus {
            return ask(PermissionPrompt(bundleID: bundleID, appName: record.app.name, options: types))
        }
        if record.settings.status != 1 {
            // Types that the user was not asked about are granted with those that they allowed.
            apps[bundleID]?.settings.allowed |= types & ~record.settings.requested
            apps[bundleID]?.settings.requested |= types
        }
        sendSettings(to: bundleID)
    }

    private mutating func sendSettings(to bundleID: String) {
        guard let record = apps[bundleID], record.process != nil else { return }
        apps[bundleID]?.settingsCalls = 0
        let types = record.settings.allowed & record.userNotificationTypes
        let state = appState(of: bundleID)
        for _ in 0..<record.settingsCalls {
            send(.didRegisterUserNotificationSettings(types: types), state, to: bundleID)
        }
    }

    /// Reports why a notification of the API before iOS 10 may not be shown: its app gets no error, so the journey has
    /// the reason.
    private mutating func explain(_ request: RequestRecord, _ record: AppRecord) {
        let reason: SuppressionReason = record.settings.status == 0 ? .permissionNotDetermined : .permissionDenied
        report(.suppressed(reason), of: subject(of: request.identifier, record.app.bundleID))
    }

    /// Queues a prompt behind those that are pending; a duplicate is ignored.
    mutating func ask(_ question: PermissionPrompt) {
        if prompt?.asksAsMuch(as: question) == true || waitingPrompts.contains(where: question.asksAsMuch) { return }
        guard prompt == nil else { return waitingPrompts.append(question) }
        show(question)
    }

    private mutating func show(_ question: PermissionPrompt) {
        prompt = question
        emit(.promptShown(question), app: question.bundleID)
        interruptFront()
        switch prompts {
        case .ask: break
        case .allow: answerPrompt(true)
        case .deny: answerPrompt(false)
        }
    }

    mutating func answerPrompt(_ allow: Bool) {
        guard let question = prompt else { return }
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
            let record = apps[question.bundleID]
            let more = record.map { $0.settingsCalls > 0 ? $0.userNotificationTypes : 0 } ?? 0
            grant(question.bundleID, question.options | more, status: 2)
        } else {
            apps[question.bundleID]?.settings.status = 1
            apps[question.bundleID]?.settings.requested = question.options
            apps[question.bundleID]?.settings.allowed = 0
        }
        sendSettings(to: question.bundleID)
        let granted = apps[question.bundleID]?.settings.allowed != 0
        for completion in asking.removeValue(forKey: question.bundleID) ?? [] {
            add(.reply(.authorization(granted: granted), completion))
        }
    }

    mutating func nextPrompt() {
        prompt = nil
        if waitingPrompts.isEmpty { endInterruption() } else { show(waitingPrompts.removeFirst()) }
    }

    /// Grants options: any app can have badge, sound and alert; the rest needs an entitlement or a newer system.
    mutating func grant(_ bundleID: String, _ options: UInt, status: Int) {
        guard let app = apps[bundleID]?.app else { return }
        var kinds = SettingsRecord.badge | SettingsRecord.sound | SettingsRecord.alert | SettingsRecord.carPlay
        if app.entitlements.contains(.criticalAlerts) { kinds |= SettingsRecord.criticalAlert }
        apps[bundleID]?.settings.status = status
        apps[bundleID]?.settings.requested = options
        apps[bundleID]?.settings.allowed = options & kinds
        if profile.hasInterruptionLevels, app.entitlements.contains(.timeSensitive) {
            apps[bundleID]?.settings.timeSensitive = true
        }
        offer(bundleID, announcement: options & SettingsRecord.announcement != 0)
    }

    /// Enables settings that become available to the user and are not set yet.
    private mutating func offer(_ bundleID: String, announcement isAsked: Bool) {
        guard var settings = apps[bundleID]?.settings else { return }
        if profile.hasScheduledSummary {
            settings.scheduledDelivery = settings.scheduledDelivery ?? false
            settings.directMessages = settings.directMessages ?? false
        }
        if profile.announcements == .always || profile.announcements == .onRequest && isAsked {
            settings.announcement = settings.announcement ?? false
        }
        apps[bundleID]?.settings = settings
    }

    /// Returns the app of a process, whether its own or its extension's.
    func owner(of process: Int) -> String? {
        apps.first { $0.value.process == process }?.key ?? processes.owner(ofExtension: process)
    }

    // MARK: Token

    private mutating func register(_ bundleID: String) {
        guard let record = apps[bundleID] else { return }
        guard record.app.hasPushEntitlement else {
            let text = "no valid “aps-environment” entitlement string found for application"
            let error = SystemError(domain: "NSCocoaErrorDomain", code: 3000, text: text)
            let state = appState(of: bundleID)
            return send(.didFailToRegisterForRemoteNotifications(error), state, to: bundleID)
        }
        apps[bundleID]?.waitsForToken = true
        if let token = record.token, record.isRegistered {
            sendToken(token, to: bundleID)
        } else {
            perform(courier.register(topic: bundleID, environment: record.app.environment))
        }
    }

    private mutating func unregister(_ bundleID: String) {
        guard let record = apps[bundleID] else { return }
        perform(courier.unregister(topic: bundleID, environment: record.app.environment))
        apps[bundleID]?.token = nil
        apps[bundleID]?.isRegistered = false
        apps[bundleID]?.waitsForToken = false
        sendFacts(bundleID)
    }

    /// Handles a token from the courier. It is repeated after each connection; the app receives it if it asked, or if
    /// it changed.
    mutating func received(_ token: DeviceToken, topic: String, environment: APNSEnvironment) {
        if receivedActivityToken(token, topic: CourierTopic(text: topic), environment: environment) { return }
        if receivedPushKitToken(token, topic: topic, environment: environment) { return }
        guard let record = apps[topic], record.app.environment == environment else { return }
        guard record.token != token || record.waitsForToken else { return }
        apps[topic]?.token = token
        apps[topic]?.isRegistered = true
        emit(.tokenReceived(token, environment), app: topic)
        sendFacts(topic)
        sendToken(token, to: topic)
    }

    private mutating func sendToken(_ token: DeviceToken, to bundleID: String) {
        guard apps[bundleID]?.process != nil else { return }
        apps[bundleID]?.waitsForToken = false
        let state = appState(of: bundleID)
        send(.didRegisterForRemoteNotifications(token), state, to: bundleID)
    }
}
