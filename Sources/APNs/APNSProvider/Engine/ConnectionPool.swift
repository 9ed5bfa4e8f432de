import PushModel

/// The connections, the choice of a connection for each push, and the decision to open or close some.
///
/// A pool has seats, and a seat has one connection at a time. A device token always maps to the same seat while the number of
/// seats stays the same; few tokens move when it changes. So pushes for one device are sent in order. While a seat has no
/// connection, its tokens go to the next.
///
/// Connections are identified by increasing numbers. Times are values; the pool knows no clock and no socket.
struct ConnectionPool: Sendable {
    enum Command: Hashable, Sendable {
        /// Opens a connection after a pause; then call ``stands(_:)`` or ``failed(_:_:isWanted:)``.
        case open(Int, pause: Duration)
        /// Sends nothing more over it, and closes it when it has answered.
        case leave(Int, String)
    }

    struct Rules: Sendable {
        var connections = 1...4
        /// The answer time that counts as quick, whatever it was before.
        var slowAnswer = Duration.milliseconds(100)
        /// The time in which an additional connection must prove useful.
        var growthPause = Duration.seconds(10)
        /// The time with little to do after which one connection is closed.
        var idleTime = Duration.seconds(60)
        /// Returns the pause after so many failures in a row.
        var pause: @Sendable (Int) -> Duration = { _ in .zero }
    }

    private struct Seat {
        var number: Int?
        var isLive = false
        /// Whether the connection ended before it was put to use.
        var isDoomed = false
    }

    /// The data about a connection, also about one that is closing.
    private struct Record {
        var number: Int
        var lastAnswer: Duration?
    }

    private let rules: Rules
    private var seats: [Seat]
    private var records: [Record] = []
    private var nextNumber = 1
    /// The number of connections in a row that failed or ended without a single answer.
    private var failures = 0
    /// The reason why the last connection failed or ended; empty if none has.
    private(set) var lastTrouble = ""
    /// The reason why there is no connection.
    var lastError: String { lastTrouble.isEmpty ? "no connection yet" : lastTrouble }

    // Measurements.
    private var window = (start: Duration.zero, count: 0, sum: Duration.zero, most: 0)
    /// The best average answer time, at any load; it rises slowly.
    private var best: Duration?
    private var slowReviews = 0
    private var lastGrowth: Duration?
    private var busyUntil = Duration.zero
    /// The number of pushes in flight when each additional seat was added.
    private var loads: [Int] = []

    static let reviewInterval = Duration.seconds(1)
    private static let slowReviewsForGrowth = 3

    init(_ rules: Rules) {
        self.rules = rules
        seats = Array(repeating: Seat(), count: rules.connections.lowerBound)
    }

    /// The number of open connections that accept pushes.
    var liveCount: Int { seats.count { $0.isLive } }
    var seatCount: Int { seats.count }

    // MARK: - Pushes

    /// Returns the connection for a push; nil if none is open.
    ///
    /// `hash` is the hash of the device token; called only if needed.
    func route(_ hash: () -> UInt64) -> Int? {
        if seats.count == 1 { return seats[0].isLive ? seats[0].number : nil }
        let home = Self.jump(hash(), among: seats.count)
        for step in seats.indices {
            let seat = seats[(home + step) % seats.count]
            if seat.isLive { return seat.number }
        }
        return nil
    }

    /// Opens connections for empty seats, now that there is something to send.
    mutating func fill() -> [Command] { seats.indices.compactMap { seats[$0].number == nil ? open($0) : nil } }

    /// The algorithm of "A Fast, Minimal Memory, Consistent Hash Algorithm" (Lamping, Veach, 2014).
    static func jump(_ hash: UInt64, among count: Int) -> Int {
        var key = hash
        var place = 0
        var next = 0
        while next < count {
            place = next
            key = key &* 2_862_933_555_777_941_757 &+ 1
            next = Int(Double(place + 1) * (Double(1 << 31) / Double((key >> 33) + 1)))
        }
        return place
    }

    // MARK: - Connections

    private mutating func open(_ seat: Int) -> Command {
        seats[seat].number = nextNumber
        nextNumber += 1
        // The first failure is retried at once.
        return .open(nextNumber - 1, pause: failures > 1 ? rules.pause(failures - 1) : .zero)
    }

    private func seat(of number: Int) -> Int? { seats.firstIndex { $0.number == number } }

    /// - Returns: false if the connection has ended in the meantime.
    mutating func stands(_ number: Int) -> Bool {
        guard let seat = seat(of: number), !seats[seat].isDoomed else { return false }
        seats[seat].isLive = true
        records.append(Record(number: number))
        return true
    }

