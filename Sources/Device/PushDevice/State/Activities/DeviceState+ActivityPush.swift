import DeviceLink
import Foundation
import PushModel
import SystemPort

// Pushes that start, update and end Live Activities. Source: Apple, "Starting and updating Live Activities with ActivityKit push
// notifications", read November 2026.

extension DeviceState {
    /// Handles a push of type `liveactivity` to a token.
    mutating func receiveActivityPush(_ push: CourierPush, _ record: AppRecord) {
        guard let parsed = parse(push, for: record) else { return }
        let bundleID = record.app.bundleID
        let subject = push.subject
        guard let name = CourierTopic(text: push.topic).name else {
            return report(.notDecoded(Self.sentToApp(parsed)), of: subject)
        }
        let startType = Self.startType(in: name)
        if case .start(let type, let attributes) = parsed.event {
            guard let startType else { return report(.notDecoded(Self.misdirected(start: true)), of: subject) }
            let values = LiveActivityValues(type: type, attributes: attributes, state: parsed.state)
            if let reason = objection(to: values, by: startType, channel: parsed.channel, in: record) {
                return report(reason, of: subject)
            }
            guard spend(push, record), spendStart(record, subject) else { return }
            return examine(values, of: ExaminedPush(apnsID: push.apnsID, push: parsed, bundleID: bundleID))
        }
        guard startType == nil else { return report(.notDecoded(Self.misdirected(start: false)), of: subject) }
        guard let activity = activity(name, of: bundleID), activity.record.isOngoing else {
            return suppress(subject, .activityOver)
        }
        if parsed.timestamp < activity.timestamp { return suppress(subject, .activityTimestamp) }
        guard isSmall(activity.record.attributes, parsed.state) else {
            return suppress(subject, .activityTooLarge)
        }
        guard spend(push, record) else { return }
        examine(parsed, of: activity, bundleID, apnsID: push.apnsID)
    }

    /// Handles a message of a broadcast channel: it changes all activities of the app that listen to the channel.
    ///
    /// - Parameters:
    ///   - push: the message as the courier delivers it. Its `channel` is set, and its topic is the app's bundle id, with or without the
    ///     suffix for Live Activities.
    ///   - record: the app.
    mutating func receiveBroadcast(_ push: CourierPush, for record: AppRecord) {
        let subject = push.subject
        guard profile.hasActivityChannels else { return suppress(subject, .activitiesUnsupported) }
        guard let parsed = parse(push, for: record) else { return }
        if case .start = parsed.event {
            return report(.notDecoded("'event' is 'start'; expected update or end in a channel"), of: subject)
        }
        let listening = record.activities.list.filter { $0.record.isOngoing && $0.record.channel == push.channel }
        guard !listening.isEmpty else { return suppress(subject, .noSubscribedActivity) }
        let current = listening.filter { parsed.timestamp >= $0.timestamp }
        guard !current.isEmpty else { return suppress(subject, .activityTimestamp) }
        guard spend(push, record) else { return }
        for activity in current { examine(parsed, of: activity, record.app.bundleID, apnsID: push.apnsID) }
    }

    /// Reads a push's payload; nil after the reason why it is of no use was reported.
    private mutating func parse(_ push: CourierPush, for record: AppRecord) -> ActivityPush? {
        let subject = push.subject
        guard profile.hasLiveActivities, record.app.supportsLiveActivities else {
            suppress(subject, .activitiesUnsupported)
            return nil
        }
        guard record.activities.isAllowed else {
            suppress(subject, .activitiesOff)
            return nil
        }
        emit(.pushArrived(apnsID: push.apnsID), app: record.app.bundleID)
        do throws(ActivityPush.Problem) {
            return try ActivityPush(push.payload, strings: record.app.strings(in: settings.language))
        } catch {
            report(.notDecoded(error.text), of: subject)
            return nil
        }
    }

    private static func misdirected(start: Bool) -> String {
        start
            ? "'event' is 'start', and the token is that of an activity; expected a push-to-start token"
            : "'event' is not 'start', and the token is a push-to-start token; expected the token of an activity"
    }

    /// The reason why a push to the token that the app has for notifications reaches no activity.
    private static func sentToApp(_ push: ActivityPush) -> String {
        let expected = if case .start = push.event { "a push-to-start token" } else { "the token of an activity" }
        return "the token is the app's own, for notifications; expected \(expected)"
    }

    /// The event of a push for an activity that the system does not present (``LiveActivity/start(_:at:)``).
    private static let neverPresented = JourneyEvent.Kind.notDecoded(
        "'stale-date' had passed when it started, and the system never presents such an activity"
    )

    // MARK: Judging

    /// Returns why a push may not start an activity; nil if it may.
    private func objection(
        to values: LiveActivityValues,
        by startType: String,
        channel: String?,
        in record: AppRecord
    ) -> JourneyEvent.Kind? {
        let type = values.type
        if !profile.startsActivitiesByPush || channel != nil && !profile.hasActivityChannels {
            return .suppressed(.activitiesUnsupported)
        }
        guard record.activities.types.contains(type) else {
            let types = record.activities.types.sorted().map { "'\($0)'" }.joined(separator: ", ")
            return .notDecoded("'attributes-type' is '\(type)'; the app's types are \(types)")
        }
        if type != startType { return .notDecoded("'attributes-type' is '\(type)'; the token starts '\(startType)'") }
        if !isSmall(values.attributes ?? "", values.state) { return .suppressed(.activityTooLarge) }
        return limit(of: record) == nil ? nil : .suppressed(.activityLimit)
    }

