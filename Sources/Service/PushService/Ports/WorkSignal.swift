/// Wakes the workers. A lost wake-up may cost a second, never a push: what is to be done lies in the store.
package protocol WorkSignal: Sendable {
    /// There is work.
    func raise()
    /// Returns when there was a `raise` since the last return.
    func wait() async
}
