import Foundation
import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit

/// Hears of URLs as an app with scenes does.
final class LinkScene: UIResponder, UIWindowSceneDelegate {
    var connectedFor: [URL] = []
    var opened: [URL] = []
    var sources: [String?] = []

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        connectedFor = connectionOptions.urlContexts.map(\.url)
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        guard let context = URLContexts.first else { return }
        opened.append(context.url)
        sources.append(context.options.sourceApplication)
    }

    func sceneDidBecomeActive(_ scene: UIScene) {}
}

/// Hears of URLs as an app without scenes does.
private final class LinkApp: UIResponder, UIApplicationDelegate {
    var launchURL: URL?
    var opened: [URL] = []
    var sources: [String?] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        launchURL = launchOptions?[.url] as? URL
        return launchURL?.host != "declined"
    }

    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        opened.append(url)
        sources.append(options[.sourceApplication] as? String)
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {}
}

/// Hears of URLs as an app of iOS 7 and 8 does.
private final class OldLinkApp: UIResponder, UIApplicationDelegate {
    var calls: [String] = []

    func application(
        _ application: UIApplication,
        open url: URL,
        sourceApplication: String?,
        annotation: Any
    ) -> Bool {
        calls.append("old \(url) \(sourceApplication ?? "nil")")
        return true
    }
}

/// The same, and the method of iOS 9.
private final class BothLinkApp: UIResponder, UIApplicationDelegate {
    var calls: [String] = []

    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        calls.append("new \(url)")
        return true
    }

    func application(
        _ application: UIApplication,
        open url: URL,
        sourceApplication: String?,
        annotation: Any
    ) -> Bool {
        calls.append("old \(url) \(sourceApplication ?? "nil")")
        return true
    }
}

/// Only the method that came first.
private final class FirstLinkApp: UIResponder, UIApplicationDelegate {
    var calls: [String] = []

    func application(_ application: UIApplication, handleOpen url: URL) -> Bool {
        calls.append("first \(url)")
        return true
    }
}

@Suite("URLs of an app's own scheme")
@MainActor
struct OpenURLTests {
    private static func app(_ name: String, scheme: JSONValue, scenes: Bool = false) -> InstalledApp {
        var info: JSONObject = ["CFBundleURLTypes": [["CFBundleURLName": "main", "CFBundleURLSchemes": [scheme]]]]
        if scenes {
            info["UIApplicationSceneManifest"] = [
                "UISceneConfigurations": [
                    "UIWindowSceneSessionRoleApplication": [
                        ["UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).LinkScene"]
                    ]
                ]
            ]
        }
        return InstalledApp(bundleID: "com.example.\(name)", info: info)
    }

    private let plain = app("plain", scheme: "plain-app")
    private let scenes = app("scenes", scheme: "Scene-App", scenes: true)

    private func phone(_ profile: SystemProfile = .iOS(17)) -> TestPhone {
        let phone = TestPhone(profile)
        for app in [plain, scenes] { phone.install(app) { LinkApp() } }
        return phone
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func follow(_ text: String, on phone: TestPhone) async throws -> Bool {
        let url = try url(text)
        return await phone.perform { $0.openURL(url) }
    }

    private func scene(_ phone: TestPhone) throws -> LinkScene {
        let delegate = phone.device.inside(scenes.bundleID) { UIApplication.shared.connectedScenes.first?.delegate }
        return try #require(delegate as? LinkScene)
    }

    private func delegate(_ phone: TestPhone) throws -> LinkApp {
        try #require(phone.device.delegate(of: plain.bundleID, as: LinkApp.self))
    }

    @Test("A URL that launches an app with scenes is told at the connection, and there only")
    func cold() async throws {
        let phone = phone()
        #expect(try await follow("scene-app://chat/7", on: phone))
        #expect(
            phone.device.callbacks() == [
                "application(_:didFinishLaunchingWithOptions:)@inactive",
                "scene(_:willConnectTo:options:)@inactive",
                "sceneDidBecomeActive(_:)@active",
            ]
        )
        #expect(try scene(phone).connectedFor == [url("scene-app://chat/7")])
        #expect(phone.device.delegate(of: scenes.bundleID, as: LinkApp.self)?.launchURL == nil)
        #expect(phone.device.screen.front == scenes.bundleID)
    }

    @Test("A scene that is there is told before it becomes active; in front, at once; of each URL")
    func warm() async throws {
        let phone = phone()
        await phone.open(scenes)
        await phone.background(scenes)
        let start = phone.device.recentDeviceEvents.count
        for _ in 0..<2 { #expect(try await follow("SCENE-APP:a", on: phone)) }
        #expect(
            phone.device.callbacks(from: start) == [
                "scene(_:openURLContexts:)@inactive", "sceneDidBecomeActive(_:)@active",
                "scene(_:openURLContexts:)@active",
            ]
        )
        #expect(try scene(phone).opened == [url("SCENE-APP:a"), url("SCENE-APP:a")])
        #expect(try scene(phone).connectedFor.isEmpty)
    }

