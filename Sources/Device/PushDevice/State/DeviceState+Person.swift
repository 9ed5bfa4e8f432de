import DeviceLink
import PushModel
import SystemPort

// The user's actions on notifications.

extension DeviceState {
    /// An action held until the device is unlocked.
    struct HeldAct: Sendable {
        var id: String
        var action: String
        var text: String?
        /// The button, if the content extension that set it has closed by then.
        var button: ActionRecord?
    }

    /// Handles a tap on the banner or on the entry in the list.
    mutating func tap(_ id: String, _ effects: inout Effects) -> PersonOutcome {
        if touchInApp(id, isTap: true, &effects) { return .done }
        guard entries.contains(where: { $0.shown.id == id }) else { return .notThere }
        if let expanded, expanded.id == id, expanded.info?.allowsUserInteraction == true {
            // The extension receives the touch: it may open the app with `performNotificationDefaultAction()`.
            tell(.tapped(id: id), app: expanded.shown.bundleID, &effects)
            return .done
        }
        if isLocked { return hold(HeldAct(id: id, action: ResponseRecord.defaultAction), &effects) }
        guard let shown = take(id, &effects) else { return .notThere }
        tell(.tapped(id: id), app: shown.bundleID, &effects)
        report(.opened, of: shown.subject, &effects)
        let response = ResponseRecord(
            notification: shown.notification,
            actionIdentifier: ResponseRecord.defaultAction
        )
        answer(response, to: shown, bringsForward: true, &effects)
        return .done
    }

    /// Handles a button of the notification's category; `text` is the user's text, for a button that asks for it.
    mutating func choose(_ action: String, on id: String, text: String?, _ effects: inout Effects) -> PersonOutcome {
        guard let entry = entries.first(where: { $0.shown.id == id }) else { return .notThere }
        let buttons = buttons(of: entry.shown)
        guard let button = buttons.first(where: { $0.identifier == action }), (button.textInput != nil) == (text != nil)
        else { return .noSuchAction }
        let act = HeldAct(id: id, action: action, text: text)
        if let expanded, expanded.id == id, expanded.process != nil {
            askExtension(act, &effects)
            return .done
        }
        return perform(act, button, &effects)
    }

    /// Sends the button's action to the app, once the device is unlocked if the button requires that.
    mutating func perform(_ act: HeldAct, _ button: ActionRecord, _ effects: inout Effects) -> PersonOutcome {
        let comesForward = button.options & ActionRecord.foreground != 0
        if isLocked, comesForward || button.options & ActionRecord.authenticationRequired != 0 {
            var held = act
            held.button = button
            return hold(held, &effects)
        }
        guard let shown = take(act.id, &effects) else { return .notThere }
        tell(.acted(id: act.id, action: act.action), app: shown.bundleID, &effects)
        report(.acted(act.action), of: shown.subject, &effects)
        if let text = act.text { report(.replied(text.count), of: shown.subject, &effects) }
        let response = ResponseRecord(
            notification: shown.notification,
            actionIdentifier: act.action,
            userText: act.text
        )
        answer(response, to: shown, bringsForward: comesForward, &effects)
        return .done
    }

    /// Handles a swipe that removes the entry; the app is notified only if the category asks for it.
    mutating func dismiss(_ id: String, _ effects: inout Effects) -> PersonOutcome {
        if touchInApp(id, isTap: false, &effects) { return .done }
        guard let shown = take(id, &effects), let record = apps[shown.bundleID] else { return .notThere }
        tell(.dismissed(id: id), app: shown.bundleID, &effects)
        report(.dismissed, of: shown.subject, &effects)
        let category = record.category(shown.notification.content.categoryIdentifier)
        guard let category, category.options & CategoryRecord.customDismissAction != 0 else {
            discardFiles(of: shown.notification.content, &effects)
            return .done
        }
        let response = ResponseRecord(
            notification: shown.notification,
            actionIdentifier: ResponseRecord.dismissAction
        )
        answer(response, to: shown, bringsForward: false, &effects)
        return .done
    }

    /// Handles "Clear all". Apple does not document whether apps are notified; here they are not.
    mutating func clearAll(_ effects: inout Effects) {
        let gone = entries.filter(\.isListed).map(\.shown)
        for shown in gone {
            tell(.dismissed(id: shown.id), app: shown.bundleID, &effects)
            report(.dismissed, of: shown.subject, &effects)
        }
        let ids = Set(gone.map(\.id))
        for bundleID in apps.keys.sorted() { removeEntries(of: bundleID, &effects) { ids.contains($0.id) } }
    }

    mutating func take(_ id: String, _ effects: inout Effects) -> ShownNotification? {
        guard let place = entries.firstIndex(where: { $0.shown.id == id }) else { return nil }
        let shown = entries.remove(at: place).shown
        if banner?.id == id { endBanner(&effects) }
        if expanded?.id == id { collapse(&effects) }
        return shown
    }

