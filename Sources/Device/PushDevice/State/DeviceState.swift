import DeviceLink
import Foundation
import PushModel
import SystemPort

/// All that a device is and knows, as a value: what happens to it changes it and leaves effects for the shell.
struct DeviceState: Sendable {
    typealias Effects = [DeviceEffect]

    /// A fetch may take this long; then the app is suspended. Source: Apple, `application(_:didReceiveRemote…)`.
    static let fetchTime = Duration.seconds(30)
    /// `willPresent` may take this long; then nothing is shown. Apple does not say how long: our decision.
    static let presentTime = Duration.seconds(10)
    /// A banner stays this long.
    static let bannerTime = Duration.seconds(5)
    /// The notification centre keeps this many entries for an app.
    static let listLimit = 100

    let name: String
    let system: String
    var date: Date
    var random: RandomSource
    var prompts: PromptPolicy
    /// Rule R1 of the reference: entries go when a running app is opened.
    var clearsDeliveredOnActivation: Bool
    var courier: CourierClient
    var apps: [String: AppRecord] = [:]
    var front: String?
    /// Newest first.
    var entries: [Entry] = []
    /// The identifier of the banner's entry.
    var banner: ShownNotification?
    var prompt: PermissionPrompt?
    var waitingPrompts: [PermissionPrompt] = []
    var asking: [String: [@Sendable (SystemReply) -> Void]] = [:]
    var outstanding: [Int: Outstanding] = [:]
    var lastProcess = 0
    var lastEvent = 0
    var settling: [@Sendable () -> Void] = []

    init(name: String, id: String, system: String, date: Date, random: RandomSource, prompts: PromptPolicy) {
        self.name = name
        self.system = system
        self.date = date
        self.random = random
        self.prompts = prompts
        clearsDeliveredOnActivation = system.split(separator: ".").first == "10"
        courier = CourierClient(device: id)
    }

    var screen: Screen {
        var screen = Screen(front: front, prompt: prompt, banner: banner)
        screen.list = entries.filter(\.isListed).map(\.shown)
        screen.badges = apps.mapValues(\.badge).filter { $0.value != 0 }
        return screen
    }

    func facts(_ record: AppRecord) -> AppFacts {
        var facts = AppFacts(
            bundleID: record.app.bundleID,
            environment: record.app.environment,
            info: record.app.info,
            deviceName: name,
            systemVersion: system,
            vendorID: record.vendorID
        )
        facts.iconBadge = record.badge
        facts.isRegisteredForRemoteNotifications = record.isRegistered
        return facts
    }

    // MARK: Telling

    func tell(_ kind: Happening.Kind, app: String? = nil, _ effects: inout Effects) {
        effects.append(.happening(Happening(date: date, app: app, kind: kind)))
    }

    /// Adds to the journey of a push: here, and at home.
    mutating func report(_ kind: JourneyEvent.Kind, of apnsID: String, _ effects: inout Effects) {
        let event = JourneyEvent(date: date, station: .device, kind: kind)
        effects.append(.journey(event, apnsID: apnsID))
        perform(courier.report(event, of: apnsID), &effects)
    }

    func perform(_ actions: [CourierClient.Action], _ effects: inout Effects) {
        for action in actions { effects.append(.courier(action)) }
    }

    // MARK: Events to apps

    /// Sends an event to the app if it runs.
    mutating func send(
        _ kind: SystemEvent.Kind,
        _ state: AppState,
        to bundleID: String,
        as purpose: Outstanding.Purpose = .lifeCycle,
        push apnsID: String? = nil,
        isPartOfJourney: Bool = false,
        _ effects: inout Effects
    ) {
        guard let process = apps[bundleID]?.process else { return }
        lastEvent += 1
        outstanding[lastEvent] = Outstanding(
            purpose: purpose,
            bundleID: bundleID,
            process: process,
            state: state,
            apnsID: apnsID,
            isPartOfJourney: isPartOfJourney
        )
        effects.append(.deliver(SystemEvent(kind, state: state), event: lastEvent, process: process))
        switch purpose {
        case .fetch: effects.append(.alarm(.answer(event: lastEvent), Self.fetchTime))
        case .present: effects.append(.alarm(.answer(event: lastEvent), Self.presentTime))
        case .lifeCycle, .respond, .end: break
        }
    }

    mutating func replied(_ reply: EventReply, to event: Int, _ effects: inout Effects) {
        guard var waiting = outstanding[event] else { return }
        switch reply {
        case .ran(let name):
            let kind = Happening.Kind.callback(name: name, state: waiting.state, apnsID: waiting.apnsID)
            tell(kind, app: waiting.bundleID, &effects)
            if waiting.isPartOfJourney, let apnsID = waiting.apnsID {
                report(.callback(name: name, state: waiting.state), of: apnsID, &effects)
            }
            return
        case .returned:
            waiting.isReturned = true
            switch waiting.purpose {
            case .lifeCycle: waiting.isAnswered = true
            case .end:
                waiting.isAnswered = true
                effects.append(.kill(process: waiting.process))
            case .fetch, .present, .respond: break
            }
        case .fetched(let outcome) where waiting.purpose.isPresentation:
            // No delegate of the centre: the app was told as before iOS 10. That nothing is shown comes next.
            if let apnsID = waiting.apnsID { report(.finished(outcome), of: apnsID, &effects) }
            return
        case .notImplemented, .presentation, .fetched, .responded:
            guard !waiting.isAnswered else { return }
            waiting.isAnswered = true
            effects.append(.cancel(.answer(event: event)))
            answered(reply, waiting, &effects)
        }
        outstanding[event] = waiting.isReturned && waiting.isAnswered ? nil : waiting
        settle(&effects)
    }

    private mutating func answered(_ reply: EventReply, _ waiting: Outstanding, _ effects: inout Effects) {
        guard let apnsID = waiting.apnsID else { return }
        switch (waiting.purpose, reply) {
        case (.present(let shown), .presentation(let options)):
            present(shown, options: options, &effects)
        case (.present, _):
            report(.suppressed(.foreground), of: apnsID, &effects)
        case (_, .fetched(let outcome)):
            report(.finished(outcome), of: apnsID, &effects)
        default:
            break
        }
    }

    /// The time for an event's answer is over.
    mutating func overran(_ event: Int, _ effects: inout Effects) {
        guard var waiting = outstanding[event], !waiting.isAnswered else { return }
        waiting.isAnswered = true
        outstanding[event] = waiting.isReturned ? nil : waiting
        unanswered(waiting, &effects)
    }

    mutating func unanswered(_ waiting: Outstanding, _ effects: inout Effects) {
        guard let apnsID = waiting.apnsID else { return }
        switch waiting.purpose {
        case .fetch: report(.finished(.overran), of: apnsID, &effects)
        case .present: report(.suppressed(.foreground), of: apnsID, &effects)
        case .lifeCycle, .respond, .end: break
        }
    }

    /// Wakes who waits for the apps to have taken all events.
    mutating func settle(_ effects: inout Effects) {
        guard !settling.isEmpty, outstanding.values.allSatisfy(\.isReturned) else { return }
        for resume in settling { effects.append(.resume(resume)) }
        settling = []
    }
}