    @Test("The same URL again, after one that launched the app, is told")
    func again() async throws {
        let phone = phone()
        for _ in 0..<2 { #expect(try await follow("scene-app:a", on: phone)) }
        #expect(try scene(phone).connectedFor.count == 1 && scene(phone).opened.count == 1)
    }

    @Test("An app without scenes has it in its launch options and in application(_:open:options:)")
    func withoutScenes() async throws {
        let phone = phone()
        #expect(try await follow("plain-app://a", on: phone))
        #expect(try delegate(phone).launchURL == url("plain-app://a"))
        await phone.background(plain)
        #expect(try await follow("plain-app://b", on: phone))
        #expect(
            phone.device.callbacks() == [
                "application(_:didFinishLaunchingWithOptions:)@inactive",
                "application(_:open:options:)@inactive",
                "applicationDidBecomeActive(_:)@active",
                "application(_:open:options:)@inactive",
                "applicationDidBecomeActive(_:)@active",
            ]
        )
        #expect(try delegate(phone).opened == [url("plain-app://a"), url("plain-app://b")])
    }

    @Test("Before iOS 13 an app that declares scenes hears as one without")
    func older() async throws {
        let phone = phone(.iOS(12))
        #expect(try await follow("scene-app://a", on: phone))
        #expect(phone.device.delegate(of: scenes.bundleID, as: LinkApp.self)?.opened == [try url("scene-app://a")])
    }

    @Test("A launch that returns false is not asked to open its URL; the next URL is")
    func declined() async throws {
        let phone = phone()
        for text in ["plain-app://declined", "plain-app://b"] { #expect(try await follow(text, on: phone)) }
        #expect(try delegate(phone).launchURL == url("plain-app://declined"))
        #expect(try delegate(phone).opened == [url("plain-app://b")])
    }

    @Test("Nobody's scheme, a text without one and a locked device open nothing; the system's schemes are the system's")
    func refused() async throws {
        let phone = phone()
        phone.install(Self.app("thief", scheme: "https")) { LinkApp() }
        await phone.open(plain)
        #expect(try await !follow("nobody:a", on: phone))
        #expect(try await !follow("plain-app", on: phone))
        #expect(phone.device.screen.front == plain.bundleID)
        #expect(try await follow("https://example.com", on: phone))
        #expect(phone.device.screen.front == nil)
        #expect(phone.device.condition(of: "com.example.thief") == .notRunning)
        await phone.perform { $0.lock() }
        #expect(try await !follow("plain-app:a", on: phone))
        #expect(try delegate(phone).opened.isEmpty)
    }

    @Test("Apps open each other's URLs, and since iOS 13 do not hear who asks", arguments: [12, 17])
    func between(_ system: Int) async throws {
        let phone = phone(.iOS(system))
        await phone.open(scenes)
        let link = try url("plain-app://a")
        let opened = await phone.device.inside(scenes.bundleID) { await UIApplication.shared.open(link) }
        await phone.device.settled()
        #expect(opened == true && phone.device.screen.front == plain.bundleID)
        #expect(phone.device.condition(of: scenes.bundleID) == .background)
        #expect(try delegate(phone).sources == [system < 13 ? scenes.bundleID : nil])
        // Its own scheme leaves the app where it is, and it knows itself.
        #expect(await phone.device.inside(plain.bundleID) { await UIApplication.shared.open(link) } == true)
        await phone.device.settled()
        #expect(phone.device.condition(of: plain.bundleID) == .active)
        #expect(try delegate(phone).sources.last == plain.bundleID)
    }

    @Test("Each system calls the newest method that it knows and the app has", arguments: [7, 8, 9, 12])
    func generations(_ system: Int) async throws {
        let phone = TestPhone(.iOS(system))
        func app(_ name: String) -> InstalledApp { Self.app(name, scheme: .string(name)) }
        phone.install(app("old")) { OldLinkApp() }
        phone.install(app("both")) { BothLinkApp() }
        phone.install(app("first")) { FirstLinkApp() }
        for name in ["old", "both", "first"] { #expect(try await follow("\(name)://a", on: phone)) }
        let old = try #require(phone.device.delegate(of: app("old").bundleID, as: OldLinkApp.self))
        let both = try #require(phone.device.delegate(of: app("both").bundleID, as: BothLinkApp.self))
        let first = try #require(phone.device.delegate(of: app("first").bundleID, as: FirstLinkApp.self))
        #expect(old.calls == ["old old://a nil"])
        #expect(both.calls == [system < 9 ? "old both://a nil" : "new both://a"])
        #expect(first.calls == ["first first://a"])
        // The app that asks is told before iOS 13.
        await phone.open(app("first"))
        let link = try url("old://b")
        _ = await phone.device.inside(app("first").bundleID) { UIApplication.shared.openURL(link) }
        await phone.device.settled()
        #expect(old.calls.last == "old old://b \(app("first").bundleID)")
    }
}
