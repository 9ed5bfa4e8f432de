import DeviceLink
import Foundation
import HeapModule
import PushModel

/// One device token, and the pushes that wait for it. The fields that every push reads are adjacent: there are many records,
/// and most are not in the cache when their push arrives.
struct TokenRecord {
    let token: TokenKey
    /// The date when its mailbox is next checked for expired pushes; nil if no check is needed.
    var watchedAt: Date?
    var environment: APNSEnvironment
    /// Whether the token has died of old age, and not with its app.
    var hasExpired = false
    /// The date since which the token is dead.
    var unregistered: Date?
    var mailbox: Mailbox
    /// The number of pushes of its mailbox that are counted as waiting.
    var waiting: Int32 = 0
    var topic: String
    /// The app; nil for a token without a device.
    var app: CourierServer.DeviceApp?

    /// Whether a push with this head can be accepted on a quick check: one with the very same head waits.
    ///
    /// False is inconclusive.
    @inline(__always)
    func takes(_ head: PushHead) -> Bool { unregistered == nil && mailbox.first?.push.head === head }

    /// Whether its mailbox is checked by then at the latest.
    @inline(__always)
    func isWatched(before expiration: Mailbox.Expiration) -> Bool {
        if case .at(let end) = expiration, let watchedAt { watchedAt <= end } else { false }
    }
}

/// An action to carry out outside the lock.
enum GatewayEffect {
    case send(String, any LinkConnection)
    /// Sends the same frame to many devices.
    case sendToAll(LinkBatch, [any LinkConnection])
    case close(any LinkConnection)
    /// Sends a follower the events after this one.
    case sendPage(after: Int64, Int)
    case record(JourneyEvent, JourneySubject)
}

/// The state and the pending work of a ``Gateway``.
struct GatewayState {
    /// The index of each token's record in ``records``.
    var indices = TokenTable()
    var records: [TokenRecord] = []
    /// The adopted tokens of another length than 32 octets.
    var otherTokens: [TokenKey: DeviceToken] = [:]
    /// The topics of the records, those with names left out.
    private(set) var topics: Set<String> = []
    var placeOfApp: [CourierServer.DeviceApp: Int] = [:]
    var removals: [CourierServer.DeviceApp: Int] = [:]
    /// The dates when mailboxes are due for a check. A date that turns out to be too early is not removed: one needless check
    /// is cheaper than moving it with each push.
    var watches: Heap<Watch> = []
    var courier = CourierServer()
    var deviceKeys = DeviceKeys()
    /// The apns-ids of the pushes last sent to each device; they show which of its events are genuine.
    var sent: [String: Ring<APNSID>] = [:]
    /// The number of them: more than a device usually reports on at a time. Its mailboxes' memory counts too.
    static let rememberedPushes = 256
    var courierLinks: [CourierServer.LinkID: any LinkConnection] = [:]
    var feed = EventFeed(log: UUID().uuidString.lowercased())
    var followers: [Int: any LinkConnection] = [:]
    /// The followers that have said where they begin.
    var reading: Set<Int> = []
    var nextFollower = 1
    /// The pending actions outside the lock, in this order.
    var effects: [GatewayEffect] = []
    var isCarryingOut = false
    var wakesAt: Date?
    var channels = ChannelRegistry()
    var subscriptions = ChannelSubscriptions()
    var broadcasts = BroadcastLog()
    var tally = GatewayTally()
    /// Takes what ``load(_:)`` reads, so that the reads happen.
    private var loaded: UInt64 = 0
    /// The records to be written to disk; nil for a gateway that keeps its state in memory.
    var tail: MailLogTail?

    struct Watch: Comparable {
        var date: Date
        var index: Int32

        static func < (one: Self, other: Self) -> Bool { one.date < other.date }
    }

    /// The device token of the record at this index.
    func token(at index: Int) -> DeviceToken {
        let key = records[index].token
        return otherTokens[key] ?? key.token
    }

    func index(of token: TokenKey) -> Int? { indices.index(of: token.prefix) { records[$0].token == token } }

    /// Reads the records of the tokens with these prefixes, and then what the records refer to. An unused place is 0.
    mutating func load(_ prefixes: InlineArray<8, UInt64>) {
        var candidates = InlineArray<8, Int>(repeating: -1)
        for place in 0..<8 { candidates[place] = indices.candidate(for: prefixes[place]) ?? -1 }
        var sum: UInt64 = 0
        for place in 0..<8 where candidates[place] >= 0 {
            sum &+= records[candidates[place]].token.prefix
            sum &+= records[candidates[place]].mailbox.first?.push.id.low ?? 0
            sum &+= UInt64(truncatingIfNeeded: records[candidates[place]].waiting)
        }
        for place in 0..<8 where candidates[place] >= 0 {
            sum &+= records[candidates[place]].mailbox.touch()
        }
        loaded &+= sum
    }

    /// Adds a token that has no record yet.
    mutating func add(_ record: TokenRecord, of token: DeviceToken) -> Int {
        let index = records.count
        if token.words == nil { otherTokens[record.token] = token }
        records.append(record)
        indices.add(record.token, at: index) { records[$0].token }
        return index
    }

    /// Adds the topic of a record, unless it has a name.
    ///
    /// - Returns: whether no record had it before.
    @discardableResult
    mutating func addTopic(_ topic: String) -> Bool {
        !topic.utf8.contains(UInt8(ascii: "/")) && topics.insert(topic).inserted
    }

    /// Schedules a check of the mailbox at `index` by the given date.
    ///
    /// - Returns: whether the date is earlier than the one before.
    mutating func watch(_ index: Int, at date: Date) -> Bool {
        if let earlier = records[index].watchedAt, earlier <= date { return false }
        records[index].watchedAt = date
        watches.insert(Watch(date: date, index: Int32(index)))
        return true
    }

    /// The date of the next check of a mailbox.
    var nextWatch: Date? { watches.min?.date }

    /// Removes and returns a mailbox that is due for a check.
    mutating func takeWatch(before now: Date) -> Int? {
        while let next = watches.min, next.date <= now {
            watches.removeMin()
            let index = Int(next.index)
            // The mailbox had an earlier check in the meantime.
            guard records[index].watchedAt == next.date else { continue }
            records[index].watchedAt = nil
            return index
        }
        return nil
    }
}
