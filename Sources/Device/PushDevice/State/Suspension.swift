/// Whether an app in the background may run on.
struct Suspension: Sendable {
    /// The process stands still.
    var isSuspended = false
    /// The alarm for it is set.
    var isPlanned = false
    /// The app has work that it finishes in the background.
    var isAskedToWait = false
}
