import APNSGateway
import PosthornPortal
import PosthornStack
import PushClock

extension ServedPortal {
    /// Lets people add phones to a stack, which live as long as this process.
    func offerPhones(of stack: Stack) {
        phones.setMaker { name, system, app in
            let phone = try await stack.makePhone(name: name, system: system, for: app)
            guard let clock = phone.clock as? TurnableClock else { throw CancellationError() }
            return PortalPhone(
                device: phone.device,
                bundleID: phone.bundleID,
                courier: stack.gateway.server.courierURL,
                clock: clock
            )
        }
    }
}
