import DeviceLink
import Foundation
import PushClock
import PushModel
import SystemPort

/// The complete state of a device as a value: each operation changes it and adds effects for the shell.
struct DeviceState: EffectfulState {
    /// The time limit of a fetch; then the app is suspended. Source: Apple, `application(_:didReceiveRemote…)`.
    static let fetchTime = Duration.seconds(30)
    /// The time limit of `willPresent`; then nothing is shown. Apple does not document it: our decision.
    static let presentTime = Duration.seconds(10)
    /// The time for which a banner stays.
    static let bannerTime = Duration.seconds(5)
    /// The maximum number of entries per app in the notification centre.
    static let listLimit = 100
    /// The approximate time limit of a service extension. Source: Apple, `UNNotificationServiceExtension`.
    static let extensionTime = Duration.seconds(30)
    /// The time limit of the last call to a service extension, or to an app that the user swipes away. Apple does not
    /// document it: our decision.
    static let lastWordTime = Duration.seconds(5)
    /// The interval over which background wakes are counted, in seconds.
    static let budgetTime = 3600.0

    /// The effects to perform, in the order in which they were added.
    private(set) var effects: [DeviceEffect] = []

    let name: String
    let id: String
    let advertisingID: String
    var profile: SystemProfile
    var date: Date
    var random: RandomSource
    var prompts: PromptPolicy
    var timeZone = TimeZone.gmt
    /// How often the carrier has corrected the time.
    var timeCorrections = 0
    /// Selects among the strings files of an app.
    var language = "en"
    /// The device's location; nil while unknown.
    var location: LocationRecord?
    /// The location switch for all apps.
    var hasLocationServices = true
    var surroundings = Surroundings()
    var isLocked = false
    /// The app that was in the foreground when the device was locked.
    var lockedFront: String?
    var heldAct: HeldAct?
    var focus: Focus?
    var isLowPower = false
    var isCarConnected = false
    var courier: CourierClient
    var apps: [String: AppRecord] = [:]
    /// The badges of apps that were removed.
    var badgesOfRemovedApps: [String: Int] = [:]
    var front: String?
    /// The entries, newest first.
    var entries: [Entry] = []
    /// The notification on the banner.
    var banner: ShownNotification?
    var prompt: PermissionPrompt?
    var waitingPrompts: [PermissionPrompt] = []
    var asking: [String: [@Sendable (SystemReply) -> Void]] = [:]
    var outstanding: [Int: Outstanding] = [:]
    /// Running service extensions: process and app.
    var extensions: [Int: String] = [:]
    /// Processes of the operating system, which can be suspended and may end by themselves.
    var ownProcesses: Set<Int> = []
    /// The notification in the expanded view.
    var expanded: Expanded?
    var activityWork = ActivityWork()
    var pending: [PendingRequest] = []
    var lastOrder = 0
    /// The times of the summaries; initially the times that iOS proposes.
    var summaryTimes = [TimeOfDay(hour: 8), TimeOfDay(hour: 18)]
    /// The time of the alarm for the next summary.
    var plannedSummary: Date?
    /// The time of the alarm for local notifications.
    var plannedLocal: Date?
    /// The time of the alarm for the next background fetch.
    var plannedFetch: Date?
    var phoneCalls = PhoneCalls()
    var lastProcess = 0
    var lastEvent = 0
    /// Callers that wait until the apps have processed all events, in order of arrival.
    var settling: [(number: Int, resume: @Sendable () -> Void)] = []
    var lastSettling = 0

    init(
        name: String,
        id: String,
        key: String,
        profile: SystemProfile,
        date: Date,
        random: RandomSource,
        prompts: PromptPolicy
    ) {
        self.name = name
        self.id = id
        // Independent of all other randomness: derived from the device's id (FNV-1a).
        let seed = id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var source = RandomSource(SplitMix(seed: seed))
        advertisingID = source.uuid().uppercased()
        self.profile = profile
        self.date = date
        self.random = random
        self.prompts = prompts
        // Microseconds, so that a device that is switched on again continues after the events already reported.
        let now = Int64(exactly: (date.timeIntervalSince1970 * 1_000_000).rounded()) ?? 1
        courier = CourierClient(device: id, key: key, firstNumber: max(1, now))
    }

    // MARK: Effects

    mutating func add(_ effect: DeviceEffect) { effects.append(effect) }

    mutating func takeEffects() -> [DeviceEffect] {
        defer { effects = [] }
        return effects
    }

    // MARK: Observation

