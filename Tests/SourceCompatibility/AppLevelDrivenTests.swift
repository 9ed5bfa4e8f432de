import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SourceCompatibility5
import SystemPort
import TestSupport
import Testing
import UIKit

@Suite("App-level UIKit sources, driven")
@MainActor
struct AppLevelDrivenTests {
    private static let info: JSONObject = [
        "NSUserActivityTypes": ["com.example.order"],
        "LSApplicationQueriesSchemes": ["othermaps"],
        "UIApplicationShortcutItems": [
            [
                "UIApplicationShortcutItemType": "search",
                "UIApplicationShortcutItemTitle": "Search",
                "UIApplicationShortcutItemIconType": "UIApplicationShortcutIconTypeSearch",
            ],
            ["UIApplicationShortcutItemType": "new", "UIApplicationShortcutItemTitle": "New"],
        ],
    ]

    private static func app(_ name: String) -> InstalledApp {
        var app = InstalledApp(bundleID: "com.example.\(name)", backgroundModes: ["fetch"], info: info)
        app.associatedDomains = ["applinks:\(name).example.com", "applinks:*.\(name).example.org?mode=developer"]
        return app
    }

    private let old = app("old")
    private let shop = app("shop")

    private func phone(_ profile: SystemProfile = .iOS(17)) -> TestPhone {
        let phone = TestPhone(profile)
        phone.install(old) { LinkShopApp() }
        phone.install(shop) { SceneShopApp() }
        return phone
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func follow(_ text: String, on phone: TestPhone) async throws {
        let url = try url(text)
        #expect(await phone.perform { $0.openURL(url) })
    }

    private func oldApp(_ phone: TestPhone) throws -> LinkShopApp {
        try #require(phone.device.delegate(of: old.bundleID, as: LinkShopApp.self))
    }

    private func shopApp(_ phone: TestPhone) throws -> SceneShopApp {
        try #require(phone.device.delegate(of: shop.bundleID, as: SceneShopApp.self))
    }

    private func scene(_ phone: TestPhone) throws -> ShopSceneDelegate {
        let delegate = phone.device.inside(shop.bundleID) { UIApplication.shared.connectedScenes.first?.delegate }
        return try #require(delegate as? ShopSceneDelegate)
    }

    private func changes(_ phone: TestPhone) -> [String] {
        phone.device.recentDeviceEvents.compactMap { if case .changed(let text) = $0.kind { text } else { nil } }
    }

    // MARK: Universal links

    @Test("Swift 5 mode: a universal link launches an app, and reaches a running one; responders restore")
    func linkWithoutScenes() async throws {
        let phone = phone()
        try await follow("https://old.example.com/tea", on: phone)
        #expect(
            try oldApp(phone).log == [
                "init", "orientations", "launched for NSUserActivityTypeBrowsingWeb", "will continue", "continue /tea",
                "active",
            ]
        )
        #expect(
            phone.device.callbacks(of: old) == [
                "application(_:didFinishLaunchingWithOptions:)@inactive",
                "application(_:willContinueUserActivityWithType:)@inactive",
                "application(_:continue:restorationHandler:)@inactive",
                "applicationDidBecomeActive(_:)@active",
            ]
        )
        await phone.background(old)
        try await follow("https://a.old.example.org/coffee", on: phone)
        #expect(try oldApp(phone).log.suffix(3) == ["will continue", "continue /coffee", "active"])
        #expect(try oldApp(phone).screen.restored.map { $0?.path } == ["/tea", "/coffee"])
        #expect(
            changes(phone).first == "opened https://old.example.com/tea as a universal link of com.example.old"
        )
    }

    @Test("A universal link connects the scene, and reaches an existing one")
    func linkWithScenes() async throws {
        let phone = phone()
        try await follow("https://shop.example.com/tea", on: phone)
        #expect(try scene(phone).log == ["connected for https://shop.example.com/tea"])
        await phone.background(shop)
        try await follow("https://SHOP.example.com/coffee", on: phone)
        #expect(
            try scene(phone).log.dropFirst() == ["will continue NSUserActivityTypeBrowsingWeb", "continue /coffee"]
        )
    }

    @Test("A link that no app claims opens in the browser, and so does an app's own; before iOS 9 each link does")
    func unclaimed() async throws {
        let phone = phone()
        await phone.open(old)
        for text in ["https://example.com/", "https://old.example.org", "https://x.old.example.com"] {
            try await follow(text, on: phone)
            #expect(phone.device.screen.front == nil)
        }
        #expect(
            changes(phone).last
                == "opened https://x.old.example.com in the browser: no app on the device claims x.old.example.com"
        )
        await phone.open(old)
        let own = try url("https://old.example.com/tea")
        let other = try url("https://shop.example.com/tea")
        let asks: [Bool?] = [
            await phone.device.inside(old.bundleID) {
                await UIApplication.shared.open(own, options: [.universalLinksOnly: true])
            },
            await phone.device.inside(old.bundleID) {
                await UIApplication.shared.open(other, options: [.universalLinksOnly: true])
            },
        ]
        await phone.device.settled()
        #expect(asks == [false, true] && phone.device.screen.front == shop.bundleID)
        #expect(try scene(phone).log == ["connected for https://shop.example.com/tea"])
        await phone.open(old)
        #expect(await phone.device.inside(old.bundleID) { await UIApplication.shared.open(own) } == true)
        await phone.device.settled()
        #expect(phone.device.screen.front == nil)
        #expect(changes(phone).last?.hasSuffix("in the browser: an app's own links open there") == true)

        let older = self.phone(.iOS(8))
        try await follow("https://old.example.com/tea", on: older)
        #expect(older.device.condition(of: old.bundleID) == .notRunning)
    }

    // MARK: Activities

    @Test("An activity of another device is continued, or fails; only of the declared types")
    func handoff() async throws {
        let phone = phone()
        let info = InfoValue.dictionary([.string("order"): .string("41")])
        let activity = ActivityRecord(type: "com.example.order", title: "Order", userInfo: info)
        await phone.open(shop)
        #expect(await phone.perform { $0.handOff(activity, to: shop.bundleID) })
        #expect(await phone.perform { $0.failHandOff(of: "com.example.order", to: shop.bundleID) })
        #expect(await phone.perform { !$0.handOff(ActivityRecord(type: "com.example.none"), to: shop.bundleID) })
        #expect(
            try scene(phone).log == [
                "will continue com.example.order", "continue 41", "will continue com.example.order", "failed 4608",
            ]
        )
        #expect(await phone.perform { $0.failHandOff(of: "com.example.order", to: old.bundleID) })
        #expect(try oldApp(phone).log.suffix(2) == ["will continue", "failed NSCocoaErrorDomain 4608"])
    }

    @Test(
        "Somebody whom the user calls from the list of recent calls arrives as an intent",
        arguments: ["INStartCallIntent", "INStartAudioCallIntent", "INStartVideoCallIntent"]
    )
    func recentCall(_ type: String) async throws {
        let phone = phone()
        var app = old
        app.info["NSUserActivityTypes"] = [.string(type)]
        phone.install(app) { LinkShopApp() }
        let info = InfoValue.dictionary([
            .string("handle"): .string("+86 10 5555"), .string("video"): .string("true"),
        ])
        #expect(await phone.perform { $0.handOff(ActivityRecord(type: type, userInfo: info), to: old.bundleID) })
        let called = type == "INStartAudioCallIntent" ? "sound" : "video"
        #expect(try oldApp(phone).log.contains("call +86 10 5555 with \(called)"))
        #expect(NSUserActivity(activityType: "com.example.order").interaction == nil)
    }

    @Test("Files under data protection are out of reach while the phone is locked, and running apps hear of it")
    func protectedData() async throws {
        let phone = phone()
        await phone.open(old)
        func isAvailable() -> Bool? {
            phone.device.inside(old.bundleID) { UIApplication.shared.isProtectedDataAvailable }
        }
        #expect(isAvailable() == true)
        await phone.perform { $0.lock() }
        #expect(isAvailable() == false)
        #expect(try oldApp(phone).log.last == "protected")
        await phone.perform { $0.unlock() }
        #expect(isAvailable() == true)
        #expect(try oldApp(phone).log.contains("readable"))
        #expect(
            phone.device.callbacks(of: old).contains("applicationProtectedDataWillBecomeUnavailable(_:)@background")
        )
    }

    @Test("An activity that needs it is saved when the app leaves the foreground, once")
    func saving() async throws {
        let phone = phone()
        await phone.open(shop)
        let screen = OrderScreen()
        let saved: NSUserActivity?? = phone.device.inside(shop.bundleID) {
            screen.show(order: "41")
            screen.userActivity?.needsSave = true
            return screen.userActivity
        }
        for _ in 0..<2 {
            await phone.background(shop)
            await phone.open(shop)
        }
        #expect(try scene(phone).log == ["saved Order 41"])
        #expect(saved??.userInfo?["note"] as? String == "no sugar" && saved??.needsSave == false)
        screen.restoreUserActivityState(try #require(saved ?? nil))
        #expect(screen.restored == ["41"])

        await phone.open(old)
        let page = try oldApp(phone).screen
        await phone.device.inside(old.bundleID) {
            page.userActivity = NSUserActivity(activityType: "com.example.page")
            page.userActivity?.needsSave = true
        }
        await phone.background(old)
        #expect(try oldApp(phone).log.last == "saved 7")
    }

    // MARK: Quick actions

    @Test("Swift 5 mode: a quick action launches an app, which may handle it there; a running one performs it")
    func shortcutsWithoutScenes() async throws {
        let phone = phone()
        #expect(phone.device.shortcuts(of: old.bundleID).map(\.title) == ["Search", "New"])
        #expect(await phone.perform { $0.chooseShortcut("search", of: old.bundleID) })
        #expect(try oldApp(phone).log == ["init", "orientations", "launched for search", "active"])
        #expect(await phone.perform { $0.chooseShortcut("new", of: old.bundleID) })
        #expect(try oldApp(phone).log.suffix(2) == ["perform new", "active"])
        await phone.terminate(old)
        #expect(await phone.perform { $0.chooseShortcut("new", of: old.bundleID) })
        #expect(try oldApp(phone).log == ["init", "orientations", "launched for new", "perform new", "active"])
        #expect(await phone.perform { !$0.chooseShortcut("none", of: old.bundleID) })
        await phone.perform { $0.lock() }
        #expect(await phone.perform { !$0.chooseShortcut("new", of: old.bundleID) })
        #expect(self.phone(.iOS(8)).device.shortcuts(of: old.bundleID).isEmpty)
    }

    @Test("A quick action connects the scene, and reaches an existing one with its data")
    func shortcutsWithScenes() async throws {
        let phone = phone()
        #expect(await phone.perform { $0.chooseShortcut("new", of: shop.bundleID) })
        #expect(try scene(phone).log == ["connected for new"])
        #expect(phone.device.shortcuts(of: shop.bundleID).map(\.type) == ["search", "new", "order.again"])
        #expect(phone.device.shortcuts(of: shop.bundleID).last?.icon == .symbol("cup.and.saucer"))
        #expect(await phone.perform { $0.chooseShortcut("order.again", of: shop.bundleID) })
        #expect(try scene(phone).log == ["connected for new", "perform order.again 41"])
        // They outlive the process, and can be changed.
        await phone.terminate(shop)
        #expect(phone.device.shortcuts(of: shop.bundleID).count == 3)
        await phone.open(shop)
        let titles = await phone.device.inside(shop.bundleID) { () -> [String] in
            let items = UIApplication.shared.shortcutItems ?? []
            guard let item = items.first?.mutableCopy() as? UIMutableApplicationShortcutItem else { return [] }
            item.localizedTitle = "Once more"
            item.icon = UIApplicationShortcutIcon(type: .favorite)
            let plain = ["b", "c"].map { UIApplicationShortcutItem(type: $0, localizedTitle: $0) }
            UIApplication.shared.shortcutItems = [item] + plain
            return items.map(\.localizedTitle) + [item.userInfo?["order"] as? String ?? ""]
        }
        #expect(titles == ["Order again", "41"])
        #expect(phone.device.shortcuts(of: shop.bundleID).map(\.title) == ["Search", "New", "Once more", "b"])
        #expect(phone.device.shortcuts(of: shop.bundleID)[2].icon == .system(11))
    }

    // MARK: Windows, URLs, orientations

    @Test("Swift 5 mode: key window, windows and the delegate's window, from code without isolation")
    func windows() async throws {
        let phone = phone()
        await phone.open(old)
        let screen = try oldApp(phone).screen
        let roots = await phone.device.inside(old.bundleID) { TopWindow().roots() }
        #expect(roots?.count == 4 && roots?.allSatisfy { $0 === screen } == true)
        let counts = await phone.device.inside(old.bundleID) { () -> [Int] in
            let second = UIWindow(frame: UIScreen.main.bounds)
            let before = UIApplication.shared.windows.count
            second.makeKeyAndVisible()
            let app = UIApplication.shared
            #expect(app.keyWindow === second && app.windows.last === second && app.windows.first?.isKeyWindow == false)
            return [before, app.windows.count]
        }
        #expect(counts == [1, 2])
        // Nobody keeps the second.
        #expect(await phone.device.inside(old.bundleID) { UIApplication.shared.windows.count } == 1)

        await phone.open(shop)
        let delegate = try scene(phone)
        let areSame = await phone.device.inside(shop.bundleID) { () -> Bool in
            let app = UIApplication.shared
            let windowScene = app.connectedScenes.first as? UIWindowScene
            let sceneWindow: UIWindow?? = (windowScene?.delegate as? any UIWindowSceneDelegate)?.window
            // The app's delegate has no window: the scene's has.
            return app.delegate?.window == nil && sceneWindow == delegate.window && app.keyWindow === delegate.window
                && windowScene?.windows == app.windows && windowScene?.keyWindow === app.keyWindow
        }
        #expect(areSame == true)
    }

    @Test("Swift 5 mode: canOpenURL needs a declaration from iOS 9 on, and openURL opens", arguments: [8, 17])
    func canOpen(_ system: Int) async throws {
        let phone = phone(.iOS(system))
        await phone.open(old)
        let delegate = try oldApp(phone)
        #expect(await phone.device.inside(old.bundleID) { delegate.openMap() } == [false, true, true])
        await phone.device.settled()
        #expect(phone.device.screen.front == nil)
        let maps = InstalledApp(
            bundleID: "com.example.maps",
            info: ["CFBundleURLTypes": [["CFBundleURLSchemes": ["othermaps", "hidden"]]]]
        )
        phone.install(maps) { SyncApp() }
        await phone.open(old)
        let hidden = try url("hidden:x")
        let isKnown = await phone.device.inside(old.bundleID) { UIApplication.shared.canOpenURL(hidden) }
        #expect(isKnown == (system < 9))
        #expect(await phone.device.inside(old.bundleID) { delegate.openMap() } == [true, true])
        await phone.device.settled()
        #expect(phone.device.screen.front == maps.bundleID)
    }

    @Test("Idiom, masks and the orientation that the app's answer leaves")
    func orientation() async throws {
        let phone = phone()
        await phone.open(shop)
        await phone.open(old)
        let found = await phone.device.inside(shop.bundleID) {
            (UIApplication.shared.connectedScenes.first as? UIWindowScene)?.interfaceOrientation
        }
        #expect(found == .landscapeRight)
        let mask = await phone.device.inside(old.bundleID) {
            UIApplication.shared.supportedInterfaceOrientations(for: UIApplication.shared.keyWindow)
        }
        #expect(mask == [.landscapeLeft, .landscapeRight] && mask?.contains(.portrait) == false)
        #expect(
            UIInterfaceOrientationMask.all.rawValue == 30 && UIInterfaceOrientationMask.allButUpsideDown.rawValue == 26
        )
        #expect(
            UIInterfaceOrientation.landscapeLeft.isLandscape && UIInterfaceOrientation.portraitUpsideDown.isPortrait
        )
        let declared = InstalledApp(
            bundleID: "com.example.declared",
            info: ["UISupportedInterfaceOrientations": ["UIInterfaceOrientationPortraitUpsideDown"]]
        )
        phone.install(declared) { SyncApp() }
        await phone.open(declared)
        #expect(
            await phone.device.inside(declared.bundleID) { UIApplication.shared.statusBarOrientation }
                == .portraitUpsideDown
        )
    }

    @Test("A memory warning reaches each running app, in front and behind")
    func memory() async throws {
        let phone = phone()
        let name = UIApplication.didReceiveMemoryWarningNotification
        await phone.open(old)
        await phone.open(shop)
        let posts = Posts()
        let token: (any NSObjectProtocol)? = phone.device.inside(shop.bundleID) {
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { posts.count += 1 }
            }
        }
        await phone.perform { $0.warnOfMemory() }
        if let token { NotificationCenter.default.removeObserver(token) }
        #expect(try oldApp(phone).log.last == "memory")
        #expect(try shopApp(phone).memoryWarnings == 1 && posts.count == 1)
        #expect(phone.device.callbacks(of: old).last == "applicationDidReceiveMemoryWarning(_:)@background")
        #expect(phone.device.callbacks(of: shop).last == "applicationDidReceiveMemoryWarning(_:)@active")
    }

    @Test("Swift 5 mode: code without isolation registers in a completion handler and reads the device")
    func nonisolated() async throws {
        let phone = phone()
        await phone.open(old)
        let caller = NonisolatedCaller()
        let granted = await phone.device.inside(old.bundleID) {
            await withCheckedContinuation { continuation in
                caller.register { @Sendable in continuation.resume(returning: $0) }
            }
        }
        #expect(granted == true)
        try await eventually("the app has a token") { phone.device.token(of: old.bundleID) != nil }
        #expect(await phone.device.inside(old.bundleID) { caller.describe() } == "iPhone 17.0 true")
    }
}

@MainActor
private final class Posts { var count = 0 }

extension Device {
    /// The methods of one app that ran, as `name@state`.
    func callbacks(of app: InstalledApp) -> [String] {
        recentDeviceEvents.filter { $0.app == app.bundleID }.compactMap { event in
            if case .callback(let name, let state, _) = event.kind { "\(name)@\(state.rawValue)" } else { nil }
        }
    }
}
