import DeviceLink
import Foundation
import HeapModule
import PushModel

/// One device token, and what waits for it. What each push looks at stands together: there are many records, and most are
/// far away in memory when their push comes.
struct TokenRecord {
    let token: TokenKey
    /// When its mailbox is looked at for what is over; nil if it need not be.
    var watchedAt: Date?
    var environment: APNSEnvironment
    /// It has died of old age, and not with its app.
    var hasExpired = false
    /// Since when the token is dead.
    var unregistered: Date?
    var mailbox: Mailbox
    /// How many pushes of its mailbox are counted as waiting.
    var waiting: Int32 = 0
    var topic: String
    /// Nil for a token that belongs to no device.
    var app: CourierServer.App?

    /// Whether it is known at a glance that a push with this head may be taken in: one waits that has the very same.
    ///
    /// False says nothing.
    @inline(__always)
    func takes(_ head: PushHead) -> Bool { unregistered == nil && mailbox.first?.push.head === head }

    /// Whether its mailbox is looked at by then, at the latest.
    @inline(__always)
    func isWatched(before expiration: Mailbox.Expiration) -> Bool {
        if case .at(let end) = expiration, let watchedAt { watchedAt <= end } else { false }
    }
}

/// What is to be done outside the lock.
enum GatewayEffect {
    case send(String, any LinkConnection)
    case close(any LinkConnection)
    /// Send a follower the events after this one.
    case sendPage(after: Int64, Int)
    case record(JourneyEvent, JourneySubject)
}

/// What a ``Gateway`` knows, and what it still has to do.
struct GatewayState {
    /// Where a token's record stands in ``records``.
    var places = TokenTable()
    var records: [TokenRecord] = []
    var placeOfApp: [CourierServer.App: Int] = [:]
    var removals: [CourierServer.App: Int] = [:]
    /// When which mailbox is to be looked at. One is not taken out when that turns out to be too early: it is cheaper to look
    /// once in vain than to move it with each push.
    var watches: Heap<Watch> = []
    var courier = CourierServer()
    var deviceKeys = DeviceKeys()
    /// What each device was sent since the gateway started.
    var sent: [String: SentPushes] = [:]
    var courierLinks: [CourierServer.LinkID: any LinkConnection] = [:]
    var feed: EventFeed
    var followers: [Int: any LinkConnection] = [:]
    /// Those of them that have said from where they follow.
    var reading: Set<Int> = []
    var nextFollower = 1
    /// Empty but while a push is taken in; kept for its memory.
    var mailEffects: [Mailbox.Effect] = []
    /// What is to be done outside the lock, in this order.
    var effects: [GatewayEffect] = []
    var isCarryingOut = false
    var wakesAt: Date?
    /// Nil for a gateway that takes as many as come.
    var pace: PushPaceRecord?
    var channels = ChannelRegistry()
    var tally = GatewayTally()
    /// See ``fetch(for:)``.
    var fetched = 0
    /// What has to come to disk; nil for a gateway that keeps its memory to itself.
    var tail: MailLogTail?

    struct Watch: Comparable {
        var date: Date
        var place: Int32

        static func < (one: Self, other: Self) -> Bool { one.date < other.date }
    }

    init(_ rules: GatewayRules = GatewayRules()) {
        feed = EventFeed(log: UUID().uuidString.lowercased())
        pace = rules.pace.map { PushPaceRecord($0) }
    }

    func place(of token: TokenKey) -> Int? { places.place(of: token.prefix) { records[$0].token == token } }

    /// Adds a token that has no record yet.
    mutating func add(_ record: TokenRecord) -> Int {
        let place = records.count
        records.append(record)
        places.add(record.token, at: place) { records[$0].token }
        return place
    }

    /// Has the mailbox at `place` looked at then, or before.
    ///
    /// - Returns: whether that is news.
    mutating func watch(_ place: Int, at date: Date) -> Bool {
        if let earlier = records[place].watchedAt, earlier <= date { return false }
        records[place].watchedAt = date
        watches.insert(Watch(date: date, place: Int32(place)))
        return true
    }

    /// When the next mailbox is to be looked at.
    var nextWatch: Date? { watches.min?.date }

    /// Takes out a mailbox that is to be looked at by now.
    mutating func takeWatch(before now: Date) -> Int? {
        while let next = watches.min, next.date <= now {
            watches.removeMin()
            let place = Int(next.place)
            // It was to be looked at sooner meanwhile, and has been.
            guard records[place].watchedAt == next.date else { continue }
            records[place].watchedAt = nil
            return place
        }
        return nil
    }
}
