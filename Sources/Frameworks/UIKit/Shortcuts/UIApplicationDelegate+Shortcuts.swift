import SystemPort
import UserNotifications

// The system calls the handler form; its default calls the async form, whose default tells the probe that the app has neither.

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        let delegate = Handoff(self)
        // Not awaited: it ends with the app's method, and the handler notifies the system.
        Task.immediate { @MainActor in
            completionHandler(await delegate.value.application(application, performActionFor: shortcutItem))
        }
    }

    public func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool { MethodProbe.missed(false) }
}

extension UIWindowSceneDelegate {
    public func windowScene(
        _ windowScene: UIWindowScene,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        let delegate = Handoff(self)
        // Not awaited: it ends with the app's method, and the handler notifies the system.
        Task.immediate { @MainActor in
            completionHandler(await delegate.value.windowScene(windowScene, performActionFor: shortcutItem))
        }
    }

    public func windowScene(
        _ windowScene: UIWindowScene,
        performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool { MethodProbe.missed(false) }
}

extension UIApplication.LaunchOptionsKey {
    /// The quick action for which the app was launched: a ``UIApplicationShortcutItem``. Absent for an app that declares scenes:
    /// its scene receives it in `UIScene.ConnectionOptions.shortcutItem`.
    public static let shortcutItem = Self(rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
}

extension UIApplication {
    /// The quick actions that the app sets at run time, after those in its Info.plist. They outlive its process.
    public var shortcutItems: [UIApplicationShortcutItem]? {
        get {
            guard case .shortcuts(let shortcuts) = CurrentPort.find().read(.shortcuts) else { return nil }
            return shortcuts.map { UIApplicationShortcutItem($0) }
        }
        set { CurrentPort.find().call(.setShortcuts((newValue ?? []).map(\.stored))) }
    }
}

extension AppDelegateCall {
    /// Delivers a quick action to an app without scenes.
    func perform(_ shortcut: ShortcutRecord) {
        call("application(_:performActionFor:completionHandler:)") {
            delegate.application(application, performActionFor: UIApplicationShortcutItem(shortcut)) { _ in }
        }
    }
}

extension SceneCall {
    /// Delivers a quick action to an existing scene.
    func perform(_ shortcut: ShortcutRecord) {
        guard let scene = slot.scene, let delegate = scene.delegate as? any UIWindowSceneDelegate else { return }
        call.call("windowScene(_:performActionFor:completionHandler:)") {
            delegate.windowScene(scene, performActionFor: UIApplicationShortcutItem(shortcut)) { _ in }
        }
    }
}
