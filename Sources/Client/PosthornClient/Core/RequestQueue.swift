/// The operations that the service has yet to answer, oldest first, with the callers that wait for them.
struct RequestQueue: Hashable, Sendable, Codable {
    struct Queued: Hashable, Sendable, Codable {
        var number: Int
        var operation: DeviceOperation
    }

    /// The number of operations that are kept for a service that cannot be reached; the oldest beyond it are dropped.
    static let most = 100

    private(set) var queue: [Queued] = []
    /// The number of the last operation.
    private var lastNumber = 0
    /// By the number of the operation.
    private var callers: [Int: [Int]] = [:]

    private enum CodingKeys: CodingKey {
        case queue
        case lastNumber
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        queue = (try? values.given(.queue)) ?? []
        lastNumber = try values.given(.lastNumber) ?? 0
    }

    /// Adds an operation. It supersedes waiting ones whose value it sets, and their callers wait for it.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - caller: waits for the answer; nil if nobody does.
    ///   - underWay: the number of the operation that is being sent, which stays.
    /// - Returns: the callers of an operation that has been dropped, because too many wait.
    mutating func add(_ operation: DeviceOperation, caller: Int?, underWay: Int?) -> [Int] {
        lastNumber += 1
        var waiting = [caller].compactMap { $0 }
        if let value = operation.wholeValue {
            for old in queue where old.number != underWay && old.operation.isSuperseded(by: value) {
                waiting = remove(old.number) + waiting
            }
        }
        queue.append(Queued(number: lastNumber, operation: operation))
        if !waiting.isEmpty { callers[lastNumber] = waiting }
        guard queue.count > Self.most, let oldest = queue.first(where: { $0.number != underWay }) else { return [] }
        return remove(oldest.number)
    }

    /// Removes an operation, and returns the callers that have waited for its answer.
    mutating func remove(_ number: Int) -> [Int] {
        queue.removeAll { $0.number == number }
        return callers.removeValue(forKey: number) ?? []
    }

    /// Removes all operations, and returns their callers.
    mutating func removeAll() -> [Int] { queue.flatMap { remove($0.number) } }

    /// Removes the questions of an earlier process, for whose answers nobody waits.
    mutating func removeOldQuestions() { queue.removeAll { $0.operation.isQuestion && callers[$0.number] == nil } }

    /// The caller waits no longer; its operation stays.
    mutating func giveUp(_ caller: Int) { callers = callers.mapValues { $0.filter { $0 != caller } } }
}

extension DeviceOperation {
    /// Whether it need not be sent if this value is set as a whole after it. Between changes of tags the order counts: a later set
    /// makes all of them superfluous.
    fileprivate func isSuperseded(by value: String) -> Bool { wholeValue == value || value == "tags" && isAboutTags }
}
