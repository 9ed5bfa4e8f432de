import DeviceLink
import PushModel
import SystemPort

// The user's actions on apps, and the life cycle that follows from them. Source: Apple, "Managing your app's life
// cycle".

extension DeviceState {
    mutating func install(
        _ app: InstalledApp,
        stored: AppData? = nil,
        hasServiceExtension: Bool,
        contentExtensions: [String: ContentExtensionInfo]
    ) {
        if let old = apps[app.bundleID]?.app {
            end(app.bundleID, .notRunning)
            if old.environment != app.environment || !app.hasPushEntitlement { giveUpTokens(of: old) }
        } else {
            // Drawn in any case, so that later random values do not depend on what is stored.
            let new = AppData(vendorID: random.uuid(), storage: [:])
            apps[app.bundleID] = AppRecord(app, data: stored ?? new)
            save(app.bundleID)
        }
        apps[app.bundleID]?.install(
            app,
            hasServiceExtension: hasServiceExtension,
            contentExtensions: contentExtensions
        )
    }

    /// Gives up all tokens of an app whose new build is for another environment, or gets no pushes.
    private mutating func giveUpTokens(of app: InstalledApp) {
        unregisterTopic(app.bundleID, of: app)
        giveUpPushKitTokens(of: app.bundleID)
        giveUpWidgets(of: app.bundleID)
        removeActivities(of: app.bundleID)
        apps[app.bundleID]?.forgetTokens()
    }

    /// Writes what an app has stored. Source: an app's container outlives its processes and restarts of the device.
    mutating func save(_ bundleID: String) {
        guard let record = apps[bundleID] else { return }
        add(.save(record.data, of: bundleID))
    }

    mutating func uninstall(_ bundleID: String) {
        guard let record = apps[bundleID] else { return }
        end(bundleID, .notRunning)
        removeEntries(of: bundleID)
        removePending(of: bundleID)
        removeActivities(of: bundleID)
        unregisterTopic(bundleID, of: record.app)
        giveUpPushKitTokens(of: bundleID)
        giveUpWidgets(of: bundleID)
        let isAsking = promptQueue.forget(bundleID)
        apps[bundleID] = nil
        add(.forget(bundleID))
        planFetch()
        if isAsking { nextPrompt() }
    }

    /// Handles a tap on the icon.
    mutating func open(_ bundleID: String) {
        guard let record = apps[bundleID], record.condition != .active, !springboard.isLocked else { return }
        let wasRunning = record.process != nil
        bringForward(bundleID, opening: nil)
        if wasRunning, profile.clearsDeliveredOnActivation { removeEntries(of: bundleID) }
    }

    /// Brings an app to the foreground, cold or warm; on the way the app receives the tapped notification or the item.
    mutating func bringForward(
        _ bundleID: String,
        opening: ResponseRecord?,
        item: OpenedItem? = nil,
        for subject: JourneySubject? = nil
    ) {
        if let front = springboard.front, front != bundleID { background(front) }
        if apps[bundleID]?.process != nil {
            connectScene(of: bundleID, in: .background, response: opening, item: item, for: subject)
            send(.willEnterForeground, .background, to: bundleID)
            tellTime(bundleID, .inactive)
        } else {
            var payload: JSONObject?
            if let subject, case .push = subject { payload = opening?.notification.content.userInfo }
            let local = opening?.notification.isLocal == true ? opening?.notification : nil
            guard launch(bundleID, .inactive, payload: payload, local: local, item: item, for: subject) else {
                if let opening { discardFiles(of: opening.notification.content) }
                // The user has opened it.
                return set(.notRunning, bundleID)
            }
            connectScene(of: bundleID, in: .inactive, response: opening, item: item, for: subject)
            if profile.hasScenes { send(.sceneWillEnterForeground, .inactive, to: bundleID) }
        }
        springboard.front = bundleID
        set(.active, bundleID)
        alertsSeen(of: bundleID)
        planTimeChange()
        if let opening {
            send(.didReceive(opening), .inactive, to: bundleID, as: act(opening), for: subject)
        }
        if let item { send(.open(item), .inactive, to: bundleID) }
        send(.didBecomeActive, .active, to: bundleID)
        // The device may have moved in the meantime.
        sendCurrentLocation(to: bundleID)
        catchUpWithPlaces(bundleID)
        catchUpWithActivities(bundleID)
    }

    /// Connects the scene of an app with scenes when its process first comes to the foreground, with the reason.
    private mutating func connectScene(
        of bundleID: String,
        in state: AppState,
        response: ResponseRecord?,
        item: OpenedItem?,
        for subject: JourneySubject?
    ) {
        guard profile.hasScenes, apps[bundleID]?.run.connectScene() == true else { return }
        send(.sceneWillConnect(response, opening: item), state, to: bundleID, for: subject)
    }

