/// The bookkeeping of the next deadline: at most one timer task waits at a time.
struct DeadlineTimer {
    var task: Task<Void, Never>?
    private var wakes: Duration?
    private var number = 0

    /// - Returns: the number of a new timer, if the current one fires too late.
    mutating func needs(_ moment: Duration) -> Int? {
        if let wakes, wakes <= moment { return nil }
        task?.cancel()
        wakes = moment
        number += 1
        return number
    }

    /// - Returns: whether this is still the current timer.
    mutating func arrive(_ number: Int) -> Bool {
        guard number == self.number, wakes != nil else { return false }
        wakes = nil
        task = nil
        return true
    }

    mutating func stop() {
        guard wakes != nil else { return }
        wakes = nil
        task?.cancel()
        task = nil
    }
}
