package import PushDevice
import ServiceLifecycle

/// Switches a phone off on shutdown.
package struct PhoneService: Service {
    private let device: PushDevice.Device

    package init(_ device: PushDevice.Device) { self.device = device }

    package func run() async throws {
        defer { device.shutdown() }
        do { try await gracefulShutdown() } catch is CancellationError {
            // Cancelled before anybody asked for a graceful end: there is nothing more to do either way.
        }
    }
}
