import Foundation
import Synchronization
package import SystemPort
import UserNotifications

/// Runs a content extension: one view controller, called on the main actor, with its device bound.
package final class ContentExtensionHost: AppEndpoint {
    private let port: any SystemPort
    private let make: @MainActor @Sendable () -> any UNNotificationContentExtension
    private let isTerminated = Mutex(false)

    /// - Parameters:
    ///   - port: the process that the device made for the extension.
    ///   - make: called once, before the first event.
    package init(port: any SystemPort, make: @escaping @MainActor @Sendable () -> any UNNotificationContentExtension) {
        self.port = port
        self.make = make
    }

    package func deliver(_ event: SystemEvent, reply: @escaping @Sendable (EventReply) -> Void) {
        // Nobody awaits it: it ends with the extension's method, and the event has its reply.
        Task { @MainActor in
            guard !isTerminated.withLock({ $0 }) else { return }
            CurrentPort.with(port) { handle(event, reply) }
            reply(.returned)
        }
    }

    package func terminate() { isTerminated.withLock { $0 = true } }

    @MainActor
    private func handle(_ event: SystemEvent, _ reply: @escaping @Sendable (EventReply) -> Void) {
        let slot = port.slots.slot { ControllerSlot() }
        switch event.kind {
        case .contentExtension(let record):
            let controller = make()
            slot.controller = controller
            reply(.ran("UNNotificationContentExtension.didReceive(_:)"))
            controller.didReceive(UNNotification(record))
            reply(.responded)
        case .contentExtensionResponse(let record):
            guard let controller = slot.controller else { return reply(.notImplemented) }
            let gate = AnswerGate<UInt> { reply(.extensionOption($0)) }
            let isImplemented = MethodProbe.reaches {
                controller.didReceive(UNNotificationResponse.make(record)) { gate.answer($0.rawValue) }
            }
            if isImplemented { reply(.ran("UNNotificationContentExtension.didReceive(_:completionHandler:)")) }
            gate.decide(open: true)
        default:
            reply(.notImplemented)
        }
    }
}

/// The extension's one controller.
@MainActor
private final class ControllerSlot {
    var controller: (any UNNotificationContentExtension)?

    nonisolated init() {}
}
