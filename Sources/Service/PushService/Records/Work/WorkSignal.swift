/// Wakes workers. The work itself is in the store: a lost wake-up may cost a second, never a push.
package protocol WorkSignal: Sendable {
    /// The maximum time between a waiting worker's own checks; nil for a signal that loses no wake-up and knows of all work.
    var lookInterval: Duration? { get }
    /// Signals that there is work.
    func raise()
    /// Returns when there was a `raise` since the last return.
    func wait() async
}
