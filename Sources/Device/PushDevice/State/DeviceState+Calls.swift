import DeviceLink
import PushModel
import SystemPort

// Calls of apps to the system.

extension DeviceState {
    mutating func call(_ call: SystemCall, from process: Int, _ completion: @escaping SystemReplyHandler) {
        guard let bundleID = owner(of: process), let record = apps[bundleID] else {
            if case .callKit(.reportIncoming) = call {
                suppress(phoneCalls.unreported.removeValue(forKey: process), .reportedLate)
            }
            add(.reply(.terminated, completion))
            return
        }
        var reply = answer(to: call, from: bundleID, record) ?? .done
        switch call {
        case .facts, .notificationSettings, .categories, .deliveredNotifications, .pendingRequests, .readStorage,
            .storageKeys, .canOpen, .shortcuts:
            break
        case .requestAuthorization(let options): return authorize(bundleID, options: options, completion)
        case .registerUserNotificationSettings(let types, let categories):
            apps[bundleID]?.categories = categories
            add(.reply(.done, completion))
            return registerSettings(bundleID, types)
        case .setCategories(let categories): apps[bundleID]?.categories = categories
        case .registerForRemoteNotifications: register(bundleID)
        case .unregisterForRemoteNotifications: unregister(bundleID)
        case .removeDelivered(let identifiers):
            removeEntries(of: bundleID) { identifiers.contains(where: $0.notification.identifier.isSame) }
        case .removeAllDelivered: removeEntries(of: bundleID)
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
            if managesPending(record) { removePending(of: bundleID) { identifiers.contains(where: $0.isSame) } }
        case .removeAllPending:
            if managesPending(record) { removePending(of: bundleID) }
        case .setBadge(let badge): reply = changeBadge(IconBadgeChange(number: badge), by: record)
        case .removeBadge: reply = changeBadge(IconBadgeChange(number: 0, clearsEntries: false), by: record)
        case .writeStorage(let key, let value):
            apps[bundleID]?.data.storage[key] = value
            save(bundleID)
        case .open(let url, let linksOnly): reply = .opened(openURL(url, from: bundleID, linksOnly: linksOnly))
        case .setFetchInterval(let seconds): setFetchInterval(seconds, of: bundleID)
        case .setShortcuts(let shortcuts): apps[bundleID]?.shortcuts = shortcuts
        case .showInApp(let record): reply = showInApp(record, by: bundleID)
        case .awaitInAppEnd(let id): return awaitInAppEnd(id, of: bundleID, completion)
        case .hideInApp(let id): hideInApp(id, of: bundleID)
        // Extensions have no alerts, and an extension's work ends with it.
        case .showAlert(let alert): if record.process == process { showAlert(alert, by: bundleID) }
        case .hideAlert(let id): if record.process == process { hideAlert(id, of: bundleID) }
        case .keepRunning(let keeps): if record.process == process { keepRunning(bundleID, keeps) }
        case .pushKit(let call): reply = self.call(call, from: process, bundleID)
        case .callKit(let call): reply = self.call(call, from: process, bundleID)
        case .warn(let warning): warn(warning, app: bundleID)
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
        case .readStorage(let key): .value(record.data.storage[key])
        case .storageKeys(let prefix): .storageKeys(record.data.storage.keys(after: prefix))
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
        let own = entries.all.filter { $0.place != .banner && $0.shown.bundleID == bundleID }.map(\.shown.notification)
        return own.filter { notification in
            guard case .location = notification.trigger else { return true }
            return profile.readsBackLocationDeliveries
        }
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
            return send(.didFailToRegisterForRemoteNotifications(error), to: bundleID)
        }
        apps[bundleID]?.token.isAwaited = true
        if let token = record.token.value {
            sendToken(token, to: bundleID)
        } else {
            registerTopic(bundleID, of: record.app)
        }
    }

    private mutating func unregister(_ bundleID: String) {
        guard let record = apps[bundleID] else { return }
        unregisterTopic(bundleID, of: record.app)
        apps[bundleID]?.token = AppToken()
        sendFacts(bundleID)
    }

    /// Handles a token from the courier. It is repeated after each connection; the app receives it if it asked, or if
    /// it changed.
    mutating func received(_ token: DeviceToken, topic: String, environment: APNSEnvironment) {
        if receivedActivityToken(token, topic: CourierTopic(text: topic), environment: environment) { return }
        if receivedPushKitToken(token, topic: topic, environment: environment) { return }
        if receivedWidgetToken(token, topic: topic, environment: environment) { return }
        guard let record = apps[topic], record.app.environment == environment else { return }
        guard apps[topic]?.token.take(token) == true else { return }
        emit(.tokenReceived(token, environment), app: topic)
        sendFacts(topic)
        sendToken(token, to: topic)
    }

    private mutating func sendToken(_ token: DeviceToken, to bundleID: String) {
        guard apps[bundleID]?.process != nil else { return }
        apps[bundleID]?.token.isAwaited = false
        send(.didRegisterForRemoteNotifications(token), to: bundleID)
    }
}
