import Foundation
import PushModel

/// What came of one step: the bits, the rows and the pauses that its outcomes amount to.
struct StepReport {
    /// A message on its way to a device.
    struct Push {
        var message: MessageID
        var ordinal: DeviceOrdinal
    }

    let now: Date
    let app: App.ID
    private(set) var exceptions: [JourneyException] = []
    private(set) var deadTokens: [DeadToken] = []
    private(set) var observations: [(Push, JourneyEvent.Kind)] = []
    private(set) var pause: Pause?
    private(set) var sentCount = 0
    private(set) var trouble: String?

    init(now: Date, app: App.ID) {
        self.now = now
        self.app = app
    }

    /// The step is not over: the chunk comes back later.
    var stops: Bool { pause != nil || trouble != nil }

    /// What cannot be read cannot be sent.
    mutating func suppress(
        _ message: MessageID,
        to ordinal: DeviceOrdinal,
        at place: Int,
        in chunk: inout Chunk
    ) {
        chunk.settled.insert(place)
        note(.suppressed(.badPayload), of: Push(message: message, ordinal: ordinal))
    }

    mutating func add(
        _ outcome: SendOutcome?,
        of message: MessageID,
        to target: Target,
        at place: Int,
        in chunk: inout Chunk
    ) {
        let push = Push(message: message, ordinal: target.ordinal)
        guard let outcome else {
            chunk.settled.insert(place)
            return note(.suppressed(target.isStopped ? .pushOff : .noToken), of: push)
        }
        for reason in outcome.retries { note(.retried(reason), of: push) }
        switch outcome.ending {
        case .accepted:
            chunk.sent.insert(place)
            sentCount += 1
            observations.append((push, .sent))
        case .refused(let reason, let unregisteredAt):
            chunk.settled.insert(place)
            note(.refused(reason), of: push)
            if let token = target.token, reason == .unregistered || reason == .expiredToken {
                let since = unregisteredAt.map { Date(timeIntervalSince1970: Double($0) / 1000) } ?? now
                let device = DeviceID(app: app, ordinal: target.ordinal)
                deadTokens.append(DeadToken(device: device, token: token, since: since))
            }
        case .paused(let reason, let detail):
            pause = Pause(reason: reason, detail: detail, until: now.addingTimeInterval(Self.pauseSeconds))
            observations.append((push, .paused(reason)))
        case .unreachable(let description):
            trouble = description
            observations.append((push, .retried(description)))
        }
    }

    /// Seconds after which a paused app is tried with one chunk again.
    private static let pauseSeconds: TimeInterval = 60

    private mutating func note(_ kind: JourneyEvent.Kind, of push: Push) {
        let event = JourneyEvent(date: now, station: .service, kind: kind)
        exceptions.append(JourneyException(message: push.message, ordinal: push.ordinal, event: event))
        observations.append((push, kind))
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
