import DeviceLink
import Foundation
import PushClock
import PushModel
import SystemPort

/// The complete state of a device as a value: each operation changes it and adds effects for the shell.
struct DeviceState: EffectfulState {
    /// The time for which a banner stays.
    static let bannerTime = Duration.seconds(5)
    /// The maximum number of entries per app in the notification centre.
    static let listLimit = 100

    /// The effects to perform, in the order in which they were added.
    private(set) var effects: [DeviceEffect] = []

    let name: String
    let id: String
    let advertisingID: String
    private(set) var profile: SystemProfile
    /// Counts the changes, for a reader that keeps what it has read.
    private(set) var changes = 0
    /// The times of the alarms for the next summary, local notification and background fetch.
    private(set) var planned: [DeviceAlarm: Date] = [:]
    /// The time of the last connection to the courier that followed a lost one.
    private(set) var reconnected: Date?
    private var hasConnected = false

    // The parts. Each writes only itself: its stored properties have setters for its own file alone.

    var time: DeviceTime
    var random: RandomSource
    var settings: DeviceSettings
    var surroundings = Surroundings()
    var springboard = Springboard()
    var courier: CourierClient
    var apps: [String: AppRecord] = [:]
    var badges = IconBadges()
    var entries = NotificationEntries()
    var promptQueue = PromptQueue()
    var events = EventLedger()
    var processes = Processes()
    /// The notification in the expanded view.
    var expanded: Expanded?
    var pending = PendingRequests()
    var phoneCalls = PhoneCalls()

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
        time = DeviceTime(date)
        self.random = random
        settings = DeviceSettings(prompts: prompts)
        // Microseconds, so that a device that is switched on again continues after the events already reported.
        let now = Int64(exactly: (date.timeIntervalSince1970 * 1_000_000).rounded()) ?? 1
        courier = CourierClient(device: id, key: key, firstNumber: max(1, now))
    }

    var date: Date { time.date }
    var timeZone: TimeZone { time.zone }

    /// The ids of all apps.
    var bundleIDs: [String] { apps.keys.sorted() }

    /// Begins a change at a time.
    mutating func begin(at date: Date) {
        time.date = date
        changes += 1
    }

    mutating func changeProfile(_ change: (inout SystemProfile) -> Void) { change(&profile) }

    // MARK: Effects

    mutating func add(_ effect: DeviceEffect) { effects.append(effect) }

    mutating func takeEffects() -> [DeviceEffect] { effects.takeAll() }

    /// Sets, moves or cancels the alarm for a time.
    mutating func plan(_ alarm: DeviceAlarm, at next: Date?) {
        guard next != planned[alarm] else { return }
        planned[alarm] = next
        guard let next else { return add(.cancel(alarm)) }
        add(.alarm(alarm, .seconds(max(0, next.timeIntervalSince(date)))))
    }

    /// Forgets the time of an alarm that rings.
    mutating func rang(_ alarm: DeviceAlarm) { planned[alarm] = nil }

    // MARK: Observation

    var screen: Screen {
        var screen = Screen(
            front: springboard.front,
            isLocked: springboard.isLocked,
            prompt: promptQueue.front,
            banner: springboard.banner.map(seen)
        )
        screen.list = entries.all.filter(\.isListed).map { seen($0.shown) }
        screen.groups = groups(of: screen.list)
        screen.upcoming = entries.heldForSummary.map(seen)
        screen.expanded = expandedView
        screen.inApp = shownInApp
        screen.alert = shownAlert
        screen.activities = shownActivities
        screen.island = shownIsland
        screen.calls = shownCalls
        screen.badges = badges.numbers.filter { apps[$0.key] != nil }
        return screen
    }

    func facts(_ record: AppRecord) -> AppFacts {
        var facts = AppFacts(
            bundleID: record.app.bundleID,
            environment: record.app.environment,
            info: record.app.info,
            deviceName: name,
            systemVersion: profile.version,
            vendorID: record.data.vendorID
        )
        facts.advertisingID = advertisingID
        facts.iconBadge = badges[record.app.bundleID]
        facts.timeZone = timeZone.identifier
        facts.language = settings.language
        facts.strings = record.app.strings(in: settings.language)
        facts.backgroundRefresh =
            (record.background.isAllowed ? AppFacts.BackgroundRefresh.available : .denied).rawValue
        facts.isRegisteredForRemoteNotifications = record.token.value != nil
        facts.isProtectedDataAvailable = !springboard.isLocked
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

    /// Emits that the device's state has changed, in a few words.
    mutating func emitChange(_ words: String, app: String? = nil) { emit(.changed(words), app: app) }

    /// Emits a mistake in an app's code or in a push for it.
    mutating func warn(_ sentence: String, app: String?) { emit(.warning(sentence), app: app) }

    /// Reports why the device has not shown, or not passed on, a notification or a part of it.
    mutating func suppress(_ subject: JourneySubject?, _ reason: SuppressionReason) {
        report(.suppressed(reason), of: subject)
    }

    /// Adds to the journey of a notification, if there is one: locally, and for a push also at the gateway.
    mutating func report(_ kind: JourneyEvent.Kind, of subject: JourneySubject?) {
        guard let subject else { return }
        let event = JourneyEvent(date: date, station: .device, kind: kind)
        add(.journey(event, subject))
        if case .push(let apnsID) = subject { perform(courier.report(event, of: apnsID)) }
    }

    // MARK: The courier

    mutating func connected() {
        if hasConnected { reconnected = date }
        hasConnected = true
        emit(.connected)
    }

    /// Asks the courier for the token of a topic of an app.
    mutating func registerTopic(_ topic: String, of app: InstalledApp) {
        perform(courier.register(topic: topic, environment: app.environment))
    }

    /// Gives up the token of a topic of an app.
    mutating func unregisterTopic(_ topic: String, of app: InstalledApp) {
        perform(courier.unregister(topic: topic, environment: app.environment))
    }

    mutating func perform(_ actions: [CourierClient.Action]) {
        for action in actions { add(.courier(action)) }
    }
}
