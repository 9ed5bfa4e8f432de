/// The suspension state of an app in the background.
struct Suspension: Sendable {
    /// Whether the process is suspended.
    var isSuspended = false
    /// Whether the alarm for suspending it is set.
    var isPlanned = false
    /// Whether the app has work that it finishes in the background.
    var isAskedToWait = false
}
