import Synchronization

/// The handlers of the frameworks that an app may use or not, for one process.
///
/// A framework that is not linked, or not used, has no handler, and its events are not implemented.
package final class EventHandlers: PortSlot {
    /// Handles an event on the main thread with the app's device bound; returns when the app's methods have returned.
    package typealias Handler =
        @MainActor @Sendable (SystemEvent, _ reply: @escaping EventReplyHandler) async -> Void

    package enum Framework: Hashable, Sendable {
        case pushKit
        case callKit
    }

    private let handlers = Mutex<[Framework: Handler]>([:])

    package init() {}

    /// Sets the handler of a framework's events.
    package func set(_ framework: Framework, _ handler: @escaping Handler) {
        handlers.withLock { $0[framework] = handler }
    }

    /// Handles an event of one of these frameworks.
    ///
    /// - Returns: false for any other event.
    @MainActor
    package func handle(_ event: SystemEvent, _ reply: @escaping EventReplyHandler) async -> Bool {
        let framework: Framework
        switch event.kind {
        case .pushKit: framework = .pushKit
        case .callKit: framework = .callKit
        default: return false
        }
        guard let handler = handlers.withLock({ $0[framework] }) else {
            reply(.notImplemented)
            return true
        }
        await handler(event, reply)
        return true
    }
}
