import DeviceLink
import Foundation
import PushModel

/// The gateway's memory of one channel message: enough to explain it for each device, without an object per device.
struct BroadcastFacts: Sendable {
    /// The state of the message at the gateway.
    enum State: Hashable, Sendable {
        case stored(until: Date)
        /// It was sent to the linked devices only; `isPolicy`: because of the channel's storage policy.
        case notStored(isPolicy: Bool)
        case coalesced(by: APNSID)
        case expired(Date)
        /// The channel was deleted.
        case deleted
    }

    var id: APNSID
    /// The value of `apns-unique-id`, which the development environment returns.
    var uniqueID: APNSID?
    /// Its place among all channel messages.
    var number: UInt32
    var channel: CourierChannel
    /// The time when it was sent; nil if the gateway has been started since.
    var date: Date?
    var state: State
    /// The number of subscribers when it was sent.
    var subscribers = 0
    /// The devices whose links it was sent to.
    var sent = NumberSet()
    /// The devices that have acknowledged it.
    var delivered = NumberSet()
}

/// The stored channel messages, and the latest of the others.
struct BroadcastLog: Sendable {
    /// The number of messages that are remembered after their end.
    static let capacity = 1000

    private(set) var lastNumber: UInt32 = 0
    private var facts: [APNSID: BroadcastFacts] = [:]
    private var idOfUniqueID: [APNSID: APNSID] = [:]
    /// The messages that are over.
    private var over = Ring<APNSID>()

    /// Assigns the next number.
    mutating func nextNumber() -> UInt32 {
        lastNumber += 1
        return lastNumber
    }

    /// Continues after this number.
    mutating func begin(after number: UInt32) { lastNumber = max(lastNumber, number) }

    /// The message with this request id or unique id; nil if it is not remembered.
    func facts(of id: APNSID) -> BroadcastFacts? { facts[id] ?? idOfUniqueID[id].flatMap { facts[$0] } }

    mutating func add(_ message: BroadcastFacts) {
        forget(message.id)
        facts[message.id] = message
        if let unique = message.uniqueID { idOfUniqueID[unique] = message.id }
        if case .stored = message.state { return }
        retire(message.id)
    }

    /// Records the end of a stored message.
    mutating func end(_ id: APNSID, as state: BroadcastFacts.State) {
        guard case .stored = facts[id]?.state else { return }
        facts[id]?.state = state
        retire(id)
    }

    mutating func sent(_ id: APNSID, to device: UInt32) { _ = facts[id]?.sent.insert(device) }

    /// - Returns: false if the message was not sent to the device, or has been acknowledged before.
    mutating func acknowledged(_ id: APNSID, by device: UInt32) -> Bool {
        guard facts[id]?.sent.contains(device) == true else { return false }
        return facts[id]?.delivered.insert(device) ?? false
    }

    /// The number of a device that may report on the message because it was sent to it; nil if it may not.
    func reporter(_ device: String, of id: APNSID, _ keys: DeviceKeys) -> UInt32? {
        guard let message = facts[id], let number = keys.number(of: device), message.sent.contains(number) else {
            return nil
        }
        return number
    }

    private mutating func retire(_ id: APNSID) {
        guard let oldest = over.append(id, capacity: Self.capacity) else { return }
        // One that was sent again under the same id, and is stored now, stays.
        if case .stored = facts[oldest]?.state {} else { forget(oldest) }
    }

    private mutating func forget(_ id: APNSID) {
        if let unique = facts.removeValue(forKey: id)?.uniqueID { idOfUniqueID[unique] = nil }
    }
}

/// A set of small numbers: a hash table while it is sparse, a bit for each number once that takes less memory.
struct NumberSet: Sendable {
    private var few: Set<UInt32> = []
    private var words: [UInt64] = []
    private var highest: UInt32 = 0
    private(set) var count = 0

    init() {}

    init(_ numbers: some Sequence<UInt32>) {
        for number in numbers { _ = insert(number) }
    }

    func contains(_ number: UInt32) -> Bool {
        let word = Int(number >> 6)
        return few.contains(number) || word < words.count && words[word] & Self.bit(number) != 0
    }

    /// - Returns: false if the number was in the set.
    mutating func insert(_ number: UInt32) -> Bool {
        guard !contains(number) else { return false }
        count += 1
        highest = max(highest, number)
        if words.isEmpty {
            few.insert(number)
            guard count > Int(highest) / 64 + 2 else { return true }
            for number in exchange(&few, with: []) { setBit(number) }
        } else {
            setBit(number)
        }
        return true
    }

    private mutating func setBit(_ number: UInt32) {
        let word = Int(number >> 6)
        if word >= words.count { words += [UInt64](repeating: 0, count: word + 1 - words.count) }
        words[word] |= Self.bit(number)
    }

    private static func bit(_ number: UInt32) -> UInt64 { 1 << UInt64(number & 63) }
}