    /// Counts a push of priority 10 against the app's budget; reports the reason if it is used up.
    private mutating func spend(_ push: CourierPush, _ record: AppRecord) -> Bool {
        guard push.priority == APNSPriority.immediately.rawValue else { return true }
        let isFrequent = hasFrequentUpdates(record)
        let limit = isFrequent ? profile.frequentActivityPushesPerHour : profile.activityPushesPerHour
        if apps[record.app.bundleID]?.activities.pushes.spend(at: time.date, limit: limit) == true { return true }
        suppress(push.subject, .activityBudget)
        return false
    }

    /// Counts a start by push against the app's budget of starts; reports the reason if it is used up.
    private mutating func spendStart(_ record: AppRecord, _ subject: JourneySubject) -> Bool {
        let limit = profile.activityStartsPerHour
        if apps[record.app.bundleID]?.activities.starts.spend(at: time.date, limit: limit) == true { return true }
        suppress(subject, .activityStartBudget)
        return false
    }

    // MARK: Examining

    private mutating func examine(_ push: ActivityPush, of activity: LiveActivity, _ bundleID: String, apnsID: String) {
        let values = LiveActivityValues(type: activity.record.type, attributes: nil, state: push.state)
        let examined = ExaminedPush(apnsID: apnsID, push: push, bundleID: bundleID, activity: activity.record.id)
        examine(values, of: examined)
    }

    /// Examines whether values fit the app's type. Code in this process is asked at once; an app in a process of its own is asked if
    /// it runs, and otherwise the values count as fitting.
    private mutating func examine(_ values: LiveActivityValues, of push: ExaminedPush) {
        guard let process = apps[push.bundleID]?.process, processes.separate.contains(process) else {
            return add(.examine(values, of: push))
        }
        send(
            .liveActivity(.examine(values)),
            to: push.bundleID,
            as: .examine(push),
            for: push.subject,
            isPartOfJourney: false
        )
    }

    /// Carries out a push whose values were examined, or reports the reason why they do not fit.
    mutating func carryOut(_ examined: ExaminedPush, problem: String?) {
        let subject = examined.subject
        if let problem { return report(.notDecoded(problem), of: subject) }
        guard let id = examined.activity else { return start(examined) }
        guard let activity = activity(id, of: examined.bundleID), activity.record.isOngoing else {
            return suppress(subject, .activityOver)
        }
        var content = activity.record.content
        content.state = examined.push.state ?? content.state
        content.staleDate = examined.push.staleDate
        content.relevanceScore = examined.push.relevanceScore ?? content.relevanceScore
        if case .end(let dismissal) = examined.push.event {
            endActivity(id, of: examined.bundleID, with: content, dismissal, timestamp: examined.push.timestamp)
            report(activity.isPresented ? .presented(.activityEnded) : Self.neverPresented, of: subject)
        } else {
            let now = date
            changeActivity(id, of: examined.bundleID, as: .updated) { activity in
                activity.timestamp = examined.push.timestamp
                activity.set(content, at: now)
            }
            report(activity.isPresented ? .presented(.activityUpdated) : Self.neverPresented, of: subject)
        }
        alert(examined, id)
    }

    /// Whether the activity that a push starts gets a token for its updates.
    ///
    /// Since iOS 18 the push asks for a token or names a channel, and otherwise nothing reaches the activity by push. Before, each one
    /// got a token, and the keys are ignored. Source: Apple, "Starting and updating Live Activities with ActivityKit push
    /// notifications", `input-push-token`, and providers' observations.
    private func getsToken(_ push: ActivityPush) -> Bool {
        guard profile.hasActivityChannels else { return true }
        return push.channel == nil && push.asksForToken
    }

    /// Starts the activity of a push, and launches the app in the background, so that it can send the activity's token. An app that
    /// the user swiped away is not launched: Apple does not document it, our decision.
    private mutating func start(_ examined: ExaminedPush) {
        guard case .start(let type, let attributes) = examined.push.event, let record = apps[examined.bundleID] else {
            return
        }
        let content = LiveActivityContent(
            state: examined.push.state ?? "{}",
            staleDate: examined.push.staleDate,
            relevanceScore: examined.push.relevanceScore ?? 0
        )
        let id = random.uuid().uppercased()
        var activity = LiveActivity(
            record: LiveActivityRecord(id: id, type: type, attributes: attributes, content: content),
            wantsToken: getsToken(examined.push),
            startDate: date,
            timestamp: examined.push.timestamp
        )
        activity.record.channel = examined.push.channel
        activity.start(content, at: date)
        let subject = examined.subject
        add(activity, to: examined.bundleID)
        report(activity.isPresented ? .presented(.activityStarted) : Self.neverPresented, of: subject)
        if record.process == nil, record.condition != .forceQuit { launchInBackground(examined.bundleID, for: subject) }
        tell(activity.record, to: examined.bundleID, wakes: true)
        alert(examined, id)
    }

    // MARK: Alerts

    private mutating func alert(_ examined: ExaminedPush, _ id: String) {
        guard let alert = examined.push.alert, show(alert, of: id, examined.bundleID) else { return }
        report(.presented(.sound), of: examined.subject)
    }

    /// Alerts the user to an activity: the island expands, or the lock screen lights up.
    ///
    /// - Returns: whether a sound played. A Focus that does not allow the app silences it.
    @discardableResult
    mutating func show(_ alert: LiveActivityAlert, of id: String, _ bundleID: String) -> Bool {
        guard let record = apps[bundleID], let shown = shown(id, of: bundleID) else { return false }
        emit(.activityAlerted(shown, text: alert.line), app: bundleID)
        guard let sound = alert.sound, heldByFocus(ContentRecord(), of: record, at: .active) == nil else {
            return false
        }
        emit(.soundPlayed(name: soundFault(sound, record) == nil ? sound.name : nil), app: bundleID)
        return true
    }
}
