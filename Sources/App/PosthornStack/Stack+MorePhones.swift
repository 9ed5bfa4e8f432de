import APNSGateway
import DeviceLinkNIO
import NIOPosix
import PushAPI
import PushClock
import PushDevice
import PushModel
import PushService

extension Stack {
    /// Makes another phone with a clock of its own, which is connected and has opened its app. Its user has not been asked for
    /// permission yet.
    ///
    /// The caller switches it off.
    package func makePhone(name: String, system: String) async throws -> PushLabPhone {
        let phone = try PushLabPhone(
            name: name,
            system: system,
            appKey: app.app.key.text,
            bundleID: Self.bundleID,
            environment: settings.environment,
            link: linkURL,
            clock: TurnableClock(),
            dialer: WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton),
            network: settings.network
        )
        phone.device.connect(courier: gateway.server.courierURL)
        phone.device.open(Self.bundleID)
        await phone.device.settled()
        return phone
    }
}
