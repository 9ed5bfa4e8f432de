import DeviceLink
import Foundation
import PushModel
import SystemPort

// Processing of an arriving push: what the app receives (CallbackMatrix, rows R10-*).

extension DeviceState {
    mutating func receive(_ push: CourierPush) {
        take(push)
        if !isExtending(push.apnsID) { perform(courier.acknowledge(push.apnsID)) }
    }

    private mutating func take(_ push: CourierPush) {
        let subject = push.subject
        let isForApp = push.goesToApp
        // Its topic is that of a management server.
        if push.pushType == .mdm { return suppress(subject, .notEnrolled) }
        guard let record = apps[isForApp ? push.topic : push.bundleID] else {
            return suppress(subject, .notInstalled)
        }
        guard record.app.environment == push.environment else { return suppress(subject, .environment) }
        // Names in the log what in the payload does not fit the push's type.
        for remark in PayloadReview.remarks(on: push.payload, of: push.pushType) {
            warn(remark, app: record.app.bundleID)
        }
        if push.channel != nil { return receiveBroadcast(push, for: record) }
        if push.pushType == .voip, profile.hasPushKit { return receiveVoIP(push, for: record) }
        if push.pushType == .liveactivity { return receiveActivityPush(push, record) }
        if push.pushType == .widgets { return reloadWidgets(record, for: subject) }
        guard isForApp else {
            return suppress(subject, push.reasonNotTaken(on: profile) ?? .unsupportedType)
        }
        let strings = record.app.strings(in: settings.language)
        guard let payload = RemotePayload(push.payload, strings: strings, on: profile) else {
            return suppress(subject, .badPayload)
        }
        emit(.pushArrived(apnsID: push.apnsID), app: push.topic)
        if payload.isContentAvailable { wake(record, for: payload, of: push) }
        // Before iOS 10 an app in front hears of every push. Source: Apple, `application(_:didReceiveRemoteNotification:)`.
        let isHeard = !profile.hasNotificationCenter && record.condition == .active && !payload.isContentAvailable
        if payload.isForUser || isHeard {
            guard mayShow(push) else { return suppress(subject, .alertBackgroundType) }
            show(payload, of: push, from: record)
        } else if !payload.isContentAvailable {
            suppress(subject, .noText)
        }
    }

    /// Presents the push to the user, possibly through the service extension.
    private mutating func show(_ payload: RemotePayload, of push: CourierPush, from record: AppRecord) {
        let shown = ShownNotification(
            bundleID: record.app.bundleID,
            appName: record.app.name,
            subject: push.subject,
            notification: NotificationRecord(
                identifier: push.collapseID ?? random.uuid().uppercased(),
                date: date,
                content: payload.content
            )
        )
        if payload.isMutable, payload.content.hasText, record.hasServiceExtension, profile.hasNotificationCenter,
            record.allows(SettingsRecord.alert)
        {
            extend(shown, alsoFetched: payload.isContentAvailable)
        } else {
            presentIfAllowed(shown, alsoFetched: payload.isContentAvailable)
        }
    }

    // MARK: Background wake

    /// Passes the push to the app.
    private mutating func wake(_ record: AppRecord, for payload: RemotePayload, of courierPush: CourierPush) {
        let subject = courierPush.subject
        let push = SilentPush(courierPush, payload: payload.content.userInfo)
        let bundleID = record.app.bundleID
        if record.condition == .active { return fetch(push, for: bundleID, appState(of: bundleID)) }
        if let reason = reasonNotToWake(for: payload, of: courierPush) {
            return suppress(subject, reason)
        }
        guard record.app.wakesForPushes else { return suppress(subject, .noBackgroundMode) }
        guard record.condition != .forceQuit else { return suppress(subject, .forceQuit) }
        guard record.background.isAllowed else { return suppress(subject, .backgroundRefreshOff) }
        // A push with something for the user is not held.
        if payload.isForUser, mayShow(courierPush) { return wake(push, bundleID) }
        if settings.isLowPower {
            suppress(subject, .lowPower)
            return hold(push, for: bundleID)
        }
        guard record.background.wakes.isLeft(at: date, limit: profile.silentWakesPerHour) else {
            suppress(subject, .budget)
            return hold(push, for: bundleID)
        }
        apps[bundleID]?.background.wakes.spend(at: time.date)
        wake(push, bundleID)
    }

    private mutating func wake(_ push: SilentPush, _ bundleID: String) {
        if apps[bundleID]?.process == nil {
            guard launchInBackground(bundleID, payload: push.payload, for: push.subject) else { return }
        } else {
            report(.woken(.background), of: push.subject)
        }
        fetch(push, for: bundleID, .background)
    }

