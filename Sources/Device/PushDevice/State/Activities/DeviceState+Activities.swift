import Foundation
import PushModel
import SystemPort

// Live Activities as apps start, change and end them. Source: Apple, "Displaying live data with Live Activities" and "ActivityKit",
// read November 2026.

extension DeviceState {
    /// The largest size of attributes and content state together, in bytes of JSON. Source: Apple, the same page: 4 KB.
    static let activitySize = 4096
    /// The largest number of ongoing activities of an app, scheduled ones included. Apple documents that there is a number; developers
    /// observe five.
    static let activitiesPerApp = 5
    /// The largest number of ongoing activities on the device. Apple documents that there is a number: 20 is our choice.
    static let activitiesPerDevice = 20

    /// Returns the answer to a call that only reads; nil for any other call.
    func answer(to call: LiveActivityCall, _ record: AppRecord) -> SystemReply? {
        switch call {
        case .request(let request):
            refusal(of: request, record).map(SystemReply.liveActivityRefused) ?? .liveActivities([request.activity])
        case .list(let type): .liveActivities(record.activities.list.map(\.record).filter { $0.type == type })
        case .declare, .requestStartToken, .update, .end: nil
        }
    }

    mutating func call(_ call: LiveActivityCall, from bundleID: String) -> SystemReply {
        guard let record = apps[bundleID] else { return .terminated }
        switch call {
        case .list: return answer(to: call, record) ?? .done
        case .declare(let type): apps[bundleID]?.activities.types.insert(type)
        case .requestStartToken(let type): requestStartToken(of: type, bundleID)
        case .request(let request):
            if let refusal = refusal(of: request, record) { return .liveActivityRefused(refusal) }
            startActivity(request, in: bundleID)
            return known(request.activity.id, of: bundleID)
        case .update(let id, let content, let alert, let timestamp):
            update(id, of: bundleID, content, alert: alert, timestamp: timestamp)
            return known(id, of: bundleID)
        case .end(let id, let content, let dismissal, let timestamp):
            return end(id, of: bundleID, with: content, dismissal, timestamp: timestamp)
        }
        return .done
    }

    /// Returns an activity as a reply; an empty list if it is gone.
    private func known(_ id: String, of bundleID: String) -> SystemReply {
        .liveActivities(activity(id, of: bundleID).map { [$0.record] } ?? [])
    }

    func activity(_ id: String, of bundleID: String) -> LiveActivity? { apps[bundleID]?.activities[id] }

    // MARK: Starting

    private func refusal(of request: LiveActivityRequest, _ record: AppRecord) -> LiveActivityRefusal? {
        guard profile.hasLiveActivities else { return .unsupported }
        guard record.app.supportsLiveActivities else { return .unsupportedTarget }
        guard record.activities.isAllowed else { return .denied }
        // Reports of phones: LoopKit/Loop#2532, boardsesh/boardsesh#2146.
        let wantsPushes = request.wantsToken || request.activity.channel != nil
        guard record.app.hasPushEntitlement || !wantsPushes else { return .unentitled }
        guard record.condition == .active else { return .visibility }
        guard isSmall(request.activity.attributes, request.activity.content.state) else { return .attributesTooLarge }
        return limit(of: record)
    }

    /// Whether attributes and content state, as JSON, do not exceed 4 KB together.
    func isSmall(_ attributes: String, _ state: String?) -> Bool {
        attributes.utf8.count + (state?.utf8.count ?? 0) <= Self.activitySize
    }

    /// Returns the limit that one more activity of an app would exceed; nil for none.
    func limit(of record: AppRecord) -> LiveActivityRefusal? {
        func count(_ record: AppRecord) -> Int {
            record.activities.list.count { $0.record.isOngoing || $0.record.state == .pending }
        }
        if count(record) >= Self.activitiesPerApp { return .targetMaximumExceeded }
        return apps.values.reduce(0) { $0 + count($1) } >= Self.activitiesPerDevice ? .globalMaximumExceeded : nil
    }

    private mutating func startActivity(_ request: LiveActivityRequest, in bundleID: String) {
        var activity = LiveActivity(
            record: request.activity,
            wantsToken: request.wantsToken,
            startDate: date,
            timestamp: activityTime
        )
        if let start = request.startDate, start > date {
            activity.startDate = start
            activity.startAlert = request.alert
            activity.record.state = .pending
        }
        if !profile.hasActivityChannels { activity.record.channel = nil }
        activity.start(request.activity.content, at: date)
        add(activity, to: bundleID)
        if activity.record.state != .pending, let alert = request.alert {
            show(alert, of: activity.record.id, bundleID)
        }
    }

    /// Adds an activity, and asks for its token.
    mutating func add(_ activity: LiveActivity, to bundleID: String) {
        apps[bundleID]?.activities.add(activity)
        emit(activity, activity.record.state == .pending ? .scheduled : .started, of: bundleID)
        if activity.wantsToken { requestToken(of: activity.record.id, bundleID) }
        channelsChanged()
        planActivities()
    }