    /// Records that a connection could not be opened.
    mutating func failed(_ number: Int, _ error: String, isWanted: Bool) -> [Command] {
        failures += 1
        lastTrouble = error
        return seat(of: number).map { replace($0, isWanted: isWanted) } ?? []
    }

    /// Records that a connection accepts nothing more: the other side says so, or has closed it. A needed seat gets another.
    mutating func ended(_ number: Int, _ reason: String, isWanted: Bool) -> [Command] {
        lastTrouble = reason
        guard let seat = seat(of: number) else { return [] }
        guard seats[seat].isLive else {
            // The opener will ask, and learn this then.
            seats[seat].isDoomed = true
            return []
        }
        if lastAnswer(on: number) == nil { failures += 1 }
        return replace(seat, isWanted: isWanted)
    }

    /// Cancels the opening of a connection that is no longer wanted.
    mutating func cancel(_ number: Int) { if let seat = seat(of: number) { seats[seat] = Seat() } }

    /// Removes a closed connection.
    mutating func forget(_ number: Int) { records.removeAll { $0.number == number } }

    private mutating func replace(_ seat: Int, isWanted: Bool) -> [Command] {
        seats[seat] = Seat()
        return isWanted ? [open(seat)] : []
    }

    /// Retires a connection. This does not count as a failure: the caller has waited before.
    ///
    /// - Returns: nothing if the connection was left before.
    mutating func retire(_ number: Int, because reason: String, isWanted: Bool) -> [Command] {
        guard let seat = seat(of: number), seats[seat].isLive else { return [] }
        lastTrouble = reason
        return [.leave(number, reason)] + replace(seat, isWanted: isWanted)
    }

    /// Records that nothing was sent for a while. Additional seats are given up.
    mutating func quiet(_ number: Int) -> [Command] {
        guard seats.count > rules.connections.lowerBound, seats.last?.number == number else { return [] }
        return shrink("nothing to send")
    }

    private mutating func shrink(_ reason: String) -> [Command] {
        let seat = seats.removeLast()
        _ = loads.popLast()
        guard let number = seat.number else { return [] }
        return seat.isLive ? [.leave(number, reason)] : []
    }

    /// The time when the connection last answered anything.
    func lastAnswer(on number: Int) -> Duration? { records.first { $0.number == number }?.lastAnswer }

    // MARK: - Measures

    /// Records answers.
    ///
    /// `sum` is the total of their answer times. `inFlight` is the number of pushes in flight, over all connections.
    mutating func answered(_ number: Int, count: Int, sum: Duration, inFlight: Int, at now: Duration) -> [Command] {
        failures = 0
        for place in records.indices where records[place].number == number { records[place].lastAnswer = now }
        window.count += count
        window.sum += sum
        window.most = max(window.most, inFlight)
        guard now - window.start >= Self.reviewInterval, window.count > 0 else { return [] }
        let average = window.sum / window.count
        let most = window.most
        window = (now, 0, .zero, 0)
        return fill() + review(average: average, most: most, at: now)
    }

    private mutating func review(average: Duration, most: Int, at now: Duration) -> [Command] {
        // The best time of an hour ago may be out of reach today.
        best = min(average, best.map { $0 * 1.01 } ?? average)
        let isSlow = average > max(rules.slowAnswer, (best ?? average) * 2)
        slowReviews = isSlow ? slowReviews + 1 : 0
        if isSlow || most * 2 > (loads.last ?? 0) { busyUntil = now + rules.idleTime }
        if slowReviews >= Self.slowReviewsForGrowth, seats.count < rules.connections.upperBound,
            lastGrowth.map({ now - $0 >= rules.growthPause }) ?? true
        {
            slowReviews = 0
            lastGrowth = now
            busyUntil = now + rules.idleTime
            loads.append(most)
            seats.append(Seat())
            return [open(seats.count - 1)]
        }
        if now >= busyUntil, seats.count > rules.connections.lowerBound {
            busyUntil = now + rules.idleTime
            return shrink("little to send")
        }
        return []
    }
}

/// A hash that maps a device token to its connection: the same in every process, and for tokens in bytes and in digits.
enum TokenHash {
    /// FNV-1a, 64 bits.
    static func of(_ token: DeviceToken) -> UInt64 {
        token.withBytes { bytes in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for place in bytes.indices { hash = (hash ^ UInt64(bytes[place])) &* 0x100_0000_01B3 }
            return hash
        }
    }

    /// `digits` is an even number of hexadecimal digits.
    static func of(digits: ArraySlice<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var place = digits.startIndex
        while place + 1 < digits.endIndex {
            let byte = value(digits[place]) << 4 | value(digits[place + 1])
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            place += 2
        }
        return hash
    }

    private static func value(_ digit: UInt8) -> UInt8 { digit < 58 ? digit &- 48 : (digit | 32) &- 87 }
}
