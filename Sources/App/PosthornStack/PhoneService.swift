import PushDevice
import ServiceLifecycle

/// Switches a phone off on shutdown.
package struct PhoneService: Service {
    private let phone: PushLabPhone

    package init(_ phone: PushLabPhone) { self.phone = phone }

    package func run() async throws {
        defer { phone.switchOff() }
        do { try await gracefulShutdown() } catch is CancellationError {
            // Cancelled before anybody asked for a graceful end: there is nothing more to do either way.
        }
    }
}