    /// The time of a state that the app sets now: in whole seconds, as pushes have it, so that one of the same second is not older.
    private var activityTime: TimeInterval { date.timeIntervalSince1970.rounded(.down) }

    // MARK: Changing and ending

    private mutating func update(
        _ id: String,
        of bundleID: String,
        _ content: LiveActivityContent,
        alert: LiveActivityAlert?,
        timestamp: Date?
    ) {
        guard let activity = activity(id, of: bundleID), activity.record.isOngoing || activity.record.state == .pending,
            apps[bundleID]?.activities.isAllowed == true
        else { return }
        let time = timestamp?.timeIntervalSince1970 ?? activityTime
        guard time >= activity.timestamp else {
            return warn("An update of a Live Activity has an older timestamp than the last one.", app: bundleID)
        }
        guard isSmall(activity.record.attributes, content.state) else {
            let text = "An update of a Live Activity was ignored: attributes and content exceed 4 KB."
            return warn(text, app: bundleID)
        }
        let now = date
        changeActivity(id, of: bundleID, as: .updated) { activity in
            activity.timestamp = time
            activity.set(content, at: now)
        }
        if let alert { show(alert, of: id, bundleID) }
    }

    /// - Returns: the activity after its end, with which the app's copy is complete.
    private mutating func end(
        _ id: String,
        of bundleID: String,
        with content: LiveActivityContent?,
        _ dismissal: LiveActivityDismissal,
        timestamp: Date?
    ) -> SystemReply {
        guard let activity = activity(id, of: bundleID) else { return .liveActivities([]) }
        let time = timestamp?.timeIntervalSince1970 ?? activityTime
        guard time >= activity.timestamp else { return .liveActivities([activity.record]) }
        let record = endActivity(id, of: bundleID, with: content, dismissal, timestamp: time, tellsApp: false)
        return .liveActivities(record.map { [$0] } ?? [])
    }

    /// Ends an activity: its token and its channel are given up, and it leaves the lock screen now or later.
    @discardableResult
    mutating func endActivity(
        _ id: String,
        of bundleID: String,
        with content: LiveActivityContent?,
        _ dismissal: LiveActivityDismissal,
        timestamp: TimeInterval? = nil,
        tellsApp: Bool = true
    ) -> LiveActivityRecord? {
        giveUpToken(of: id, bundleID)
        let now = date
        let attributes = activity(id, of: bundleID)?.record.attributes ?? ""
        let fitting = content.flatMap { isSmall(attributes, $0.state) ? $0 : nil }
        return changeActivity(id, of: bundleID, as: .ended, tellsApp: tellsApp) { activity in
            if let timestamp { activity.timestamp = timestamp }
            if let fitting { activity.record.content = fitting }
            activity.record.pushToken = nil
            activity.end(at: now, dismissal)
        }
    }

    /// Changes an activity. One that is dismissed by the change is removed.
    ///
    /// - Parameters:
    ///   - id: the activity.
    ///   - bundleID: its app.
    ///   - change: the change, for observers; nil for one that nobody sees.
    ///   - tellsApp: whether the app gets an event; it needs none for its own calls, which are answered.
    ///   - body: changes the activity.
    /// - Returns: the activity after the change; nil if there is none with this id.
    @discardableResult
    mutating func changeActivity(
        _ id: String,
        of bundleID: String,
        as change: ActivityChange?,
        tellsApp: Bool = true,
        _ body: (inout LiveActivity) -> Void
    ) -> LiveActivityRecord? {
        guard let activity = apps[bundleID]?.activities.change(id, body) else { return nil }
        if let change { emit(activity, activity.record.state == .dismissed ? .dismissed : change, of: bundleID) }
        if tellsApp { tell(activity.record, to: bundleID) }
        channelsChanged()
        planActivities()
        return activity.record
    }

    // MARK: Telling

    /// Sends the app its activity. An app that is suspended is only resumed for a token, and hears of the rest when it comes to the
    /// foreground.
    mutating func tell(_ activity: LiveActivityRecord, to bundleID: String, wakes: Bool = false) {
        guard wakes || apps[bundleID]?.suspension.isSuspended == false else { return }
        send(.liveActivity(.changed(activity)), to: bundleID)
    }

    /// Sends an app what it has missed while its process was suspended.
    mutating func catchUpWithActivities(_ bundleID: String) {
        guard let record = apps[bundleID], let process = record.process, processes.separate.contains(process) else {
            return
        }
        for activity in record.activities.list { tell(activity.record, to: bundleID) }
    }

    func activityFacts(_ record: AppRecord) -> LiveActivityFacts {
        var facts = LiveActivityFacts()
        facts.areEnabled =
            profile.hasLiveActivities && record.app.supportsLiveActivities && record.activities.isAllowed
        facts.areFrequentPushesEnabled = facts.areEnabled && hasFrequentUpdates(record)
        facts.startTokens = record.activities.startTokens
        return facts
    }

    func hasFrequentUpdates(_ record: AppRecord) -> Bool {
        record.app.supportsFrequentActivityUpdates && record.activities.mayUpdateFrequently
    }
}
