/// Wakes workers. What is to be done lies in the store: a lost wake-up may cost a second, never a push.
package protocol WorkSignal: Sendable {
    /// How long whoever waits may sleep before it looks by itself; nil for a signal that loses no wake-up and knows of all work.
    var lookInterval: Duration? { get }
    /// There is work.
    func raise()
    /// Returns when there was a `raise` since the last return.
    func wait() async
}
