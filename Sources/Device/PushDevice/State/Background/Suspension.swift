/// The suspension state of an app in the background.
struct Suspension: Sendable {
    /// Whether the process is suspended.
    private(set) var isSuspended = false
    /// Whether the app has work that it finishes in the background.
    var isAskedToWait = false
    /// Whether the alarm for suspending it is set.
    var isPlanned = false

    /// Suspends the process, as planned.
    mutating func begin() {
        isSuspended = true
        isPlanned = false
    }

    /// Forgets the plan. Returns whether there was one.
    mutating func takePlan() -> Bool {
        defer { isPlanned = false }
        return isPlanned
    }

    /// Resumes the process. Returns whether it was suspended.
    mutating func end() -> Bool {
        defer { isSuspended = false }
        return isSuspended
    }
}
