import DeviceLink
import Foundation
import PushClock
import PushModel
import SystemPort

/// One process of the app: a port that is dead when the engine has another, or none.
final class MemoryPort: SystemPort {
    let slots = PortSlots()
    private let engine: MemoryEngine

    init(engine: MemoryEngine) { self.engine = engine }

    var clock: any CivilClock { engine.clock }

    var facts: AppFacts { facts(badge: engine.state.withLock(\.badge)) }

    private func facts(badge: Int) -> AppFacts {
        var facts = AppFacts(
            bundleID: "com.example.memory",
            environment: .development,
            info: [:],
            deviceName: "Memory",
            systemVersion: "17.0",
            vendorID: "6F1C9C0E-3B0B-4E58-9A0A-0D8C2E1B7A11"
        )
        facts.iconBadge = badge
        return facts
    }

    func call(_ call: SystemCall, completion: @escaping @Sendable (SystemReply) -> Void) {
        completion(answer(call, changes: true))
    }

    func read(_ call: SystemCall) -> SystemReply { answer(call, changes: false) }

    private func answer(_ call: SystemCall, changes: Bool) -> SystemReply {
        guard engine.isRunning(self) else { return .terminated }
        let date = engine.clock.date
        return engine.state.withLock { state in
            state.answer(call, at: date, facts: facts(badge: state.badge), changes: changes)
        }
    }

    func openLink(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        handler(.closed("this engine has no network"))
        return ClosedLink()
    }

    func randomNumber() -> UInt64 { .random(in: .min ... .max) }
}

/// A link that was never open.
private final class ClosedLink: LinkConnection {
    func send(_ text: String) {}
    func close() {}
}
