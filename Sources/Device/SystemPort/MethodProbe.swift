import Synchronization

/// Finds out whether an app implements an optional method of a delegate protocol.
///
/// The defaults of such methods call ``miss()``: where a call came to a default, the app has no method of its own.
package final class MethodProbe: Sendable {
    @TaskLocal private static var current: MethodProbe?

    private let missed = Mutex(false)

    private init() {}

    /// Says, in a default implementation, that nobody was called.
    package static func miss() { current?.missed.withLock { $0 = true } }

    /// Calls a method.
    ///
    /// - Returns: whether the app implements it.
    package static func reaches(_ call: () -> Void) -> Bool {
        let probe = MethodProbe()
        $current.withValue(probe, operation: call)
        return !probe.missed.withLock { $0 }
    }
}
