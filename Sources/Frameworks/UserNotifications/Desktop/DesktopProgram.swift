#if Desktop
import SystemPort
package import SystemPortDesktop

/// A program on the Linux desktop: the trait `Desktop` makes the desktop the system of a process that has no emulated phone.
package enum DesktopProgram {
    /// Makes the desktop answer where no phone does.
    ///
    /// - Returns: the port of this process.
    @discardableResult
    package static func prepare() -> DesktopPort {
        CurrentPort.useWithoutDevice { DesktopPort.ofThisProcess }
        return .ofThisProcess
    }

    /// Passes what the user does to the delegate of the centre, in a program without `UIApplication`.
    ///
    /// - Parameter port: the port on which a delegate was set; nothing happens for another one than the desktop's.
    static func serve(_ port: any SystemPort) {
        guard let port = port as? DesktopPort, !port.isServed else { return }
        port.serve(DelegateHost(port: port))
    }
}

/// Calls the centre's delegate on the main actor.
final class DelegateHost: AppEndpoint {
    private let port: DesktopPort

    init(port: DesktopPort) { self.port = port }

    func deliver(_ event: SystemEvent, reply: @escaping EventReplyHandler) {
        // Not awaited: it ends with the delegate's method, and the event has its reply.
        Task { @MainActor in
            CurrentPort.with(port) { handle(event, reply) }
            reply(.returned)
        }
    }

    /// Does nothing: the desktop ends no program.
    func terminate() {}

    @MainActor
    private func handle(_ event: SystemEvent, _ reply: @escaping EventReplyHandler) {
        guard case .didReceive(let response) = event.kind else { return reply(.notImplemented) }
        if !NotificationCenterCalls.didReceive(response, on: port, reply: reply) { reply(.notImplemented) }
    }
}
#endif
