import Synchronization
package import SystemPort

/// Runs a service extension: one instance, called on the main actor, with its device bound.
package final class ExtensionHost: AppEndpoint {
    package static let didReceiveName = "UNNotificationServiceExtension.didReceive(_:withContentHandler:)"
    package static let willExpireName = "UNNotificationServiceExtension.serviceExtensionTimeWillExpire()"

    private let port: any SystemPort
    private let make: @MainActor @Sendable () -> UNNotificationServiceExtension
    private let isTerminated = Mutex(false)
    @MainActor private var instance: UNNotificationServiceExtension?

    /// Creates the host of an extension on its process. The extension is made once, before its first event.
    package init(port: any SystemPort, make: @escaping @MainActor @Sendable () -> UNNotificationServiceExtension) {
        self.port = port
        self.make = make
    }

    package func deliver(_ event: SystemEvent, reply: @escaping EventReplyHandler) {
        // Not awaited: it ends with the extension's method, and the event has its reply.
        Task { @MainActor in
            guard !isTerminated.withLock({ $0 }) else { return }
            CurrentPort.with(port) { handle(event, reply) }
            reply(.returned)
        }
    }

    package func terminate() { isTerminated.withLock { $0 = true } }

    @MainActor
    private func handle(_ event: SystemEvent, _ reply: @escaping EventReplyHandler) {
        switch event.kind {
        case .serviceExtension(let request):
            let instance = make()
            self.instance = instance
            reply(.ran(Self.didReceiveName))
            instance.didReceive(UNNotificationRequest(request)) { content in
                // Content that cannot be encoded is dropped; the text remains.
                reply(.content((try? content.record()) ?? request.content))
            }
        case .serviceExtensionTimeWillExpire:
            guard let instance else { return }
            reply(.ran(Self.willExpireName))
            instance.serviceExtensionTimeWillExpire()
        default: reply(.notImplemented)
        }
    }
}

/// A kind of extension whose framework is above this one.
///
/// ``NSExtensionMain()`` finds it by its name, as this framework cannot import the other.
package protocol ExtensionPoint: AnyObject, SendableMetatype {
    /// - Returns: the endpoint that runs an extension with this principal class; nil if the class is none of this kind.
    static func host(of principal: AnyClass, port: any SystemPort) -> (any AppEndpoint)?
}
