import Foundation
import PushModel

/// What came of one step: the bits, the rows and the pauses that its outcomes amount to.
struct StepReport {
    let now: Date
    let app: App.ID
    let message: MessageID
    private(set) var exceptions: [JourneyException] = []
    private(set) var deadTokens: [DeadToken] = []
    private(set) var observations: [(DeviceOrdinal, JourneyEvent.Kind)] = []
    private(set) var pause: Pause?
    private(set) var sentCount = 0
    private(set) var trouble: String?

    init(now: Date, app: App.ID, message: MessageID) {
        self.now = now
        self.app = app
        self.message = message
    }

    /// The step is not over: the chunk comes back later.
    var stops: Bool { pause != nil || trouble != nil }

    mutating func add(_ outcome: SendOutcome?, to target: Target, at place: Int, in chunk: inout Chunk) {
        guard let outcome else {
            chunk.settled.insert(place)
            return note(.suppressed(target.isStopped ? .pushOff : .noToken), of: target.ordinal)
        }
        for reason in outcome.retries { note(.retried(reason), of: target.ordinal) }
        switch outcome.ending {
        case .accepted:
            chunk.sent.insert(place)
            sentCount += 1
            observations.append((target.ordinal, .sent))
        case .refused(let reason, let unregisteredAt):
            chunk.settled.insert(place)
            note(.refused(reason), of: target.ordinal)
            if let token = target.token, reason == .unregistered || reason == .expiredToken {
                let since = unregisteredAt.map { Date(timeIntervalSince1970: Double($0) / 1000) } ?? now
                let device = DeviceID(app: app, ordinal: target.ordinal)
                deadTokens.append(DeadToken(device: device, token: token, since: since))
            }
        case .paused(let reason, let detail):
            pause = Pause(reason: reason, detail: detail, until: now.addingTimeInterval(Self.pauseSeconds))
            observations.append((target.ordinal, .paused(reason)))
        case .unreachable(let description):
            trouble = description
            observations.append((target.ordinal, .retried(description)))
        }
    }

    /// Seconds after which a paused app is tried with one chunk again.
    private static let pauseSeconds: TimeInterval = 60

    private mutating func note(_ kind: JourneyEvent.Kind, of ordinal: DeviceOrdinal) {
        let event = JourneyEvent(date: now, station: .service, kind: kind)
        exceptions.append(JourneyException(message: message, ordinal: ordinal, event: event))
        observations.append((ordinal, kind))
    }

    /// Moves the chunk on, or sends it back with the time of its next attempt.
    func finish(_ chunk: inout Chunk, through end: Int) {
        chunk.updatedAt = now
        chunk.problem = pause.map { .paused($0.reason) } ?? trouble.map { .retried($0) }
        guard stops else {
            chunk.cursor = end
            chunk.isDone = end == chunk.ordinals.ordinals.count
            return
        }
        // 1 s, 2 s, 4 s … a minute; a pause has its own end.
        let backOff = min(60, pow(2, Double(min(chunk.attempt, 8) - 1)))
        chunk.dueAt = pause == nil ? now.addingTimeInterval(backOff) : now
    }
}
