import Foundation
import PosthornTesting
import PushDevice
import Testing
import UIKit

@Suite("The scene of an app without scenes")
@MainActor
struct ImplicitSceneTests {
    private let app = InstalledApp(bundleID: "com.example.windowed")

    private func scene(_ phone: TestPhone) -> UIWindowScene? {
        phone.device.inside(app.bundleID) { UIApplication.shared.connectedScenes.first as? UIWindowScene } ?? nil
    }

    @Test("From iOS 13 on its windows belong to a scene without a delegate, which follows the life cycle")
    func follows() async throws {
        let phone = await TestPhone(.iOS(17)).opening(app) { WindowedApp() }
        let scene = try #require(self.scene(phone))
        #expect(scene.delegate == nil && scene.activationState == .foregroundActive)
        let window = try #require(phone.device.delegate(of: app.bundleID, as: WindowedApp.self)?.window)
        #expect(window.windowScene === scene && scene.windows == [window] && scene.keyWindow === window)
        #expect(scene.session.role == .windowApplication)
        let later = await phone.device.inside(app.bundleID) {
            let later = UIWindow(frame: UIScreen.main.bounds)
            later.isHidden = false
            return later
        }
        #expect(later?.windowScene === scene && scene.windows.count == 2)
        await phone.background(app)
        #expect(scene.activationState == .background)
        await phone.open(app)
        #expect(scene.activationState == .foregroundActive)
        let log = phone.device.delegate(of: app.bundleID, as: WindowedApp.self)?.log
        #expect(log == ["active", "background", "active"])
        await phone.terminate(app)
        #expect(self.scene(phone) == nil)
    }

    @Test("Before iOS 13 there are no scenes, and in the background there is none yet")
    func none() async {
        let old = TestPhone(.iOS(12))
        old.install(app) { WindowedApp() }
        await old.open(app)
        #expect(scene(old) == nil)
        let phone = TestPhone(.iOS(17))
        phone.install(app) { WindowedApp() }
        await phone.push(["aps": ["content-available": 1]], to: app)
        #expect(phone.device.condition(of: app.bundleID) == .notRunning || scene(phone) == nil)
    }
}

private final class WindowedApp: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var log: [String] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.makeKeyAndVisible()
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { log.append("active") }
    func applicationDidEnterBackground(_ application: UIApplication) { log.append("background") }
}
