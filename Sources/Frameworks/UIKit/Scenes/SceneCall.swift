import Foundation
import PushModel
import SystemPort
import UserNotifications

/// The delivery of one event to an app's scene, also to the one that the system gives an app without scenes: from iOS 13 on the app's
/// windows belong to it, and it has no delegate.
///
/// Source: Apple, "Managing your app's life cycle": in an app without scenes UIKit delivers the life cycle to the app's delegate;
/// `UIApplication.connectedScenes` and `UIWindow.windowScene` have a scene all the same.
@MainActor
struct SceneCall {
    let slot: AppSlot
    let call: AppDelegateCall

    private static let configurationName = "application(_:configurationForConnecting:options:)"

    /// Creates the scene of an app that has scenes, because its Info.plist declares them or its delegate configures them. The cause
    /// may be a response to a notification, or a URL, an activity or a quick action.
    func connect(for response: ResponseRecord?, opening item: OpenedItem?) {
        let options = UIScene.ConnectionOptions(
            notificationResponse: response.map(UNNotificationResponse.make),
            item: item
        )
        let session = UISceneSession(role: .windowApplication)
        let app = call.delegate
        session.configuration = SceneManifest.configuration(session.role, on: call.port, for: app)
        var chosen = session.configuration
        let isConfigured = call.call(Self.configurationName) {
            chosen = app.application(.shared, configurationForConnecting: session, options: options)
        }
        guard isConfigured || SceneManifest.isDeclared(on: call.port) else {
            return connectImplicitly(session, options)
        }
        SceneManifest.complete(chosen, on: call.port, for: app)
        session.configuration = chosen
        let scene = UIWindowScene(session: session, connectionOptions: options)
        session.scene = scene
        scene.delegate = chosen.makeDelegate()
        if let delegate = scene.delegate { DelegateCheck.review(delegate, on: call.port) }
        slot.scene = scene
        slot.connectedFor = response
        slot.settledItem = item
        notify("scene(_:willConnectTo:options:)", posting: "WillConnect") {
            $0.scene($1, willConnectTo: session, options: options)
        }
        scene.activationState = .background
    }

    private func connectImplicitly(_ session: UISceneSession, _ options: UIScene.ConnectionOptions) {
        let facts = call.port.facts
        guard facts.systemMajor >= 13 else { return }
        if let warning = SceneAdoption.warning(on: facts.systemVersion) { call.port.call(.warn(warning)) }
        let scene = UIWindowScene(session: session, connectionOptions: options)
        session.scene = scene
        slot.implicitScene = scene
        for window in slot.windows.compactMap(\.value) where window.windowScene == nil { window.windowScene = scene }
        notify("", posting: "WillConnect") { _, _ in }
        scene.activationState = .background
    }

    /// Delivers a URL, an activity or a quick action to the scene, or to an app without scenes.
    func open(_ item: OpenedItem) {
        guard slot.scene != nil else { return call.open(item) }
        switch item {
        case .url(let url): open(url)
        case .activity(let activity): continueActivity(activity)
        case .shortcut(let shortcut): perform(shortcut)
        }
    }

    private func open(_ url: OpenedURL) {
        let contexts = UIOpenURLContext.make(url)
        guard !contexts.isEmpty else { return }
        tell("scene(_:openURLContexts:)") { $0.scene($1, openURLContexts: contexts) }
    }

    private var scene: UIWindowScene? { slot.scene ?? slot.implicitScene }

    /// Delivers a life cycle event: to the scene's delegate if there is a scene, otherwise to the app's. The centre's
    /// notifications are posted either way.
    func step(
        _ event: SystemEvent.Kind,
        posting name: String,
        _ method: (any UIApplicationDelegate, UIApplication) -> Void
    ) {
        if slot.scene != nil {
            lifeCycle(event)
            call.post(name)
        } else {
            call.lifeCycle(name, method)
            lifeCycle(event)
        }
        // Until the next event: it may be a prompt that is in front of the app.
        if case .willResignActive = event { slot.state = .inactive }
    }

    func willTerminate(_ event: SystemEvent.Kind) {
        if slot.scene != nil { lifeCycle(event) }
        call.lifeCycle("WillTerminate") { $0.applicationWillTerminate($1) }
        lifeCycle(event)
    }

    /// Delivers the life cycle events that the app's delegate receives without scenes; at the end the scene is removed
    /// first.
    func lifeCycle(_ event: SystemEvent.Kind) {
        guard let scene else { return }
        switch event {
        case .sceneWillEnterForeground, .willEnterForeground:
            notify("sceneWillEnterForeground(_:)", posting: "WillEnterForeground") { $0.sceneWillEnterForeground($1) }
            scene.activationState = .foregroundInactive
        case .didBecomeActive:
            scene.activationState = .foregroundActive
            notify("sceneDidBecomeActive(_:)", posting: "DidActivate") { $0.sceneDidBecomeActive($1) }
        case .willResignActive:
            notify("sceneWillResignActive(_:)", posting: "WillDeactivate") { $0.sceneWillResignActive($1) }
            scene.activationState = .foregroundInactive
        case .didEnterBackground:
            scene.activationState = .background
            notify("sceneDidEnterBackground(_:)", posting: "DidEnterBackground") { $0.sceneDidEnterBackground($1) }
        case .willTerminate:
            scene.activationState = .unattached
            notify("sceneDidDisconnect(_:)", posting: "DidDisconnect") { $0.sceneDidDisconnect($1) }
            slot.implicitScene = nil
            guard slot.scene != nil else { break }
            slot.scene = nil
            call.call("application(_:didDiscardSceneSessions:)") {
                call.delegate.application(.shared, didDiscardSceneSessions: [scene.session])
            }
        default: break
        }
    }

    /// Calls a method of the scene's delegate.
    func tell(_ name: String, _ method: (any UISceneDelegate, UIScene) -> Void) {
        guard let scene, let delegate = scene.delegate else { return }
        call.call(name) { method(delegate, scene) }
    }

    private func notify(_ name: String, posting posted: String, _ method: (any UISceneDelegate, UIScene) -> Void) {
        tell(name, method)
        NotificationCenter.default.post(name: NSNotification.Name("UIScene\(posted)Notification"), object: scene)
    }
}
