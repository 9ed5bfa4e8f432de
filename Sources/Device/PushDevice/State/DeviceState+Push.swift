import DeviceLink
import Foundation
import PushModel
import SystemPort

// Processing of an arriving push: what the app receives (callback-matrix.csv, rows R10-*).

extension DeviceState {
    mutating func receive(_ push: CourierPush, _ effects: inout Effects) {
        let subject = JourneySubject.push(apnsID: push.apnsID)
        guard let record = apps[push.topic] else { return report(.suppressed(.notInstalled), of: subject, &effects) }
        guard record.app.environment == push.environment else {
            return report(.suppressed(.environment), of: subject, &effects)
        }
        guard let payload = RemotePayload(push.payload, strings: record.app.strings(in: language)) else {
            return report(.suppressed(.badPayload), of: subject, &effects)
        }
        tell(.pushArrived(apnsID: push.apnsID), app: push.topic, &effects)
        if payload.isContentAvailable { wake(record, payload, push.apnsID, &effects) }
        if payload.isForPerson {
            show(record, payload, push, &effects)
        } else if !payload.isContentAvailable {
            report(.suppressed(.noText), of: subject, &effects)
        }
    }

    /// Presents the push to the user, possibly through the service extension.
    private mutating func show(
        _ record: AppRecord,
        _ payload: RemotePayload,
        _ push: CourierPush,
        _ effects: inout Effects
    ) {
        let shown = ShownNotification(
            bundleID: record.app.bundleID,
            appName: record.app.name,
            subject: .push(apnsID: push.apnsID),
            notification: NotificationRecord(
                identifier: push.collapseID ?? random.uuid().uppercased(),
                date: date,
                content: payload.content
            )
        )
        if payload.isMutable, payload.content.hasText, record.hasServiceExtension, profile.hasNotificationCenter,
            record.allows(SettingsRecord.alert)
        {
            extend(shown, alsoFetched: payload.isContentAvailable, &effects)
        } else {
            alert(shown, alsoFetched: payload.isContentAvailable, &effects)
        }
    }

    // MARK: Background wake

    /// Passes the push to the app.
    private mutating func wake(
        _ record: AppRecord,
        _ payload: RemotePayload,
        _ apnsID: String,
        _ effects: inout Effects
    ) {
        let subject = JourneySubject.push(apnsID: apnsID)
        let push = SilentPush(apnsID: apnsID, payload: payload.content.userInfo)
        if record.condition == .active { return fetch(push, for: record.app.bundleID, .active, &effects) }
        guard record.app.wakesForPushes else { return report(.suppressed(.noBackgroundMode), of: subject, &effects) }
        guard record.condition != .forceQuit else { return report(.suppressed(.forceQuit), of: subject, &effects) }
        guard record.mayRefreshInBackground else {
            return report(.suppressed(.backgroundRefreshOff), of: subject, &effects)
        }
        // A push with something for the user is not held.
        if payload.isForPerson { return wake(push, record.app.bundleID, &effects) }
        if isLowPower {
            report(.suppressed(.lowPower), of: subject, &effects)
            return hold(push, for: record.app.bundleID, &effects)
        }
        guard hasBudget(record) else {
            report(.suppressed(.budget), of: subject, &effects)
            return hold(push, for: record.app.bundleID, &effects)
        }
        apps[record.app.bundleID]?.silentWakes.append(date)
        wake(push, record.app.bundleID, &effects)
    }

    private mutating func wake(_ push: SilentPush, _ bundleID: String, _ effects: inout Effects) {
        if apps[bundleID]?.process == nil {
            launch(bundleID, .background, payload: push.payload, for: .push(apnsID: push.apnsID), &effects)
            set(.background, bundleID, &effects)
        } else {
            report(.woken(.background), of: .push(apnsID: push.apnsID), &effects)
        }
        fetch(push, for: bundleID, .background, &effects)
    }

    private mutating func fetch(
        _ push: SilentPush,
        for bundleID: String,
        _ state: AppState,
        _ effects: inout Effects
    ) {
        let event = SystemEvent.Kind.remoteNotification(push.payload)
        send(event, state, to: bundleID, as: .fetch, for: .push(apnsID: push.apnsID), isPartOfJourney: true, &effects)
    }

