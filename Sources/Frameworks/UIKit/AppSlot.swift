import PushModel
import SystemPort

/// UIKit's state for one process of an app.
@MainActor
final class AppSlot: PortSlot {
    var delegate: (any UIApplicationDelegate)?
    /// The state as of the last event.
    var state = AppState.background
    /// The scene of an app with scenes, once it has been in the foreground.
    var scene: UIWindowScene?
    /// The scene that the system gives an app without scenes.
    var implicitScene: UIWindowScene?
    /// The response for which the scene was connected, and which it has already received.
    var connectedFor: ResponseRecord?
    /// The local notification for which the process was launched, and which was in its launch options.
    var launchedFor: NotificationRecord?
    /// The item that caused the launch, if it must not be delivered again: the scene was connected for it, or the app's
    /// delegate declined it.
    var settledItem: OpenedItem?
    /// The windows that have been shown.
    var windows: [WeakWindow] = []
    weak var keyWindow: UIWindow?
    /// The responders that have had an activity.
    var activityOwners: [ActivityOwner] = []
    weak var firstResponder: UIResponder?
    var monitorsBattery = false
    var isIdleTimerDisabled = false
    var alternateIconName: String?
    let pasteboard = UIPasteboard()
    var orientationListeners = 0

    nonisolated init() {}

    /// Takes the delegate of a new process, and warns of its methods that are never called.
    func launch(_ delegate: any UIApplicationDelegate, on port: any SystemPort) {
        self.delegate = delegate
        DelegateCheck.review(delegate, on: port)
    }

}
