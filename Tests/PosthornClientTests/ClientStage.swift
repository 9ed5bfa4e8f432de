import DeviceLink
import Foundation

@testable import PosthornClient

/// A client and its service as values: each effect is one step, after any of which the process may die.
struct ClientStage {
    /// The way of the calls.
    enum Channel: CaseIterable {
        case https
        case link
        /// Another one with each step of the life.
        case changing
    }

    let channel: Channel
    var service = ServiceModel()
    var client: ClientState
    /// The content of the store.
    var stored: StoredParts
    /// Orders to remove notifications.
    var orders: [TakeBack] = []
    /// Messages that the app was handed, in all its processes.
    var delivered: [String] = []
    /// Answers to callers, oldest first.
    var answers: [(callers: [Int], result: Result<DeviceAnswer, PosthornError>)] = []
    var identities: [Result<Registration, PosthornError>] = []
    var calls: [ServiceCall] = []
    var waits: [Double] = []
    var linkWaits: [Double] = []
    var network: [NetworkEvent] = []
    var settled: [Bool] = []
    /// Whether the waits after failures end at once.
    var answersRetries = true
    /// Whether the service says nothing on the link.
    var mutes = false
    /// The time until the next ping, in milliseconds.
    var beats: Int?
    /// The callers whose time runs.
    var timed: Set<Int> = []
    var log: [String] = []
    var sent: [String] = []
    /// The number of tokens asked for again, of ends, and of messages that a reader was told of.
    var tokensWanted = 0
    var ends = 0
    var offers = 0
    /// Steps taken so far, and the one at which the process dies.
    private(set) var steps = 0
    var diesAt: Int?
    private(set) var isDead = false
    private var waiting: [ClientState.Effect] = []
    /// Outcomes that take the place of the service's, in order.
    var faults: [CallOutcome?] = []

    static let values: DeviceValues = {
        var values = DeviceValues(environment: .production, system: "iOS 17.0")
        values.zone = "Europe/Berlin"
        return values
    }()

    init(
        saved: SavedState = SavedState(installation: "one", appKey: "key"),
        backoff: Backoff = Backoff(),
        over channel: Channel = .https
    ) {
        self.channel = channel
        stored = StoredParts(state: saved)
        client = Self.process(stored, backoff, channel: channel)
    }

    /// A process with what was stored, in which a handler takes each message at once.
    private static func process(_ stored: StoredParts, _ backoff: Backoff = Backoff(), channel: Channel) -> ClientState
    {
        var client = ClientState(
            stored: stored,
            first: SavedState(installation: "one", appKey: "key"),
            backoff: backoff,
            random: SystemRandomNumberGenerator()
        )
        client.socket.isUsed = channel != .https
        client.socket.callsOverLink = channel == .link
        client.socket.bundleID = "com.example.app"
        client.demand(.all)
        return client
    }

    mutating func start() {
        run { $0.start(appKey: $0.saved.appKey, values: Self.values) }
        if channel != .https { run { $0.moved(toFront: true) } }
    }

    /// The next process: it has what was stored.
    mutating func relaunch() {
        isDead = false
        diesAt = nil
        waiting = []
        client = Self.process(stored, channel: channel)
    }

    mutating func run(_ body: (inout ClientState) -> Void) {
        guard !isDead else { return }
        if channel == .changing { client.socket.callsOverLink.toggle() }
        body(&client)
        waiting += client.takeEffects()
        while !isDead, !waiting.isEmpty { perform(waiting.removeFirst()) }
    }

    /// - Returns: whether the process died with this step.
    private mutating func dies() -> Bool {
        steps += 1
        isDead = steps == diesAt
        return isDead
    }

    private mutating func perform(_ effect: ClientState.Effect) {
        if dies() { return }
        switch effect {
        case .save(let part): stored.take(part)
        case .call(let call, let number):
            calls.append(call)
            let fault = faults.isEmpty ? nil : faults.removeFirst()
            let outcome = fault ?? service.answer(call, of: client.saved)
            // The service has the call, and the process dies before the answer arrives.
            if dies() { return }
            client.finished(number, outcome)
            waiting += client.takeEffects()
        // The wait of a link is a test's to end.
        case .set(.retry, let delay), .set(.pause, let delay):
            waits.append(Double(delay) / 1000)
            guard answersRetries, case .set(let timer, _) = effect else { break }
            client.rang(timer)
            waiting += client.takeEffects()
        case .answer(let callers, let result): answers.append((callers, result))
        case .identity(let result, _): identities.append(result)
        case .left: ends += 1
        case .tokenWanted: tokensWanted += 1
        case .takeBack(let order): orders.append(order)
        case .deliver(let message): delivered.append(message.content)
        case .log(let line): log.append(line)
        case .socket(.open(let number)) where channel != .https:
            client.socketOpened(number)
            waiting += client.takeEffects()
        case .socket(.send(let text)):
            sent.append(text)
            guard channel != .https, !mutes else { return }
            if client.socket.isLoggedIn, !faults.isEmpty {
                if faults.removeFirst() != nil { client.socketClosed(client.socket.number) }
                return waiting += client.takeEffects()
            }
            let answers = service.answer(text)
            if dies() { return }
            for answer in answers { client.socketReceived(answer, on: client.socket.number) }
            waiting += client.takeEffects()
        case .socket(.ping): sent.append("ping")
        case .network(let event): network.append(event)
        case .set(.patience(let caller), _): timed.insert(caller)
        case .cancel(.patience(let caller)): timed.remove(caller)
        case .set(.heartbeat, let delay): beats = delay
        case .cancel(.heartbeat): beats = nil
        case .set(.link, let delay):
            linkWaits.append(Double(delay) / 1000)
            guard channel != .https, answersRetries else { break }
            client.rang(.link)
            waiting += client.takeEffects()
        case .offer: offers += 1
        case .settled(_, let isSent): settled.append(isSent)
        case .socket, .set, .cancel, .remove: break
        }
    }
}

extension CustomMessage {
    init(_ content: String, at position: Int64) { self.init(id: position, position: position, content: content) }
}

extension StoredParts {
    mutating func take(_ part: StoredPart) {
        switch part {
        case .state(let part): state = part
        case .queue(let part): queue = part.stored
        case .receipts(let part): receipts = part
        case .position(let part): position = part
        }
    }
}

extension RequestQueue {
    /// The queue as the next process reads it.
    var stored: RequestQueue {
        (try? JSONEncoder().encode(self)).flatMap { try? JSONDecoder().decode(Self.self, from: $0) } ?? RequestQueue()
    }
}
