import DeviceLink
import Foundation
import PushModel

/// One device token, and what waits for it.
struct TokenRecord {
    let token: TokenKey
    var topic: String
    var environment: APNSEnvironment
    /// Since when the token is dead.
    var unregistered: Date?
    /// It has died of old age, and not with its app.
    var hasExpired = false
    var isWaiting = false
    /// How many pushes of its mailbox are counted as waiting.
    var waiting: Int32 = 0
    var mailbox: Mailbox
    /// Nil for a token that belongs to no device.
    var app: CourierServer.App?
}

/// What is to be done outside the lock.
enum GatewayEffect {
    case send(String, any LinkConnection)
    case close(any LinkConnection)
    case record(JourneyEvent, JourneySubject)
}

/// What a ``Gateway`` knows, and what it still has to do.
struct GatewayState {
    /// Where a token's record stands in ``records``, by the token's prefix: this table is searched for each push, and
    /// is better small.
    var places: [UInt64: Int32] = [:]
    /// The same for tokens whose prefix another one has.
    var otherPlaces: [TokenKey: Int32] = [:]
    var records: [TokenRecord] = []
    var placeOfApp: [CourierServer.App: Int] = [:]
    var removals: [CourierServer.App: Int] = [:]
    /// Records whose mailbox holds something that expires.
    var waiting: Set<Int> = []
    var courier = CourierServer()
    var courierLinks: [CourierServer.LinkID: any LinkConnection] = [:]
    var feed: EventFeed
    var followers: [Int: any LinkConnection] = [:]
    var nextFollower = 1
    /// Empty but while a push is taken in; kept for its memory.
    var mailEffects: [Mailbox.Effect] = []
    /// What is to be done outside the lock, in this order.
    var effects: [GatewayEffect] = []
    var isCarryingOut = false
    var wakesAt: Date?
    /// Nil for a gateway that takes as many as come.
    var pace: PushPaceRecord?
    var channels = ChannelBook()
    var tally = GatewayTally()

    func place(of token: TokenKey) -> Int? {
        guard let place = places[token.prefix] else { return nil }
        if records[Int(place)].token == token { return Int(place) }
        return otherPlaces[token].map(Int.init)
    }

    /// Adds a token that has no record yet.
    mutating func add(_ record: TokenRecord) -> Int {
        let place = Int32(records.count)
        if places[record.token.prefix] == nil {
            places[record.token.prefix] = place
        } else {
            otherPlaces[record.token] = place
        }
        records.append(record)
        return Int(place)
    }
}
