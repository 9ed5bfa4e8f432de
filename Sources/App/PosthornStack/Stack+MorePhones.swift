import APNSGateway
import DeviceLinkNIO
import NIOPosix
import PushAPI
import PushClock
import PushDevice
import PushModel
package import PushService

extension Stack {
    /// Makes another phone with a clock of its own, which is connected and has opened its app. Its user has not been asked for
    /// permission yet.
    ///
    /// `other`: the app of the service that the sample app belongs to, in the app's environment; the stack's own if nil.
    /// The caller switches it off.
    package func makePhone(name: String, system: String, for other: App? = nil) async throws -> PushLabPhone {
        let app = other.flatMap { $0.key == self.app.app.key ? nil : $0 }
        let bundleID = app?.bundleID ?? Self.bundleID
        let phone = try PushLabPhone(
            name: name,
            system: system,
            appKey: (app ?? self.app.app).key.text,
            bundleID: bundleID,
            environment: app?.defaultEnvironment ?? settings.environment,
            link: linkURL,
            clock: settings.makePhoneClock(),
            dialer: WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton),
            network: settings.network
        )
        phone.device.connect(courier: gateway.server.courierURL)
        phone.device.open(bundleID)
        await phone.device.settled()
        return phone
    }
}
