import Foundation
import PushModel
import Synchronization
import SystemPort
import UserNotifications

/// Calls from the system to the delegates of push registries.
@MainActor
struct PushRegistryCalls {
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
        case .push(let type, let payload, let mustReport):
            guard let registry = slot.registries(for: type).first(where: { $0.delegate != nil }) else {
                return reply(.notImplemented)
            }
            let push = PKPushPayload(type: PKPushType(type), dictionaryPayload: payload.foundation)
            await self.push(push, mustReport: mustReport, to: registry)
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

    /// Calls one method: the first that the system has and the app implements.
    private func push(_ payload: PKPushPayload, mustReport: Bool, to registry: PKPushRegistry) async {
        guard let delegate = registry.delegate else { return reply(.notImplemented) }
        let push = Push(delegate: delegate, registry: registry, payload: payload, mustReport: mustReport)
        let version = SystemVersion(port.facts.systemVersion)
        let isCall = payload.type == .voIP
        if isCall, version.isAtLeast(26, 4) {
            let name = "pushRegistry(_:didReceiveIncomingVoIPPushWith:metadata:"
            if await run(name + "withCompletionHandler:)", for: push, { $0.receiveCall($1) }) { return }
            if start(name + ")", { await push.receiveCall() }) { return }
        }
        let name = "pushRegistry(_:didReceiveIncomingPushWith:for:"
        // The form with a completion handler appeared in iOS 11.
        if version.major >= 11, await run(name + "completion:)", for: push, { $0.receive($1) }) { return }
        guard start(name + ")", { await push.receive() }) else { return reply(.notImplemented) }
        if isCall, mustReport, version.major >= 13 { port.call(.warn(Self.asyncWarning)) { _ in } }
    }

    /// Source: developer.apple.com/forums/thread/774958 (FB16655952).
    private static let asyncWarning = """
        The async form of pushRegistry(_:didReceiveIncomingPushWith:for:) may return on an iPhone before the call is reported, which \
        ends the app. Implement the form with a completion handler, and report the call before it returns.
        """

    /// Calls a method with a completion handler on the registry's queue.
    ///
    /// - Returns: whether the app implements it.
    private func run(
        _ name: String,
        for push: Push,
        _ method: @escaping (Push, @escaping @Sendable () -> Void) -> Void
    ) async -> Bool {
        let gate = AnswerGate<Void> { [reply] in reply(.responded) }
        let reached = Flag()
        await push.registry.queue.run { [reply, port] in
            PushMethod.of(port).run {
                if MethodProbe.reaches({ method(push) { gate.answer(()) } }) { reached.set() }
            } returned: {
                guard reached.isSet else { return }
                reply(.ran(name))
                reply(.methodReturned)
            }
        }
        gate.decide(open: reached.isSet)
        return reached.isSet
    }

    /// Calls an async method.
    ///
    /// - Returns: whether the app implements it.
    private func start(_ name: String, _ method: @escaping @Sendable () async -> Void) -> Bool {
        let gate = AnswerGate<Void> { [reply] in
            reply(.methodReturned)
            reply(.responded)
        }
        let isImplemented = MethodProbe.reaches {
            MethodProbe.start {
                await method()
                gate.answer(())
            }
        }
        if isImplemented { reply(.ran(name)) }
        gate.decide(open: isImplemented)
        return isImplemented
    }

    /// `@unchecked Sendable`: Apple's signatures take delegates that need not be Sendable and say where they are called.
    private struct Push: @unchecked Sendable {
        let delegate: any PKPushRegistryDelegate
        let registry: PKPushRegistry
        let payload: PKPushPayload
        let mustReport: Bool

        private var metadata: PKVoIPPushMetadata { PKVoIPPushMetadata(mustReport: mustReport) }

        func receiveCall(_ completion: @escaping @Sendable () -> Void) {
            delegate.pushRegistry(
                registry,
                didReceiveIncomingVoIPPushWith: payload,
                metadata: metadata,
                withCompletionHandler: completion
            )
        }

        func receiveCall() async {
            await delegate.pushRegistry(registry, didReceiveIncomingVoIPPushWith: payload, metadata: metadata)
        }

        func receive(_ completion: @escaping @Sendable () -> Void) {
            delegate.pushRegistry(
                registry,
                didReceiveIncomingPushWith: payload,
                for: payload.type,
                completion: completion
            )
        }

        func receive() async {
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