    private mutating func fetch(_ push: SilentPush, for bundleID: String, _ state: AppState) {
        send(.remoteNotification(push.payload), state, to: bundleID, as: .fetch, for: push.subject)
    }

    /// Holds the push; only the newest one is kept.
    private mutating func hold(_ push: SilentPush, for bundleID: String) {
        if let older = apps[bundleID]?.background.hold(push) { report(.coalesced, of: older.subject) }
        planBudget()
    }

    /// Sets the alarm for the time at which an app may be woken again.
    private mutating func planBudget() {
        guard !settings.isLowPower, let limit = profile.silentWakesPerHour,
            let next = apps.values.compactMap({ $0.background.nextWake(from: date, limit: limit) }).min()
        else { return }
        add(.alarm(.budget, .seconds(max(0, next.timeIntervalSince(date)) + 0.001)))
    }

    /// Wakes the apps whose pushes were held, as far as permitted.
    mutating func releaseHeld() {
        guard !settings.isLowPower else { return }
        for bundleID in bundleIDs {
            guard apps[bundleID]?.background.wakes.isLeft(at: time.date, limit: profile.silentWakesPerHour) == true,
                let push = apps[bundleID]?.background.heldPush.take()
            else { continue }
            guard !push.hasExpired(at: date) else {
                report(.expired, of: push.subject)
                continue
            }
            apps[bundleID]?.background.wakes.spend(at: time.date)
            wake(push, bundleID)
        }
        planBudget()
    }

    /// Discards the push held for an app that the user swiped away.
    mutating func discardHeld(_ bundleID: String) {
        guard let push = apps[bundleID]?.background.heldPush.take() else { return }
        suppress(push.subject, .forceQuit)
    }

    // MARK: Service extension

    private mutating func extend(_ shown: ShownNotification, alsoFetched: Bool) {
        guard let record = apps[shown.bundleID] else { return }
        let process = processes.next(extensionOf: shown.bundleID)
        add(.launch(.serviceExtension, process: process, facts(record)))
        let notification = shown.notification
        let request = RequestRecord(
            identifier: notification.identifier,
            content: notification.content,
            trigger: notification.trigger
        )
        send(
            .serviceExtension(request),
            .background,
            to: shown.bundleID,
            process: process,
            as: .extend(shown, alsoFetched: alsoFetched),
            for: shown.subject
        )
    }

    /// Gives the extension its last call when its time has expired.
    mutating func warnExtension(_ event: Int, _ waiting: Outstanding) {
        let app = waiting.bundleID
        let process = waiting.process
        send(
            .serviceExtensionTimeWillExpire,
            .background,
            to: app,
            process: process,
            as: .expire(event: event),
            for: waiting.subject
        )
    }

    /// Ends the processes of an app's service extensions without notice.
    mutating func crashExtensions(of bundleID: String) {
        for process in processes.extensions(of: bundleID) where process != expanded?.process {
            add(.kill(process: process))
        }
    }

    /// Handles the extension's result; nil content means that it timed out or crashed.
    mutating func extended(
        _ shown: ShownNotification,
        alsoFetched: Bool,
        by process: Int,
        with content: ContentRecord?,
        crashed: Bool = false
    ) {
        let outcome: ExtensionOutcome = content != nil ? .ran : crashed ? .crashed : .timedOut
        report(.serviceExtension(outcome), of: shown.subject)
        processes.endExtension(process)
        add(.kill(process: process))
        var shown = shown
        if let content, !content.hasText, apps[shown.bundleID]?.app.entitlements.contains(.filtering) == true {
            suppress(shown.subject, .noText)
            if let apnsID = shown.apnsID { perform(courier.acknowledge(apnsID)) }
            return
        }
        // Content without text does not hide a push, which is then shown unmodified.
        if let content, content.hasText { shown.notification.content = content }
        presentIfAllowed(shown, alsoFetched: alsoFetched)
        if let apnsID = shown.apnsID { perform(courier.acknowledge(apnsID)) }
    }
}

// A push that a service extension may change is acknowledged when it has been presented, changed or as it came. If the device ends
// before, the push comes again, and is shown once. Apple does not document when a phone acknowledges: our decision, since the device
// keeps no push on disk.

extension DeviceState {
    /// Handles a frame of the courier.
    mutating func received(_ frame: CourierFrame) -> [CourierClient.Action] {
        guard case .push(let push) = frame else { return courier.received(frame) }
        let mayExtend = apps[push.topic]?.hasServiceExtension == true && RemotePayload(push.payload)?.isMutable == true
        return courier.received(frame, acknowledgesLater: mayExtend)
    }

    /// Whether a service extension works on the push.
    func isExtending(_ apnsID: String) -> Bool {
        events.all.contains { waiting in
            if case .extend(let shown, _) = waiting.purpose { shown.apnsID == apnsID } else { false }
        }
    }
}
