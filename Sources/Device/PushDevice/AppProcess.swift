import DeviceLink
import PushClock
import Synchronization
import SystemPort

/// One process of an app: its port to the device.
final class AppProcess: SystemPort {
    private struct State {
        var facts: AppFacts
        /// Links that are open or opening.
        var links: [Int: (any LinkConnection)?] = [:]
        var lastLink = 0
        var isDead = false
    }

    let id: Int
    let clock: any CivilClock
    let slots = PortSlots()
    private weak let device: Device?
    private let state: Mutex<State>

    init(id: Int, facts: AppFacts, device: Device) {
        self.id = id
        clock = device.clock
        self.device = device
        state = Mutex(State(facts: facts))
        CurrentPort.enter(self)
    }

    var facts: AppFacts { state.withLock(\.facts) }

    func set(_ facts: AppFacts) { state.withLock { $0.facts = facts } }

    func call(_ call: SystemCall, completion: @escaping SystemReplyHandler) {
        guard let device else { return completion(.terminated) }
        device.handle(call, from: id, completion)
    }

    func read(_ call: SystemCall) -> SystemReply {
        device?.read { [id] in $0.answer(to: call, from: id) ?? .done } ?? .terminated
    }

    func declareActivityType(_ name: String, examine: @escaping @Sendable (LiveActivityValues) -> String?) {
        device?.keepExaminer(of: name, in: facts.bundleID, examine)
        call(.liveActivity(.declare(type: name)))
    }

    func randomNumber() -> UInt64 { device?.randomNumber() ?? 0 }

    func openLink(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        guard let device else { return NoLink() }
        let number = state.withLock { state -> Int? in
            guard !state.isDead else { return nil }
            state.lastLink += 1
            state.links[state.lastLink] = .some(nil)
            return state.lastLink
        }
        guard let number else { return NoLink() }
        let link = device.dialer.open(url) { [weak self] event in
            // A terminated process receives nothing.
            guard let self, !self.state.withLock(\.isDead) else { return }
            if case .closed = event { self.state.withLock { $0.links[number] = nil } }
            handler(event)
        }
        let isDead = state.withLock { state in
            // It may have ended before it was stored.
            if state.links[number] != nil { state.links[number] = link }
            return state.isDead
        }
        if isDead { link.close() }
        return link
    }

    /// The number of links that have not ended.
    var linkCount: Int { state.withLock(\.links.count) }

    func die() {
        CurrentPort.leave(self)
        let links = state.withLock { state in
            state.isDead = true
            defer { state.links = [:] }
            return state.links.values.compactMap(\.self)
        }
        for link in links { link.close() }
        slots.removeAll()
    }
}
