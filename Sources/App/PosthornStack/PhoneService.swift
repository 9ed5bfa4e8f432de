package import PushDevice
import ServiceLifecycle

/// Switches a phone off on shutdown.
package struct PhoneService: Service {
    private let device: PushDevice.Device

    package init(_ device: PushDevice.Device) { self.device = device }

    package func run() async throws {
        defer { device.shutdown() }
        do { try await gracefulShutdown() } catch is CancellationError {
            // Cancelled before a graceful shutdown: there is nothing more to do in either case.
        }
    }
}
