import Foundation
import PushModel
import Synchronization
import SystemPort
import UserNotifications

/// Calls from the system to the delegates of push registries.
@MainActor
struct PushRegistryCalls {
    private static let name = "pushRegistry(_:didReceiveIncomingPushWith:for:"

    private let port: any SystemPort
    private let reply: @Sendable (EventReply) -> Void

    /// Handles the events of a process from now on.
    nonisolated static func handleEvents(of port: any SystemPort) {
        EventHandlers.of(port).set(.pushKit) { [weak port] event, reply in
            guard let port, case .pushKit(let event) = event.kind else { return reply(.notImplemented) }
            await PushRegistryCalls(port: port, reply: reply).deliver(event)
        }
    }

    private func deliver(_ event: PushKitEvent) async {
        let slot = RegistrySlot.of(port)
        switch event {
        case .updated(let type, let token):
            let credentials = PKPushCredentials(type: PKPushType(type), token: Data(token.bytes))
            for registry in slot.registries(for: type) { await update(registry, credentials) }
        case .invalidated(let type):
            for registry in slot.pastRegistries(for: type) { await invalidate(registry, PKPushType(type)) }
        case .push(let type, let payload):
            guard let registry = slot.registries(for: type).first(where: { $0.delegate != nil }) else {
                return reply(.notImplemented)
            }
            let type = PKPushType(type)
            await push(PKPushPayload(type: type, dictionaryPayload: payload.foundation), to: registry)
        }
    }

    private func update(_ registry: PKPushRegistry, _ credentials: PKPushCredentials) async {
        guard let delegate = registry.delegate else { return }
        await registry.queue.run { [reply] in
            reply(.ran("pushRegistry(_:didUpdate:for:)"))
            delegate.pushRegistry(registry, didUpdate: credentials, for: credentials.type)
        }
    }

    private func invalidate(_ registry: PKPushRegistry, _ type: PKPushType) async {
        guard let delegate = registry.delegate else { return }
        await registry.queue.run { [reply] in
            let isImplemented = MethodProbe.reaches { delegate.pushRegistry(registry, didInvalidatePushTokenFor: type) }
            if isImplemented { reply(.ran("pushRegistry(_:didInvalidatePushTokenFor:)")) }
        }
    }

    // MARK: Pushes

    private func push(_ payload: PKPushPayload, to registry: PKPushRegistry) async {
        guard let delegate = registry.delegate else { return reply(.notImplemented) }
        let version = port.facts.systemMajor
        // The form with a completion handler appeared in iOS 11.
        if version >= 11, await pushWithCompletion(payload, to: delegate, of: registry) { return }
        pushWithoutCompletion(payload, to: delegate, of: registry)
    }

    private func pushWithCompletion(
        _ payload: PKPushPayload,
        to delegate: any PKPushRegistryDelegate,
        of registry: PKPushRegistry
    ) async -> Bool {
        let gate = AnswerGate<Void> { [reply] in reply(.responded) }
        let reached = Flag()
        await registry.queue.run { [reply] in
            let isImplemented = MethodProbe.reaches {
                delegate.pushRegistry(registry, didReceiveIncomingPushWith: payload, for: payload.type) {
                    gate.answer(())
                }
            }
            guard isImplemented else { return }
            reached.set()
            reply(.ran(Self.name + "completion:)"))
        }
        gate.decide(open: reached.isSet)
        return reached.isSet
    }

    private func pushWithoutCompletion(
        _ payload: PKPushPayload,
        to delegate: any PKPushRegistryDelegate,
        of registry: PKPushRegistry
    ) {
        let gate = AnswerGate<Void> { [reply] in reply(.responded) }
        let call = Call(delegate: delegate, registry: registry, payload: payload)
        let isImplemented = MethodProbe.reaches {
            MethodProbe.start {
                await call.run()
                gate.answer(())
            }
        }
        reply(isImplemented ? .ran(Self.name + ")") : .notImplemented)
        gate.decide(open: isImplemented)
    }

    /// `@unchecked Sendable`: Apple's signatures take delegates that need not be Sendable and say where they are called.
    private struct Call: @unchecked Sendable {
        let delegate: any PKPushRegistryDelegate
        let registry: PKPushRegistry
        let payload: PKPushPayload

        func run() async {
            await delegate.pushRegistry(registry, didReceiveIncomingPushWith: payload, for: payload.type)
        }
    }
}

/// A flag that a block on another queue sets.
private final class Flag: Sendable {
    private let value = Mutex(false)

    func set() { value.withLock { $0 = true } }
    var isSet: Bool { value.withLock { $0 } }
}
