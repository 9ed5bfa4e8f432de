import Foundation
import SystemPort

/// The scene of an app that has no scenes of its own: from iOS 13 on its windows belong to one, which has no delegate.
///
/// The app's delegate receives the life cycle. Source: Apple, "Managing your app's life cycle": in an app without scenes UIKit delivers
/// it to the app's delegate; `UIApplication.connectedScenes` and `UIWindow.windowScene` have a scene all the same.
@MainActor
struct ImplicitScene {
    let slot: AppSlot
    let port: any SystemPort

    func connect(_ session: UISceneSession, _ options: UIScene.ConnectionOptions) {
        guard port.facts.systemMajor >= 13 else { return }
        let scene = UIWindowScene(session: session, connectionOptions: options)
        session.scene = scene
        slot.implicitScene = scene
        for window in slot.windows.compactMap(\.value) where window.windowScene == nil { window.windowScene = scene }
        post("WillConnect", scene)
        scene.activationState = .background
    }

    /// Follows the life cycle that the app's delegate receives.
    func lifeCycle(_ event: SystemEvent.Kind) {
        guard let scene = slot.implicitScene else { return }
        switch event {
        case .sceneWillEnterForeground, .willEnterForeground:
            scene.activationState = .foregroundInactive
            post("WillEnterForeground", scene)
        case .didBecomeActive:
            scene.activationState = .foregroundActive
            post("DidActivate", scene)
        case .willResignActive:
            scene.activationState = .foregroundInactive
            post("WillDeactivate", scene)
        case .didEnterBackground:
            scene.activationState = .background
            post("DidEnterBackground", scene)
        case .willTerminate:
            scene.activationState = .unattached
            slot.implicitScene = nil
            post("DidDisconnect", scene)
        default: break
        }
    }

    private func post(_ name: String, _ scene: UIScene) {
        NotificationCenter.default.post(name: NSNotification.Name("UIScene\(name)Notification"), object: scene)
    }
}
