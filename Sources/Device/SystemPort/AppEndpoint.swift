import DeviceLink
import PushClock
import Synchronization

/// The app's end of the port: handles the system's events one at a time.
public protocol AppEndpoint: AnyObject, Sendable {
    /// Handles an event. Events run in the order of the calls, each before the next; handlers that the app keeps for
    /// later do not delay others.
    ///
    /// `reply` is called once with ``EventReply/returned`` for each event, and in addition with the app's answers.
    func deliver(_ event: SystemEvent, reply: @escaping @Sendable (EventReply) -> Void)

    /// Ends the process: no code of the app runs from now on.
    func terminate()

    /// Receives changed facts that the app can read without waiting.
    func factsChanged(_ facts: AppFacts)

    /// Whether the app runs in a process of its own, which can be suspended and may end by itself.
    var isOwnProcess: Bool { get }
    /// Suspends the process until ``resume()``.
    func suspend()
    /// Ends the suspension; does nothing without one.
    func resume()
    /// Calls `ended` once if the process ends without ``terminate()``, on any thread; at once if it has ended.
    func whenEnded(_ ended: @escaping @Sendable (ProcessEnd) -> Void)
}

// An app that shares the device's process runs as long as that process.
extension AppEndpoint {
    public func factsChanged(_ facts: AppFacts) {}
    public var isOwnProcess: Bool { false }
    public func suspend() {}
    public func resume() {}
    public func whenEnded(_ ended: @escaping @Sendable (ProcessEnd) -> Void) {}
}
