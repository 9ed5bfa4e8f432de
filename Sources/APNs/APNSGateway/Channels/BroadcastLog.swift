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

/// A set of small numbers: a sorted array while it is sparse, a bit for each number once that takes less memory.
struct NumberSet: Hashable, Sendable {
    private enum Storage: Hashable, Sendable {
        case sparse([UInt32])
        case dense([UInt64])
    }

    private var storage = Storage.sparse([])
    private(set) var count = 0

    init() {}

    init(_ numbers: some Sequence<UInt32>) {
        var last: UInt32?
        var sorted = numbers.sorted()
        sorted.removeAll { number in
            defer { last = number }
            return number == last
        }
        count = sorted.count
        storage = .sparse(sorted)
        densify()
    }

    func contains(_ number: UInt32) -> Bool {
        switch storage {
        case .sparse(let numbers):
            let place = Self.place(of: number, in: numbers)
            return place < numbers.count && numbers[place] == number
        case .dense(let words):
            let (word, bit) = Self.split(number)
            return word < words.count && words[word] & bit != 0
        }
    }

    /// - Returns: false if the number was in the set.
    mutating func insert(_ number: UInt32) -> Bool {
        guard !contains(number) else { return false }
        count += 1
        switch storage {
        case .sparse(var numbers):
            // Released first, so that the array is changed in place.
            storage = .sparse([])
            numbers.insert(number, at: Self.place(of: number, in: numbers))
            storage = .sparse(numbers)
            densify()
        case .dense(var words):
            storage = .sparse([])
            Self.set(number, in: &words)
            storage = .dense(words)
        }
        return true
    }

    private mutating func densify() {
        guard case .sparse(let numbers) = storage, let last = numbers.last, numbers.count > Int(last) / 32 + 2 else {
            return
        }
        var words: [UInt64] = []
        for number in numbers { Self.set(number, in: &words) }
        storage = .dense(words)
    }

    private static func split(_ number: UInt32) -> (word: Int, bit: UInt64) {
        (Int(number >> 6), 1 << UInt64(number & 63))
    }

    private static func set(_ number: UInt32, in words: inout [UInt64]) {
        let (word, bit) = split(number)
        if word >= words.count { words += [UInt64](repeating: 0, count: word + 1 - words.count) }
        words[word] |= bit
    }

    /// The index of the number, or of the first greater one.
    private static func place(of number: UInt32, in numbers: [UInt32]) -> Int {
        // Numbers mostly come in ascending order.
        guard let last = numbers.last, last >= number else { return numbers.count }
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
