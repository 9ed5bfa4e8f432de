public import DeviceLink
public import PushClock

/// One running app's way to its operating system.
///
/// A port belongs to one process of one app on one device: when the app ends, its port is dead, and a new launch has a
/// new one. What passes is values only, so a port may lead into this process or over a socket. All members may be used
/// from any thread.
public protocol SystemPort: AnyObject, Sendable {
    /// The device's clock. Frameworks read no other.
    var clock: any CivilClock { get }
    /// What the app can know without waiting. A port over a socket keeps a copy.
    var facts: AppFacts { get }
    /// Where frameworks keep what belongs to this process of the app.
    var slots: PortSlots { get }

    /// Asks the system for something. `completion` is called exactly once, on any thread, maybe before `call` returns.
    func call(_ call: SystemCall, completion: @escaping @Sendable (SystemReply) -> Void)

    /// The answer to a call that only reads, for interfaces whose callers do not wait: settings, categories, what waits and
    /// what was delivered. It knows of all calls that returned before.
    func read(_ call: SystemCall) -> SystemReply

    /// Opens a link of the app's own over the device's network.
    func openLink(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection

    /// A number from the device's source of chance.
    func randomNumber() -> UInt64
}

/// The app's end: takes the events of the system one after the other.
public protocol AppEndpoint: AnyObject, Sendable {
    /// Takes an event. Events run in the order of the calls, each before the next; handlers that the app keeps for later
    /// hold nothing up.
    ///
    /// `reply` is called once with ``EventReply/returned`` for each event, and besides with what the app answers.
    func deliver(_ event: SystemEvent, reply: @escaping @Sendable (EventReply) -> Void)

    /// The process is dead: nothing of the app runs from now on.
    func terminate()

    /// What the app can know without waiting has changed.
    func factsChanged(_ facts: AppFacts)

    /// Whether the app runs in a process of its own, which can be stopped and may end by itself.
    var isOwnProcess: Bool { get }
    /// The process stands still until ``resume()``.
    func suspend()
    func resume()
    /// `ended` is called once if the process ends without ``terminate()``, on any thread; at once if it has.
    func whenEnded(_ ended: @escaping @Sendable (ProcessEnd) -> Void)
}

// An app that shares the device's process runs as long as that.
extension AppEndpoint {
    public func factsChanged(_ facts: AppFacts) {}
    public var isOwnProcess: Bool { false }
    public func suspend() {}
    public func resume() {}
    public func whenEnded(_ ended: @escaping @Sendable (ProcessEnd) -> Void) {}
}