    /// Starts the app's process in the background.
    ///
    /// - Returns: false if the system refuses to launch the app, which is reported.
    @discardableResult
    mutating func launchInBackground(
        _ bundleID: String,
        payload: JSONObject? = nil,
        local: NotificationRecord? = nil,
        isForLocation: Bool = false,
        for subject: JourneySubject? = nil
    ) -> Bool {
        guard launch(bundleID, .background, payload: payload, local: local, isForLocation: isForLocation, for: subject)
        else { return false }
        set(.background, bundleID)
        return true
    }

    /// Starts the app's process. `payload` is that of the push that caused the launch, `local` the local notification,
    /// `subject` the journey's subject.
    ///
    /// - Returns: false if the system refuses to launch the app, which is reported.
    private mutating func launch(
        _ bundleID: String,
        _ state: AppState,
        payload: JSONObject?,
        local: NotificationRecord? = nil,
        isForLocation: Bool = false,
        item: OpenedItem? = nil,
        for subject: JourneySubject?
    ) -> Bool {
        guard let record = apps[bundleID], !refusesLaunch(of: record, for: subject) else { return false }
        let process = processes.next()
        apps[bundleID]?.start(process, at: time.wall)
        add(.launch(.app, process: process, facts(record)))
        report(.woken(state), of: subject)
        send(
            .launch(
                remoteNotification: payload,
                localNotification: local,
                isForLocation: isForLocation,
                opening: item
            ),
            state,
            to: bundleID,
            for: subject
        )
        return true
    }

    /// Handles the home gesture.
    mutating func background(_ bundleID: String) {
        guard let run = apps[bundleID]?.run, run.condition == .active else { return }
        if !run.isInterrupted { send(.willResignActive, .active, to: bundleID) }
        send(.didEnterBackground, .background, to: bundleID)
        leaveScreen(bundleID)
        set(.background, bundleID)
        endFullAccuracy(of: bundleID)
        planSuspension(of: bundleID)
    }

    /// Handles a swipe in the app switcher.
    mutating func forceQuit(_ bundleID: String) {
        guard let record = apps[bundleID] else { return }
        discardHeld(bundleID)
        if record.condition == .active {
            background(bundleID)
            send(.willTerminate, .background, to: bundleID, as: .end)
            // The process ends once the app has handled the last event; for the device it has already ended.
            end(bundleID, .forceQuit, kills: false)
        } else {
            end(bundleID, .forceQuit)
        }
    }

    /// Ends the app as under memory pressure: it gets no event, and a push may start it again.
    mutating func terminate(_ bundleID: String) {
        guard let record = apps[bundleID], record.process != nil else { return }
        if record.condition == .active { background(bundleID) }
        end(bundleID, .notRunning)
    }

    /// Ends the app; `kills` is false if its process ends by itself.
    mutating func end(_ bundleID: String, _ condition: AppCondition, kills: Bool = true) {
        endInApp(of: bundleID, .terminated)
        endAlerts(of: bundleID)
        leaveScreen(bundleID)
        forgetSuspension(bundleID)
        if let process = apps[bundleID]?.run.stop(), kills { add(.kill(process: process)) }
        set(condition, bundleID)
    }

    private mutating func leaveScreen(_ bundleID: String) {
        if springboard.leave(bundleID) { planTimeChange() }
    }

    /// Settles everything outstanding of a process that has ended; `end` is the reason if it ended by itself.
    mutating func died(_ process: Int, by end: ProcessEnd? = nil) {
        let explained = end.map { reportCrash(process, $0) } ?? []
        processes.ended(process)
        for (event, waiting) in events.of(process) {
            events.remove(event)
            add(.cancel(.answer(event: event)))
            let isExplained = waiting.subject.map(explained.contains) ?? false
            if !waiting.isAnswered, !isExplained { unanswered(waiting, died: true) }
            discardFiles(of: waiting)
        }
        settle()
    }

    mutating func set(_ condition: AppCondition, _ bundleID: String) {
        guard let old = apps[bundleID]?.condition, old != condition else { return }
        apps[bundleID]?.run.enter(condition)
        if condition == .notRunning || condition == .forceQuit { endCalls(of: bundleID) }
        emit(.conditionChanged(condition), app: bundleID)
        if old == .active {
            apps[bundleID]?.background.lastFetch = time.date
            endTransientActivities(of: bundleID)
        }
        planFetch()
    }
}
