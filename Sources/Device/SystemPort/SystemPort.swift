public import DeviceLink
public import PushClock

/// A running app's interface to its operating system.
///
/// A port belongs to one process of one app on one device: when the app ends, its port is dead, and a new launch gets a
/// new one. Only values pass through it, so a port may lead into this process or over a socket. All members may be used
/// from any thread.
public protocol SystemPort: AnyObject, Sendable {
    /// The device's clock. Frameworks read no other.
    var clock: any CivilClock { get }
    /// The facts that the app can read without waiting. A port over a socket keeps a copy.
    var facts: AppFacts { get }
    /// The frameworks' storage for this process of the app.
    var slots: PortSlots { get }

    /// Sends a call to the system. `completion` is called exactly once, on any thread, possibly before `call` returns.
    func call(_ call: SystemCall, completion: @escaping @Sendable (SystemReply) -> Void)

    /// Returns the answer to a call that only reads, for synchronous interfaces: settings, categories, pending and
    /// delivered notifications. It reflects all calls that returned before.
    func read(_ call: SystemCall) -> SystemReply

    /// Tells the device that the app has a type of Live Activities.
    ///
    /// - Parameters:
    ///   - name: the name of the `ActivityAttributes` type.
    ///   - examine: returns why values from a push do not fit the type, in words; nil if they do. It depends on nothing but the
    ///     values, and may be called on any thread, also after the process has ended.
    func declareActivityType(_ name: String, examine: @escaping @Sendable (LiveActivityValues) -> String?)

    /// Opens a link of the app's own over the device's network.
    func openLink(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection

    /// Returns a number from the device's source of randomness.
    func randomNumber() -> UInt64
}

extension SystemPort {
    // Over a socket the values come as an event.
    public func declareActivityType(_ name: String, examine: @escaping @Sendable (LiveActivityValues) -> String?) {
        call(.liveActivity(.declare(type: name))) { _ in }
    }
}

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