    private func hasBudget(_ record: AppRecord) -> Bool {
        guard let limit = profile.silentWakesPerHour else { return true }
        return record.silentWakes.count { $0 > date.addingTimeInterval(-Self.budgetTime) } < limit
    }

    /// Holds the push; only the newest one is kept.
    private mutating func hold(_ push: SilentPush, for bundleID: String, _ effects: inout Effects) {
        if let older = apps[bundleID]?.heldPush {
            report(.coalesced, of: .push(apnsID: older.apnsID), &effects)
        }
        apps[bundleID]?.heldPush = push
        planBudget(&effects)
    }

    /// Sets the alarm for the time at which an app may be woken again.
    private func planBudget(_ effects: inout Effects) {
        let moments = apps.values.compactMap { record -> Date? in
            guard record.heldPush != nil, !isLowPower, let limit = profile.silentWakesPerHour else { return nil }
            guard limit > 0, record.silentWakes.count >= limit else { return date }
            return record.silentWakes.sorted()[record.silentWakes.count - limit].addingTimeInterval(Self.budgetTime)
        }
        guard let next = moments.min() else { return }
        effects.append(.alarm(.budget, .seconds(max(0, next.timeIntervalSince(date)) + 0.001)))
    }

    /// Wakes the apps whose pushes were held, as far as permitted.
    mutating func releaseHeld(_ effects: inout Effects) {
        guard !isLowPower else { return }
        for bundleID in apps.keys.sorted() {
            guard let record = apps[bundleID], let push = record.heldPush, hasBudget(record) else { continue }
            apps[bundleID]?.heldPush = nil
            apps[bundleID]?.silentWakes.append(date)
            wake(push, bundleID, &effects)
        }
        planBudget(&effects)
    }

    /// Discards the push held for an app that the user swiped away.
    mutating func discardHeld(_ bundleID: String, _ effects: inout Effects) {
        guard let push = apps[bundleID]?.heldPush else { return }
        apps[bundleID]?.heldPush = nil
        report(.suppressed(.forceQuit), of: .push(apnsID: push.apnsID), &effects)
    }

    // MARK: Service extension

    private mutating func extend(_ shown: ShownNotification, alsoFetched: Bool, _ effects: inout Effects) {
        guard let record = apps[shown.bundleID] else { return }
        lastProcess += 1
        extensions[lastProcess] = shown.bundleID
        effects.append(.launchExtension(process: lastProcess, facts(record)))
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
            process: lastProcess,
            as: .extend(shown, alsoFetched: alsoFetched),
            for: shown.subject,
            isPartOfJourney: true,
            &effects
        )
    }

    /// Gives the extension its last call when its time has expired.
    mutating func warnExtension(_ event: Int, _ waiting: Outstanding, _ effects: inout Effects) {
        send(
            .serviceExtensionTimeWillExpire,
            .background,
            to: waiting.bundleID,
            process: waiting.process,
            as: .expire(event: event),
            for: waiting.subject,
            isPartOfJourney: true,
            &effects
        )
    }

    /// Ends the processes of an app's service extensions without notice.
    mutating func crashExtensions(of bundleID: String, _ effects: inout Effects) {
        for (process, owner) in extensions.sorted(by: { $0.key < $1.key }) where owner == bundleID {
            if process != expanded?.process { effects.append(.kill(process: process)) }
        }
    }

    /// Handles the extension's result; nil content means that it timed out or crashed.
    mutating func extended(
        _ shown: ShownNotification,
        alsoFetched: Bool,
        by process: Int,
        with content: ContentRecord?,
        crashed: Bool = false,
        _ effects: inout Effects
    ) {
        let outcome: ExtensionOutcome = content != nil ? .ran : crashed ? .crashed : .timedOut
        report(.serviceExtension(outcome), of: shown.subject, &effects)
        extensions[process] = nil
        effects.append(.kill(process: process))
        var shown = shown
        // Content without text does not hide a push, which is then shown unmodified.
        if let content, content.hasText { shown.notification.content = content }
        alert(shown, alsoFetched: alsoFetched, &effects)
    }
}

/// A push that wakes its app.
struct SilentPush: Sendable {
    var apnsID: String
    var payload: JSONObject
}