    /// Sends the response to the app, starting it if necessary.
    private mutating func answer(
        _ response: ResponseRecord,
        to shown: ShownNotification,
        bringsForward: Bool,
        _ effects: inout Effects
    ) {
        guard let record = apps[shown.bundleID] else { return }
        if bringsForward, record.condition != .active {
            return bringForward(shown.bundleID, opening: response, for: shown.subject, &effects)
        }
        if record.process == nil {
            let payload = shown.apnsID == nil ? nil : shown.notification.content.userInfo
            // Since iOS 10 the launch options do not contain a local notification whose button was used.
            let local = shown.notification.isLocal && !profile.hasNotificationCenter ? shown.notification : nil
            launch(shown.bundleID, .background, payload: payload, local: local, for: shown.subject, &effects)
            set(.background, shown.bundleID, &effects)
        }
        let state: AppState = record.condition == .active ? .active : .background
        let event = SystemEvent.Kind.didReceive(response)
        let purpose = Outstanding.Purpose.act(shown.notification)
        send(event, state, to: shown.bundleID, as: purpose, for: shown.subject, isPartOfJourney: true, &effects)
    }

    /// Opens the app's own settings, from the system's or from a notification's menu; only for apps that provide them.
    mutating func openSettings(of bundleID: String, from id: String?, _ effects: inout Effects) -> Bool {
        guard let record = apps[bundleID], !isLocked,
            record.settings.requested & SettingsRecord.providesAppNotificationSettings != 0
        else { return false }
        let shown = id.flatMap { id in entries.first { $0.shown.id == id }?.shown }
        if record.condition != .active { bringForward(bundleID, opening: nil, &effects) }
        send(.openSettings(shown?.notification), .active, to: bundleID, as: .respond, for: shown?.subject, &effects)
        return true
    }

    // MARK: Lock

    mutating func lock(_ effects: inout Effects) {
        guard !isLocked else { return }
        lockedFront = front
        if let front { background(front, &effects) }
        hideBanner(&effects)
        collapse(&effects)
        isLocked = true
        tell(.changed("locked"), &effects)
        perform(courier.setAwake(false), &effects)
    }

    /// Unlocks the device: performs the held action, or else restores the previous app.
    mutating func unlock(_ effects: inout Effects) {
        guard isLocked else { return }
        isLocked = false
        tell(.changed("unlocked"), &effects)
        perform(courier.setAwake(true), &effects)
        let act = heldAct
        heldAct = nil
        if let act {
            if act.action == ResponseRecord.defaultAction {
                _ = tap(act.id, &effects)
            } else if let button = act.button {
                _ = perform(act, button, &effects)
            } else {
                _ = choose(act.action, on: act.id, text: act.text, &effects)
            }
        }
        if front == nil, let lockedFront, apps[lockedFront]?.process != nil {
            bringForward(lockedFront, opening: nil, &effects)
        }
        lockedFront = nil
    }

    private mutating func hold(_ act: HeldAct, _ effects: inout Effects) -> PersonOutcome {
        heldAct = act
        return .waitsForUnlock
    }

    // MARK: Settings

    mutating func change(
        _ bundleID: String,
        _ change: (inout SettingsRecord) -> Void,
        _ effects: inout Effects
    ) {
        guard var record = apps[bundleID] else { return }
        change(&record.settings)
        apps[bundleID] = record
        tell(.changed("settings"), app: bundleID, &effects)
        // Notifications that leave the summary are shown now.
        if record.settings.scheduledDelivery != true { showSummary(&effects) { $0.bundleID == bundleID } }
    }

    /// Sets "Allow Notifications".
    mutating func allow(_ bundleID: String, _ isAllowed: Bool, _ effects: inout Effects) {
        guard let record = apps[bundleID] else { return }
        if isAllowed {
            let asked = record.settings.requested
            let usual = SettingsRecord.badge | SettingsRecord.sound | SettingsRecord.alert
            grant(bundleID, asked == 0 ? usual : asked, status: 2)
        } else {
            apps[bundleID]?.settings.status = 1
            apps[bundleID]?.settings.allowed = 0
        }
        tell(.changed(isAllowed ? "notifications on" : "notifications off"), app: bundleID, &effects)
    }

    /// Restarts the device: no app is running, and pending notifications remain.
    mutating func reboot(_ effects: inout Effects) {
        tell(.changed("reboot"), &effects)
        hideBanner(&effects)
        collapse(&effects)
        for bundleID in apps.keys.sorted() {
            end(bundleID, .notRunning, &effects)
            // A restart also ends the effect of a force quit.
            set(.notRunning, bundleID, &effects)
            apps[bundleID]?.location.forget()
        }
        effects.append(.killAll)
        prompt = nil
        waitingPrompts = []
        heldAct = nil
        lockedFront = nil
        for completion in asking.values.flatMap({ $0 }) { effects.append(.reply(.terminated, completion)) }
        asking = [:]
    }
}