    var screen: Screen {
        var screen = Screen(front: front, isLocked: isLocked, prompt: prompt, banner: banner.map(seen))
        screen.list = entries.filter(\.isListed).map { seen($0.shown) }
        screen.groups = groups(of: screen.list)
        screen.upcoming = heldForSummary.map(seen)
        screen.expanded = expandedView
        screen.inApp = shownInApp
        screen.alert = shownAlert
        screen.activities = shownActivities
        screen.island = shownIsland
        screen.calls = shownCalls
        screen.badges = apps.mapValues(\.badge).filter { $0.value != 0 }
        return screen
    }

    func facts(_ record: AppRecord) -> AppFacts {
        var facts = AppFacts(
            bundleID: record.app.bundleID,
            environment: record.app.environment,
            info: record.app.info,
            deviceName: name,
            systemVersion: profile.version,
            vendorID: record.vendorID
        )
        facts.advertisingID = advertisingID
        facts.iconBadge = record.badge
        facts.timeZone = timeZone.identifier
        facts.strings = record.app.strings(in: language)
        facts.backgroundRefresh = record.mayRefreshInBackground ? 2 : 1
        facts.isRegisteredForRemoteNotifications = record.isRegistered
        facts.batteryLevel = profile.batteryLevel
        facts.isCharging = profile.isCharging
        facts.orientation = profile.orientation
        facts.location = locationFacts(record)
        facts.liveActivities = activityFacts(record)
        return facts
    }

    // MARK: Reporting

    mutating func emit(_ kind: DeviceEvent.Kind, app: String? = nil) {
        add(.deviceEvent(DeviceEvent(date: date, app: app, kind: kind)))
    }

    /// Adds to the journey of a notification: locally, and for a push also at the gateway.
    mutating func report(_ kind: JourneyEvent.Kind, of subject: JourneySubject) {
        let event = JourneyEvent(date: date, station: .device, kind: kind)
        add(.journey(event, subject))
        if case .push(let apnsID) = subject { perform(courier.report(event, of: apnsID)) }
    }

    mutating func perform(_ actions: [CourierClient.Action]) {
        for action in actions { add(.courier(action)) }
    }

    // MARK: Events to apps

    /// Sends an event to the app if it is running.
    mutating func send(
        _ kind: SystemEvent.Kind,
        _ state: AppState,
        to bundleID: String,
        process: Int? = nil,
        as purpose: Outstanding.Purpose = .lifeCycle,
        for subject: JourneySubject? = nil,
        isPartOfJourney: Bool = false
    ) {
        guard let process = process ?? apps[bundleID]?.process else { return }
        if process == apps[bundleID]?.process { resume(bundleID) }
        lastEvent += 1
        outstanding[lastEvent] = Outstanding(
            purpose: purpose,
            bundleID: bundleID,
            process: process,
            state: state,
            subject: subject,
            isPartOfJourney: isPartOfJourney
        )
        add(.deliver(SystemEvent(kind, state: state), event: lastEvent, process: process))
        switch purpose {
        case .fetch, .transfers: add(.alarm(.answer(event: lastEvent), Self.fetchTime))
        case .present, .examine: add(.alarm(.answer(event: lastEvent), Self.presentTime))
        case .extend: add(.alarm(.answer(event: lastEvent), Self.extensionTime))
        case .call: add(.alarm(.answer(event: lastEvent), Self.callReportTime))
        case .expire, .end: add(.alarm(.answer(event: lastEvent), Self.lastWordTime))
        case .lifeCycle, .respond, .act, .decide: break
        }
        // An app that never handles it is suspended eventually all the same.
        if process == apps[bundleID]?.process { planSuspension(of: bundleID) }
    }

    mutating func replied(_ reply: EventReply, to event: Int) {
        guard var waiting = outstanding[event] else { return }
        switch reply {
        case .ran(let name):
            let kind = DeviceEvent.Kind.callback(name: name, state: waiting.state, id: waiting.subject?.id)
            emit(kind, app: waiting.bundleID)
            if waiting.isPartOfJourney, let subject = waiting.subject {
                report(.callback(name: name, state: waiting.state), of: subject)
            }
            return
        case .returned:
            waiting.isReturned = true
            switch waiting.purpose {
            case .lifeCycle: waiting.isAnswered = true
            case .end:
                waiting.isAnswered = true
                add(.cancel(.answer(event: event)))
                add(.kill(process: waiting.process))
            case .expire(let first):
                waiting.isAnswered = true
                add(.cancel(.answer(event: event)))
                outOfTime(first)
            case .fetch, .transfers, .present, .respond, .act, .extend, .decide, .examine, .call: break
            }
        case .contentView(let view):
            if expanded?.process == waiting.process { expanded?.content = view }
            return
        case .fetched(let outcome) where waiting.purpose.isPresentation:
            // The centre has no delegate: the app was notified as before iOS 10. The suppression is reported next.
            if let subject = waiting.subject { report(.finished(outcome), of: subject) }
            return
        case .notImplemented, .presentation, .fetched, .responded, .content, .extensionOption, .activityExamined:
            guard !waiting.isAnswered else { return }
            waiting.isAnswered = true
            add(.cancel(.answer(event: event)))
            answered(reply, waiting)
        }
        let isOver = waiting.isReturned && waiting.isAnswered
        outstanding[event] = isOver ? nil : waiting
        if isOver { discardFiles(of: waiting) }
        planSuspension(of: waiting.bundleID)
        settle()
    }

