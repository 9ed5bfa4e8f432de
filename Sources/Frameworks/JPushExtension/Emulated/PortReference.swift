package import Foundation
package import SystemPort

/// A weak reference to the port, which holds the SDK.
package final class PortReference: Sendable {
    private weak let held: (any SystemPort)?

    package init(_ port: any SystemPort) { held = port }

    package var port: (any SystemPort)? { held }

    package var date: Date { held?.clock.date ?? .distantPast }

    /// Runs a closure of the app's on the main thread, after this call, in the order of the calls.
    package func onMain(_ body: @escaping @Sendable () -> Void) {
        guard let port = held else { return }
        let piece = AppWork.of(port).begin()
        MainThread.async { CurrentPort.with(port, in: piece, body) }
    }
}
