import DeviceLink
import PushModel
import SystemPort

// The user's actions on notifications.

extension DeviceState {
    /// Handles a tap on the banner or on the entry in the list.
    mutating func tap(_ id: String) -> UserActionOutcome {
        if touchInApp(id, isTap: true) { return .done }
        guard entries[id] != nil else { return .notThere }
        if let expanded, expanded.id == id, expanded.info?.allowsUserInteraction == true,
            profile.contentExtensionsGetTouches
        {
            // The extension receives the touch: it may open the app with `performNotificationDefaultAction()`.
            emit(.tapped(id: id), app: expanded.shown.bundleID)
            return .done
        }
        if springboard.isLocked { return hold(HeldAct(id: id, action: ResponseRecord.defaultAction)) }
        guard let shown = remove(id) else { return .notThere }
        emit(.tapped(id: id), app: shown.bundleID)
        report(.opened, of: shown.subject)
        let response = ResponseRecord(notification: shown.notification, actionIdentifier: ResponseRecord.defaultAction)
        answer(response, to: shown, bringsForward: true)
        return .done
    }

    /// Handles a button of the notification's category; `text` is the user's text, for a button that asks for it.
    mutating func choose(_ action: String, on id: String, text: String?) -> UserActionOutcome {
        guard let shown = entries[id] else { return .notThere }
        let buttons = buttons(of: shown)
        guard let button = buttons.first(where: { $0.identifier == action }), (button.textInput != nil) == (text != nil)
        else { return .noSuchAction }
        let act = HeldAct(id: id, action: action, text: text)
        if let expanded, expanded.id == id, expanded.process != nil {
            askExtension(act)
            return .done
        }
        return perform(act, button)
    }

    /// Sends the button's action to the app, once the device is unlocked if the button requires that.
    mutating func perform(_ act: HeldAct, _ button: ActionRecord) -> UserActionOutcome {
        let comesForward = button.options & ActionRecord.foreground != 0
        if springboard.isLocked, comesForward || button.options & ActionRecord.authenticationRequired != 0 {
            var held = act
            held.button = button
            return hold(held)
        }
        guard let shown = remove(act.id) else { return .notThere }
        emit(.acted(id: act.id, action: act.action), app: shown.bundleID)
        report(.acted(act.action), of: shown.subject)
        if let text = act.text { report(.replied(text.count), of: shown.subject) }
        let response = ResponseRecord(
            notification: shown.notification,
            actionIdentifier: act.action,
            userText: act.text
        )
        answer(response, to: shown, bringsForward: comesForward)
        return .done
    }

    /// Handles a swipe that removes the entry; the app is notified only if the category asks for it.
    mutating func dismiss(_ id: String) -> UserActionOutcome {
        if touchInApp(id, isTap: false) { return .done }
        guard let shown = remove(id), let record = apps[shown.bundleID] else { return .notThere }
        emit(.dismissed(id: id), app: shown.bundleID)
        report(.dismissed, of: shown.subject)
        let category = record.category(shown.notification.content.categoryIdentifier)
        guard let category, category.options & CategoryRecord.customDismissAction != 0 else {
            discardFiles(of: shown.notification.content)
            return .done
        }
        let response = ResponseRecord(notification: shown.notification, actionIdentifier: ResponseRecord.dismissAction)
        answer(response, to: shown, bringsForward: false)
        return .done
    }

    /// Handles "Clear all". Apple does not document whether apps are notified; here they are not.
    mutating func clearAll() {
        let gone = entries.all.filter(\.isListed).map(\.shown)
        for shown in gone {
            emit(.dismissed(id: shown.id), app: shown.bundleID)
            report(.dismissed, of: shown.subject)
        }
        let ids = Set(gone.map(\.id))
        for bundleID in bundleIDs { removeEntries(of: bundleID) { ids.contains($0.id) } }
    }

    mutating func remove(_ id: String) -> ShownNotification? {
        guard let shown = entries.remove(where: { $0.shown.id == id }).first?.shown else { return nil }
        if springboard.banner?.id == id { endBanner() }
        if expanded?.id == id { collapse() }
        return shown
    }

    /// Sends the response to the app, starting it if necessary.
    private mutating func answer(_ response: ResponseRecord, to shown: ShownNotification, bringsForward: Bool) {
        guard let record = apps[shown.bundleID] else { return }
        if bringsForward, record.condition != .active {
            return bringForward(shown.bundleID, opening: response, for: shown.subject)
        }
        if record.process == nil {
            let payload = shown.apnsID == nil ? nil : shown.notification.content.userInfo
            // Since iOS 10 the launch options do not contain a local notification whose button was used.
            let local = shown.notification.isLocal && !profile.hasNotificationCenter ? shown.notification : nil
            guard launchInBackground(shown.bundleID, payload: payload, local: local, for: shown.subject) else {
                return discardFiles(of: shown.notification.content)
            }
        }
        send(.didReceive(response), to: shown.bundleID, as: act(response), for: shown.subject)
    }

