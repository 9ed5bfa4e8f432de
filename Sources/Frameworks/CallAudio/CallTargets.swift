import Synchronization
package import SystemPort

/// The providers of CallKit and the managers of LiveCommunicationKit of one process, which are numbered together, and the handlers of
/// their events.
package final class CallTargets: PortSlot, Sendable {
    package typealias Handler =
        @MainActor @Sendable (CallKitEvent, _ reply: @escaping EventReplyHandler) async -> Void

    private struct State {
        var numbers: [Int: CallFramework] = [:]
        var handlers: [CallFramework: Handler] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns those of a process, whose events are handled from now on.
    package static func of(_ port: any SystemPort) -> CallTargets {
        let targets = port.slots.slot { CallTargets() }
        EventHandlers.of(port).set(.callKit) { [weak port] event, reply in
            guard let port, case .callKit(let event) = event.kind else { return reply(.notImplemented) }
            await targets.handle(event, of: port, reply)
        }
        return targets
    }

    /// Returns the number of a new provider or manager.
    package func add(to framework: CallFramework) -> Int {
        state.withLock { state in
            let number = state.numbers.count + 1
            state.numbers[number] = framework
            return number
        }
    }

    /// Sets what handles the events of a framework's providers, and all changes of calls.
    package func set(_ framework: CallFramework, _ handler: @escaping Handler) {
        state.withLock { $0.handlers[framework] = handler }
    }

    @MainActor
    private func handle(
        _ event: CallKitEvent,
        of port: any SystemPort,
        _ reply: @escaping EventReplyHandler
    ) async {
        if case .interrupted(let begins) = event { return AVAudioSession.of(port).interrupt(begins) }
        let handlers = state.withLock { state in
            guard let provider = event.provider else {
                return [.callKit, .liveCommunicationKit].compactMap { state.handlers[$0] }
            }
            return [state.numbers[provider].flatMap { state.handlers[$0] }].compactMap(\.self)
        }
        for handler in handlers { await handler(event, reply) }
    }
}

extension CallKitEvent {
    /// The number of the provider or manager that it is for; nil for an event that is for all.
    fileprivate var provider: Int? {
        switch self {
        case .began(let provider), .reset(let provider), .perform(_, let provider), .timedOut(_, let provider),
            .audio(_, let provider):
            provider
        case .changed, .interrupted: nil
        }
    }
}
