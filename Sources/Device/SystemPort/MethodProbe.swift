import Synchronization

/// Determines whether an app implements an optional method of a delegate protocol.
///
/// The default implementations call ``miss()``: if a call reaches a default, the app has no method of its own.
package final class MethodProbe: Sendable {
    @TaskLocal private static var current: MethodProbe?

    private let missed = Mutex(false)

    private init() {}

    /// Records, in a default implementation, that the app has no such method.
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
