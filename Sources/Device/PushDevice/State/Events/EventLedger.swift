/// The events that apps have not fully answered, and the callers that wait until the apps have handled all of them.
struct EventLedger: Sendable {
    private var open: [Int: Outstanding] = [:]
    private var last = 0
    /// In order of arrival.
    private var waiters: [(number: Int, resume: @Sendable () -> Void)] = []
    private var lastWaiter = 0

    subscript(_ event: Int) -> Outstanding? { open[event] }

    var all: some Sequence<Outstanding> { open.values }

    /// Returns the events of a process, in the order in which they were sent.
    func of(_ process: Int) -> [(event: Int, waiting: Outstanding)] {
        open.filter { $0.value.process == process }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Adds an event. Returns its number.
    mutating func add(_ event: Outstanding) -> Int {
        last += 1
        open[last] = event
        return last
    }

    /// Records the progress of an event, which ends it once the app has returned from it and answered it.
    mutating func change(_ event: Int, to waiting: Outstanding) {
        open[event] = waiting.isReturned && waiting.isAnswered ? nil : waiting
    }

    mutating func remove(_ event: Int) { open[event] = nil }

    // MARK: Callers that wait

    var isAwaited: Bool { !waiters.isEmpty }

    /// Returns a number for a caller that may begin to wait.
    mutating func nextWaiter() -> Int {
        lastWaiter += 1
        return lastWaiter
    }

    mutating func wait(_ number: Int, _ resume: @escaping @Sendable () -> Void) { waiters.append((number, resume)) }

    mutating func takeWaiters() -> [@Sendable () -> Void] {
        defer { waiters = [] }
        return waiters.map(\.resume)
    }

    mutating func takeWaiter(_ number: Int) -> (@Sendable () -> Void)? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0).resume }
    }
}
