/// The operations that the service has yet to answer, oldest first, with the callers that wait for them.
struct RequestQueue: Hashable, Sendable, Codable {
    struct Queued: Hashable, Sendable, Codable {
        var number: Int
        var operation: DeviceOperation
    }

    /// The number of operations that are kept for a service that cannot be reached; the oldest beyond it are dropped.
    static let most = 100
    /// The numbers that one write reserves.
    private static let share = 100

    private(set) var queue: [Queued] = []
    /// The number of the last operation.
    private var lastNumber = 0
    /// The number that is stored as the last one. Others up to it are given without a write.
    private(set) var reserved = 0
    /// The operations that are stored; nil if that is unknown.
    private var written: [Queued]? = []
    /// By the number of the operation.
    private var callers: [Int: [Int]] = [:]
    /// The operations that end with their callers.
    private var awaited: Set<Int> = []
    /// The callers whose time begins when their operation is sent, and anew when it is sent after a pause.
    private var patient: Set<Int> = []
    /// The ones among them whose time has begun.
    private var begun: Set<Int> = []
    /// The operations of this process that were never sent.
    private var unsent: Set<Int> = []

    private enum CodingKeys: CodingKey {
        case queue
        case lastNumber
    }

    /// The operations that do not end with their callers.
    var kept: [Queued] { awaited.isEmpty ? queue : queue.filter { !awaited.contains($0.number) } }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        queue = (try? values.given(.queue)) ?? []
        lastNumber = try values.given(.lastNumber) ?? 0
        reserved = lastNumber
        written = queue
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kept, forKey: .queue)
        try values.encode(reserved, forKey: .lastNumber)
    }

    /// Whether the stored form has to change; if so, it counts as stored.
    mutating func isToBeWritten() -> Bool {
        let kept = kept
        if lastNumber <= reserved, kept == written { return false }
        if lastNumber > reserved { reserved = lastNumber + Self.share }
        written = kept
        return true
    }

    /// The stored form is unknown, and has to be written.
    mutating func isNotWritten() { written = nil }

    /// Adds an operation. It supersedes waiting ones whose value it sets, and their callers wait for it.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - keeping: how long it is kept; one that supersedes a kept one is kept.
    ///   - caller: waits for the answer; nil if nobody does.
    ///   - isPatient: whether the caller's time begins when the operation is sent.
    ///   - underWay: the number of the operation that is being sent, which stays.
    /// - Returns: the callers of an operation that has been dropped, because too many wait.
    mutating func add(
        _ operation: DeviceOperation,
        keeping: Keeping = .untilAnswered,
        caller: Int?,
        isPatient: Bool = false,
        underWay: Int?
    ) -> [Int] {
        lastNumber += 1
        var waiting = [caller].compactMap { $0 }
        var isKept = keeping == .untilAnswered
        if let value = operation.wholeValue {
            for old in queue where old.number != underWay && old.operation.isSuperseded(by: value) {
                isKept = isKept || !awaited.contains(old.number)
                waiting = remove(old.number) + waiting
            }
        }
        queue.append(Queued(number: lastNumber, operation: operation))
        if !isKept { awaited.insert(lastNumber) }
        unsent.insert(lastNumber)
        if isPatient { patient.formUnion(waiting.suffix(1)) }
        if !waiting.isEmpty { callers[lastNumber] = waiting }
        guard queue.count > Self.most, let oldest = queue.first(where: { $0.number != underWay }) else { return [] }
        return remove(oldest.number)
    }

    /// Removes an operation, and returns the callers that have waited for its answer.
    mutating func remove(_ number: Int) -> [Int] {
        queue.removeAll { $0.number == number }
        awaited.remove(number)
        unsent.remove(number)
        return callers.removeValue(forKey: number) ?? []
    }

    /// Removes all operations, and returns their callers.
    mutating func removeAll() -> [Int] { queue.flatMap { remove($0.number) } }

    /// Removes the questions of an earlier process, for whose answers nobody waits.
    mutating func removeOldQuestions() { queue.removeAll { $0.operation.isQuestion && callers[$0.number] == nil } }

    func holds(_ number: Int) -> Bool { queue.contains { $0.number == number } }

    /// Whether the operation ends with its callers.
    func isAwaited(_ number: Int) -> Bool { awaited.contains(number) }

    /// Whether the operation ends with callers who wait now.
    func endsWithCaller(_ number: Int) -> Bool { awaited.contains(number) && callers[number]?.isEmpty == false }

    /// The operation is sent. Returns the callers whose time begins.
    mutating func begin(_ number: Int) -> [Int] {
        unsent.remove(number)
        return (callers[number] ?? []).filter { patient.contains($0) && begun.insert($0).inserted }
    }

    /// Gives operations that were never sent numbers above the last one that the service has carried out: an earlier process may have ended
    /// before it stored its last numbers, and the service takes none again.
    ///
    /// - Returns: whether numbers have changed.
    mutating func continueAbove(_ number: Int) -> Bool {
        lastNumber = max(lastNumber, number)
        guard unsent.contains(where: { $0 <= number }) else { return false }
        for place in queue.indices where unsent.contains(queue[place].number) {
            let old = queue[place].number
            lastNumber += 1
            queue[place].number = lastNumber
            unsent.remove(old)
            unsent.insert(lastNumber)
            callers[lastNumber] = callers.removeValue(forKey: old)
            if awaited.remove(old) != nil { awaited.insert(lastNumber) }
        }
        return true
    }

    /// The operation has to wait for a pause of the service's. Returns the callers whose time ends.
    mutating func pause(_ number: Int) -> [Int] { (callers[number] ?? []).filter { begun.remove($0) != nil } }

    /// The caller waits no longer.
    ///
    /// - Returns: whether its operation stays.
    mutating func giveUp(_ caller: Int) -> Bool {
        guard let number = callers.first(where: { $0.value.contains(caller) })?.key else { return true }
        callers[number]?.removeAll { $0 == caller }
        guard awaited.contains(number), callers[number]?.isEmpty == true else { return true }
        _ = remove(number)
        return false
    }
}

extension DeviceOperation {
    /// Whether it need not be sent if this value is set as a whole after it. Between changes of tags the order counts: a later set
    /// makes all of them superfluous.
    fileprivate func isSuperseded(by value: String) -> Bool { wholeValue == value || value == "tags" && isAboutTags }
}
