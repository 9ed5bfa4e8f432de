/// The requests of a client that have no answer yet, in the order in which they were made.
///
/// The service stops reading while its backlog is long, and limits requests of a kind per interval. At most ``window``
/// requests are therefore in flight. A request over the limit waits for the next interval, with all later requests of
/// its kind behind it, so that the app's last change stays the last.
struct SDKRequestQueue: Sendable {
    /// Requests that the service counts together.
    enum Kind: Hashable, Sendable {
        case names
        case mobile

        /// The number of requests that the service takes at once.
        var limit: Int { self == .names ? 10 : 3 }
    }

    private struct Waiting {
        var number: Int64
        var request: SDKRequest
        var deadline: SDKLinkClient.Deadline
        /// Whether its timeout has started.
        var isWatched: Bool
        var isSent = false
    }

    /// The maximum number of requests in flight, not counting the token's.
    static let window = 64
    /// The interval over which the service counts requests, and the client's wait after exceeding the limit.
    static let pause = Duration.seconds(10)
    static let tooOften = 6011

    private var waiting: [Waiting] = []
    private var sentCount = 0
    private var paused: Set<Kind> = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ request: SDKRequest, as number: Int64, deadline: SDKLinkClient.Deadline) {
        let isWatched = deadline != .onceSent
        waiting.append(Waiting(number: number, request: request, deadline: deadline, isWatched: isWatched))
    }

    /// Marks the requests that may be sent now as in flight and returns them.
    mutating func next() -> [SDKLinkClient.Action] {
        var actions: [SDKLinkClient.Action] = []
        var underWay: [Kind: Int] = [:]
        var blocked = paused
        for place in waiting.indices {
            if sentCount >= Self.window { break }
            let kind = waiting[place].request.kind
            if let kind, !waiting[place].isSent, blocked.contains(kind) || underWay[kind, default: 0] >= kind.limit {
                blocked.insert(kind)
                continue
            }
            if let kind { underWay[kind, default: 0] += 1 }
            if !waiting[place].isSent { actions += send(place) }
        }
        return actions
    }

    private mutating func send(_ place: Int) -> [SDKLinkClient.Action] {
        let number = waiting[place].number
        let isWatched = waiting[place].isWatched
        waiting[place].isSent = true
        waiting[place].isWatched = true
        sentCount += 1
        let watch: [SDKLinkClient.Action] = isWatched ? [] : [.watch(number: number, SDKLinkClient.patience)]
        return watch + [.send(.request(number: number, waiting[place].request))]
    }

    /// Handles a reply; if it says "too often" to a request without an immediate deadline, requests of its kind pause.
    ///
    /// - Returns: nil if no request waits for it.
    mutating func replied(_ number: Int64, _ reply: SDKReply) -> SDKLinkClient.Action? {
        guard let place = waiting.firstIndex(where: { $0.number == number }), waiting[place].isSent else { return nil }
        if reply.code == Self.tooOften, waiting[place].deadline != .fromNow, let kind = waiting[place].request.kind {
            paused.insert(kind)
            return .pause(numbers: takeBack(kind, from: place), Self.pause)
        }
        sentCount -= 1
        waiting.remove(at: place)
        return .answer(number: number, reply)
    }

    /// Puts the requests of a kind that are in flight back in the queue. The service answers in order, so none of them
    /// has been answered.
    ///
    /// - Returns: the requests whose timeout restarts then.
    private mutating func takeBack(_ kind: Kind, from first: Int) -> [Int64] {
        var numbers: [Int64] = []
        for place in waiting.indices[first...] where waiting[place].isSent && waiting[place].request.kind == kind {
            waiting[place].isSent = false
            sentCount -= 1
            guard waiting[place].deadline == .onceSent else { continue }
            waiting[place].isWatched = false
            numbers.append(waiting[place].number)
        }
        return numbers
    }

    /// - Returns: false if the request has been answered.
    mutating func giveUp(_ number: Int64) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return false }
        if waiting[place].isSent { sentCount -= 1 }
        waiting.remove(at: place)
        return true
    }

    /// Ends the pause.
    mutating func resume() { paused = [] }

    /// Marks the requests in flight to be sent again on the next link.
    mutating func linkEnded() {
        for place in waiting.indices { waiting[place].isSent = false }
        sentCount = 0
        paused = []
    }

    /// - Returns: the numbers of all requests, which are removed.
    mutating func removeAll() -> [Int64] {
        defer { self = SDKRequestQueue() }
        return waiting.map(\.number)
    }
}

extension SDKRequest {
    fileprivate var kind: SDKRequestQueue.Kind? {
        switch self {
        case .addTags, .setTags, .deleteTags, .cleanTags, .getAllTags, .checkTag, .setAlias, .deleteAlias, .getAlias,
            .attributes, .topics:
            .names
        case .mobile: .mobile
        case .token, .badge, .pushSwitch, .pushStatus, .receipts, .voipToken, .activityToken, .activityStartToken: nil
        }
    }
}
