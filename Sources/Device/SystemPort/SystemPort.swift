public import DeviceLink
public import PushClock
import Synchronization

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
        call(.liveActivity(.declare(type: name)))
    }

    /// Sends a call to the system whose reply does not matter.
    package func call(_ call: SystemCall) { self.call(call) { _ in } }
}

/// The frameworks' storage for one process of an app: one object per type, created on first use.
///
/// It replaces an app's global variables, so that several apps can share a Linux process.
public final class PortSlots: Sendable {
    private let objects = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// Creates storage without objects.
    public init() {}

    /// - Parameter make: creates the object; must not ask for another slot.
    /// - Returns: the only object of its type.
    package func slot<Slot: AnyObject & Sendable>(_ make: () -> Slot) -> Slot {
        objects.withLock { objects in
            if let slot = objects[ObjectIdentifier(Slot.self)] as? Slot { return slot }
            let slot = make()
            objects[ObjectIdentifier(Slot.self)] = slot
            return slot
        }
    }

    /// Returns the object of this type; nil before it was made.
    package func known<Slot: AnyObject>(_ type: Slot.Type) -> Slot? {
        objects.withLock { $0[ObjectIdentifier(type)] as? Slot }
    }

    /// Removes all objects.
    public func removeAll() {
        let old = objects.withLock { objects in
            let old = objects
            objects = [:]
            return old
        }
        withExtendedLifetime(old) {}
    }
}

/// The way in which a process of an app ended by itself.
public enum ProcessEnd: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The process ended by itself, with this status.
    case exited(status: Int32)
    /// A signal ended the process.
    case killed(signal: Int32)
    /// It could not be started, or did not follow the app protocol; the text is human-readable.
    case failed(String)

    public var description: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .killed(let signal): "killed by signal \(signal)" + (Self.signals[signal].map { " (\($0))" } ?? "")
        case .failed(let reason): reason
        }
    }

    /// The names of Linux's signal numbers.
    private static let signals: [Int32: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
        9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU", 31: "SIGSYS",
    ]
}