    /// Deletes the files of a notification that the user acted on, once the app has handled the action or no longer
    /// can.
    mutating func discardFiles(of waiting: Outstanding) {
        if case .act(let notification) = waiting.purpose { discardFiles(of: notification.content) }
    }

    private mutating func answered(_ reply: EventReply, _ waiting: Outstanding) {
        guard let subject = waiting.subject else { return finished(waiting, with: reply) }
        switch (waiting.purpose, reply) {
        case (.examine(let number), .activityExamined(let problem)): examined(number, problem: problem)
        case (.examine(let number), _): examined(number, problem: nil)
        case (.call, _): answeredVoIP(waiting, reply)
        case (.decide(let act), .extensionOption(let option)):
            decided(act, option)
        case (.extend(let shown, let alsoFetched), .content(let content)):
            extended(shown, alsoFetched: alsoFetched, by: waiting.process, with: content)
        case (.extend(let shown, let alsoFetched), _):
            extended(shown, alsoFetched: alsoFetched, by: waiting.process, with: nil)
        case (.present(let shown), .presentation(let options)):
            present(shown, options: options)
        case (.present, _):
            report(.suppressed(profile.foregroundReason), of: subject)
        case (_, .fetched(let outcome)):
            report(.finished(outcome), of: subject)
        default:
            break
        }
    }

    /// Handles an expired timeout of an event's answer.
    mutating func overran(_ event: Int) {
        guard var waiting = outstanding[event], !waiting.isAnswered else { return }
        if case .extend = waiting.purpose { return warnExtension(event, waiting) }
        waiting.isAnswered = true
        outstanding[event] = waiting.isReturned ? nil : waiting
        switch waiting.purpose {
        case .expire(let first): outOfTime(first)
        case .end: add(.kill(process: waiting.process))
        default: unanswered(waiting)
        }
        if waiting.purpose.isFetch { suspend(waiting.bundleID) }
    }

    /// - Parameters:
    ///   - waiting: the event that will not be answered.
    ///   - died: whether its process has ended; otherwise it timed out.
    mutating func unanswered(_ waiting: Outstanding, died: Bool = false) {
        guard let subject = waiting.subject else { return died ? () : reportOverrun(waiting) }
        switch waiting.purpose {
        case .fetch: fetchOverran(waiting, subject)
        case .present: report(.suppressed(profile.foregroundReason), of: subject)
        case .examine(let number): examined(number, problem: nil)
        case .call: finishedVoIP(waiting, died: died)
        case .extend(let shown, let alsoFetched):
            extended(shown, alsoFetched: alsoFetched, by: waiting.process, with: nil, crashed: died)
        case .lifeCycle, .respond, .act, .transfers, .end, .expire, .decide: break
        }
    }

    /// Handles a fetch without a result: the app is suspended, and woken less often.
    private mutating func fetchOverran(_ waiting: Outstanding, _ subject: JourneySubject) {
        report(.finished(.overran), of: subject)
        apps[waiting.bundleID]?.silentWakes.append(date)
    }

    /// Ends an extension after its last call.
    private mutating func outOfTime(_ event: Int) {
        guard var waiting = outstanding[event], !waiting.isAnswered else { return }
        waiting.isAnswered = true
        outstanding[event] = waiting.isReturned ? nil : waiting
        unanswered(waiting)
    }

    /// Resumes the callers that wait until the apps have processed all events.
    mutating func settle() {
        guard !settling.isEmpty, outstanding.values.allSatisfy({ $0.isReturned || isSuspended($0) }) else { return }
        for waiter in settling { add(.resume(waiter.resume)) }
        settling = []
    }

    /// Resumes a caller that stops waiting.
    mutating func stopSettling(_ number: Int) {
        guard let place = settling.firstIndex(where: { $0.number == number }) else { return }
        add(.resume(settling.remove(at: place).resume))
    }

    /// Whether its process is suspended, and so handles nothing.
    private func isSuspended(_ waiting: Outstanding) -> Bool {
        guard let record = apps[waiting.bundleID] else { return false }
        return record.suspension.isSuspended && record.process == waiting.process
    }
}
