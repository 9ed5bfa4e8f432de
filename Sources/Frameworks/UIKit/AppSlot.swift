import PushModel
import SystemPort

/// What UIKit knows of one process of an app.
@MainActor
final class AppSlot {
    var delegate: (any UIApplicationDelegate)?
    /// As of the last event.
    var state = AppState.background
    /// Of an app with scenes, once it has come to the front.
    var scene: UIWindowScene?
    /// What the scene was connected for: the app has heard of it there.
    var connectedFor: ResponseRecord?
    /// The local notification that the process was launched for: the app has found it in its launch options.
    var launchedFor: NotificationRecord?
    /// The URL that is the reason of the launch, once nobody is to hear of it again: the scene was connected for it, or
    /// the app's delegate declined.
    var settledURL: OpenedURL?
    weak var firstResponder: UIResponder?
    var monitorsBattery = false
    var orientationListeners = 0

    nonisolated init() {}

    static func of(_ port: any SystemPort) -> AppSlot { port.slots.slot { AppSlot() } }
}
