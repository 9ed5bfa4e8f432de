package import DeviceLink
import Foundation
package import PushClock
import PushModel
import Synchronization
package import SystemPort

/// The port of a program on the Linux desktop: its notifications are the desktop's.
///
/// If the user service is there, or the bus can start it, calls go to it. Otherwise this process shows the notifications itself, as long
/// as it lives; its requests stay in their file, and are shown late if they were due in between.
package final class DesktopPort: SystemPort {
    /// The port of this process.
    package static let ofThisProcess = DesktopPort(DesktopEnvironment())

    private enum Way: Sendable {
        case service(BusConnection)
        case alone(DesktopCenter, BusConnection)
        case unavailable(BusProblem)
    }

    package let clock: any CivilClock = SystemClock()
    package let slots = PortSlots()
    package let facts: AppFacts
    private let environment: DesktopEnvironment
    private let program = DesktopIdentity.program
    private let way = Mutex<Way?>(nil)
    private let connecting = Mutex(())
    private let host = Mutex<(any AppEndpoint)?>(nil)

    /// The name of the process on the bus, where there is no bus between it and its notifications.
    private static let own = "this process"

    package init(_ environment: DesktopEnvironment) {
        self.environment = environment
        let bundleID = DesktopIdentity.bundleID(
            in: environment,
            bundleID: Bundle.main.bundleIdentifier,
            program: program,
            process: getpid()
        )
        var facts = AppFacts(
            bundleID: bundleID,
            environment: .production,
            info: [:],
            deviceName: ProcessInfo.processInfo.hostName,
            systemVersion: "17.0",
            vendorID: "00000000-0000-0000-0000-000000000000"
        )
        facts.timeZone = TimeZone.current.identifier
        facts.language = Locale.preferredLanguages.first ?? facts.language
        self.facts = facts
    }

    /// Whether events are passed to somebody.
    package var isServed: Bool { host.withLock { $0 != nil } }

    /// Passes events to `host` from now on; those that wait come first.
    package func serve(_ host: any AppEndpoint) {
        self.host.withLock { $0 = host }
        switch connected() {
        case .service(let bus): attach(over: bus)
        case .alone(let center, _): center.attach(Self.own, to: facts.bundleID, program: program)
        case .unavailable(let problem): DesktopCenter.log("\(problem)")
        }
    }

    /// Leaves the bus: later calls fail.
    package func close() {
        let old = way.withLock { way in
            defer { way = Way.unavailable(BusProblem("The port to the desktop is closed.")) }
            return way
        }
        switch old {
        case .service(let bus): bus.close()
        case .alone(let center, let bus):
            bus.close()
            center.stop()
        case nil, .unavailable: break
        }
    }

    package func call(_ call: SystemCall, completion: @escaping SystemReplyHandler) {
        if case .registerForRemoteNotifications = call {
            let error = Unavailable.error(for: "registerForRemoteNotifications")
            deliver(SystemEvent(.didFailToRegisterForRemoteNotifications(error), state: .active))
            return completion(.done)
        }
        guard case .service(let bus) = connected(), let order = order(call) else { return completion(read(call)) }
        bus.call(order) { completion(Self.reply($0)) }
    }

    package func read(_ call: SystemCall) -> SystemReply {
        if case .facts = call { return .facts(facts) }
        switch connected() {
        case .service(let bus):
            guard let order = order(call) else { return .terminated }
            return Self.reply(Result { () throws(BusProblem) in try bus.ask(order) })
        case .alone(let center, _): return center.answer(call, of: facts.bundleID)
        case .unavailable(let problem): return .failed(Self.error(problem))
        }
    }

    package func openLink(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        handler(.closed("the Linux desktop opens no links"))
        return NoLink()
    }

    package func randomNumber() -> UInt64 { .random(in: .min ... .max) }

    // MARK: The bus

    private func connected() -> Way {
        if let way = way.withLock(\.self) { return way }
        // One thread connects, without the lock that the connection's own thread takes for its events.
        return connecting.withLock { _ in
            if let way = way.withLock(\.self) { return way }
            let new = connect()
            way.withLock { $0 = new }
            return new
        }
    }

    private func connect() -> Way {
        do throws(BusProblem) {
            let holder = Holder()
            let bus = try BusConnection(environment.busAddress, matches: DesktopCenter.matches) { [weak self] event in
                self?.receive(event, holder)
                return nil
            }
            if try Self.findService(on: bus) { return .service(bus) }
            let center = DesktopCenter(environment) { [weak self] event, _, _, _ in self?.deliver(event) }
            do throws(BusProblem) { try center.load(facts.bundleID, program: program) } catch {
                bus.close()
                throw error
            }
            holder.center.withLock { $0 = center }
            center.start(bus)
            center.ring()
            return .alone(center, bus)
        } catch {
            return .unavailable(error)
        }
    }

    /// - Returns: whether the user service runs by now.
    private static func findService(on bus: BusConnection) throws(BusProblem) -> Bool {
        let name = BusValue.string(DesktopService.busName)
        // Two questions: the bus starts no service that it has no file for, not even one that runs.
        for question in [BusMessage.bus("GetNameOwner", [name]), .bus("StartServiceByName", [name, .uint32(0)])] {
            do throws(BusProblem) {
                _ = try bus.ask(question)
                return true
            } catch {
                if !error.isReceiverMissing { throw error }
            }
        }
        return false
    }

    /// Holds the center of a process that shows its notifications itself, for the handler that is made before it.
    private final class Holder: Sendable {
        let center = Mutex<DesktopCenter?>(nil)
    }

    private func receive(_ event: BusEvent, _ holder: Holder) {
        let center = holder.center.withLock(\.self)
        switch event {
        case .alarm: center?.ring()
        case .lost: DesktopCenter.log("The connection to the session bus has ended.")
        case .call: break
        case .signal(let signal):
            if let center { return center.receive(signal) }
            if signal.interface == DesktopService.busName, signal.member == "Event", signal.text(0) == facts.bundleID {
                if let event: SystemEvent = signal.text(1).flatMap({ PortJSON.value($0) }) { deliver(event) }
            } else if signal.member == "NameOwnerChanged", signal.text(0) == DesktopService.busName {
                serviceChanged(to: signal.text(2) ?? "")
            }
        }
    }

    /// A new service does not know this process yet.
    private func serviceChanged(to owner: String) {
        guard !owner.isEmpty, host.withLock({ $0 != nil }), case .service(let bus) = way.withLock(\.self) else {
            return
        }
        attach(over: bus)
    }

    private func attach(over bus: BusConnection) {
        bus.call(call("Attach", [.string(facts.bundleID), .string(program)])) { answer in
            if case .failure(let problem) = answer { DesktopCenter.log("\(problem)") }
        }
    }

    private func order(_ call: SystemCall) -> BusMessage? {
        PortJSON.text(call).map { self.call("Call", [.string(facts.bundleID), .string(program), .string($0)]) }
    }

    private func call(_ method: String, _ arguments: [BusValue]) -> BusMessage {
        let name = DesktopService.busName
        return BusMessage(method, of: name, at: DesktopService.path, to: name, arguments)
    }

    private static func reply(_ answer: BusAnswer) -> SystemReply {
        switch answer {
        case .success(let values):
            values.first?.text.flatMap { PortJSON.value($0) }
                ?? .failed(error(BusProblem("The user service's answer is none of this version's port: update both.")))
        case .failure(let problem): .failed(error(problem))
        }
    }

    private func deliver(_ event: SystemEvent) { host.withLock(\.self)?.deliver(event) { _ in } }

    /// `NSXPCConnectionInvalid` of Foundation, as when a system service cannot be reached.
    private static func error(_ problem: BusProblem) -> SystemError {
        SystemError(domain: "NSCocoaErrorDomain", code: 4099, text: problem.description)
    }
}
