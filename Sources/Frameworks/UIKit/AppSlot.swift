import PushModel
import SystemPort

/// What UIKit knows of one process of an app.
@MainActor
final class AppSlot {
    var delegate: (any UIApplicationDelegate)?
    /// As of the last event.
    var state = AppState.background
    weak var firstResponder: UIResponder?
    var monitorsBattery = false
    var orientationListeners = 0

    nonisolated init() {}

    static func of(_ port: any SystemPort) -> AppSlot { port.slots.slot { AppSlot() } }
}
