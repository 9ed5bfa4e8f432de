import PushModel
import SystemPort

/// The events that apps have not fully answered, and the callers that wait until the apps have handled all of them.
struct EventLedger: Sendable {
    private var open: [Int: Outstanding] = [:]
    private var last = 0
    /// In order of arrival.
    private var waiters: [@Sendable () -> Void] = []

    subscript(_ event: Int) -> Outstanding? { open[event] }

    var all: some Sequence<Outstanding> { open.values }

    /// Returns the events of a process, in the order in which they were sent.
    func of(_ process: Int) -> [(event: Int, waiting: Outstanding)] {
        open.filter { $0.value.process == process }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Adds an event. Returns its number.
    mutating func add(_ event: Outstanding) -> Int {
        last += 1
        open[last] = event
        return last
    }

    /// Records the progress of an event, which ends it once the app has returned from it and answered it.
    mutating func change(_ event: Int, to waiting: Outstanding) {
        open[event] = waiting.isReturned && waiting.isAnswered ? nil : waiting
    }

    mutating func remove(_ event: Int) { open[event] = nil }

    // MARK: Callers that wait

    var isAwaited: Bool { !waiters.isEmpty }

    mutating func wait(_ resume: @escaping @Sendable () -> Void) { waiters.append(resume) }

    mutating func takeWaiters() -> [@Sendable () -> Void] { waiters.takeAll() }
}

extension DeviceState {
    /// The time limit of a fetch; then the app is suspended. Source: Apple, `application(_:didReceiveRemote…)`.
    static let fetchTime = Duration.seconds(30)
    /// The time limit of `willPresent`; then nothing is shown. Apple does not document it: our decision.
    static let presentTime = Duration.seconds(10)
    /// The time limit of a button's handler before iOS 10; then the app is ended. Apple documents that, and no time: our decision.
    static let actionTime = Duration.seconds(30)
    /// The approximate time limit of a service extension. Source: Apple, `UNNotificationServiceExtension`.
    static let extensionTime = Duration.seconds(30)
    /// The time limit of the last call to a service extension, or to an app that the user swipes away. Apple does not
    /// document it: our decision.
    static let lastWordTime = Duration.seconds(5)
}

/// An event that an app has not fully answered.
struct Outstanding: Sendable {
    enum Purpose: Sendable {
        case lifeCycle
        /// A fetch: 30 s.
        case fetch
        /// The end of transfers in the background: 30 s.
        case transfers
        /// A request for presentation options: 10 s.
        case present(ShownNotification)
        case respond
        /// A user's action on a notification, whose files are deleted when the app has answered; `mustAnswer` if the app is ended after
        /// 30 s without an answer.
        case act(NotificationRecord, mustAnswer: Bool)
        /// A service extension: 30 s.
        case extend(ShownNotification, alsoFetched: Bool)
        /// A content extension's decision about this action.
        case decide(HeldAct)
        /// A question whether a push's values fit the app's type of Live Activities.
        case examine(ExaminedPush)
        /// The last call to the extension that works on this event.
        case expire(event: Int)
        /// A VoIP push: 7 s for the report of a call.
        case call
        /// The process ends once the app has handled it.
        case end

        /// Whether it is work in the background with a time limit of its own.
        var isFetch: Bool {
            switch self {
            case .fetch, .transfers: true
            default: false
            }
        }
        var isCall: Bool { if case .call = self { true } else { false } }
        var isPresentation: Bool { if case .present = self { true } else { false } }

        /// The time limit of the answer; nil for none.
        var limit: Duration? {
            switch self {
            case .fetch, .transfers: DeviceState.fetchTime
            case .present, .examine: DeviceState.presentTime
            case .extend: DeviceState.extensionTime
            case .call: DeviceState.callReportTime
            case .expire, .end: DeviceState.lastWordTime
            case .act(_, let mustAnswer): mustAnswer ? DeviceState.actionTime : nil
            case .lifeCycle, .respond, .decide: nil
            }
        }
    }

    var purpose: Purpose
    var bundleID: String
    var process: Int
    var state: AppState
    var subject: JourneySubject?
    /// Whether the event also goes into the push's journey.
    var isPartOfJourney: Bool
    var isReturned = false
    var isAnswered = false
}