    /// The purpose of the event for a user's act: before iOS 10 the app has to answer a button.
    ///
    /// Source: Apple, `application(_:handleActionWithIdentifier:forRemoteNotification:completionHandler:)`: an app that fails to call the
    /// handler is terminated.
    func act(_ response: ResponseRecord) -> Outstanding.Purpose {
        let isButton = response.actionIdentifier != ResponseRecord.defaultAction
        return .act(response.notification, mustAnswer: isButton && !profile.hasNotificationCenter)
    }

    /// Opens the app's own settings, from the system's or from a notification's menu; only for apps that provide them.
    mutating func openSettings(of bundleID: String, from id: String?) -> Bool {
        guard let record = apps[bundleID], !springboard.isLocked,
            record.settings.requested & SettingsRecord.providesAppNotificationSettings != 0
        else { return false }
        let shown = id.flatMap { entries[$0] }
        if record.condition != .active { bringForward(bundleID, opening: nil) }
        send(
            .openSettings(shown?.notification),
            .active,
            to: bundleID,
            as: .respond,
            for: shown?.subject,
            isPartOfJourney: false
        )
        return true
    }

    // MARK: Lock

    mutating func lock() {
        guard !springboard.isLocked else { return }
        let front = springboard.front
        if let front { background(front) }
        hideBanner()
        collapse()
        springboard.lock(over: front)
        emitChange("locked")
        tellProtectedData()
        perform(courier.setAwake(false))
    }

    /// Tells the apps whose code runs whether files under data protection can be read. A phone waits for some seconds after the lock.
    ///
    /// Source: Apple, `applicationProtectedDataWillBecomeUnavailable(_:)`.
    private mutating func tellProtectedData() {
        for bundleID in bundleIDs {
            sendFacts(bundleID)
            guard apps[bundleID]?.suspension.isSuspended == false else { continue }
            send(.protectedData(isAvailable: !springboard.isLocked), to: bundleID)
        }
    }

    /// Unlocks the device: performs the held action, or else restores the previous app.
    mutating func unlock() {
        guard springboard.isLocked else { return }
        let (act, front) = springboard.unlock()
        emitChange("unlocked")
        tellProtectedData()
        perform(courier.setAwake(true))
        displayTurnedOn()
        if let act {
            if act.action == ResponseRecord.defaultAction {
                _ = tap(act.id)
            } else if let button = act.button {
                _ = perform(act, button)
            } else {
                _ = choose(act.action, on: act.id, text: act.text)
            }
        }
        if springboard.front == nil, let front, apps[front]?.process != nil { bringForward(front, opening: nil) }
    }

    private mutating func hold(_ act: HeldAct) -> UserActionOutcome {
        springboard.heldAct = act
        return .waitsForUnlock
    }

    // MARK: Settings

    mutating func change(_ bundleID: String, _ change: (inout SettingsRecord) -> Void) {
        guard apps[bundleID] != nil else { return }
        apps[bundleID]?.permission.change(change)
        emitChange("settings", app: bundleID)
        // Notifications that leave the summary are shown now.
        if apps[bundleID]?.settings.scheduledDelivery != true { showSummary { $0.bundleID == bundleID } }
    }

    /// Sets "Allow Notifications".
    mutating func allow(_ bundleID: String, _ isAllowed: Bool) {
        guard let record = apps[bundleID] else { return }
        if isAllowed {
            let asked = record.settings.requested
            grant(bundleID, asked == 0 ? SettingsRecord.usual : asked, as: .authorized)
        } else {
            apps[bundleID]?.permission.deny()
        }
        emitChange(isAllowed ? "notifications on" : "notifications off", app: bundleID)
    }

    /// Restarts the device: no app is running, and pending notifications remain.
    mutating func reboot() {
        emitChange("reboot")
        hideBanner()
        collapse()
        for bundleID in bundleIDs {
            end(bundleID, .notRunning)
            // A restart also ends the effect of a force quit.
            set(.notRunning, bundleID)
            apps[bundleID]?.location.forget()
        }
        add(.killAll)
        springboard.forgetHeld()
        for completion in promptQueue.removeAll() { add(.reply(.terminated, completion)) }
    }
}
