import Foundation
import PosthornTesting
import PushDevice
import PushLab
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

@Suite("PushLab's scene", .suiteLimit)
@MainActor
struct PushLabSceneTests {
    private static let scene = [
        "scene(_:willConnectTo:options:)", "sceneWillEnterForeground(_:)", "sceneDidBecomeActive(_:)",
        "sceneWillResignActive(_:)", "sceneDidEnterBackground(_:)",
    ]
    private static let application = [
        "applicationWillEnterForeground(_:)", "applicationDidBecomeActive(_:)", "applicationWillResignActive(_:)",
        "applicationDidEnterBackground(_:)",
    ]

    /// The lines about the life cycle and about `others`, with the app's state.
    private func lifeCycle(of stage: LabStage, and others: String...) throws -> [String] {
        let names = Self.scene + Self.application + others
        return try stage.lab.log.lines.filter { names.contains($0.name) }.map { "\($0.name) \($0.state)" }
    }

    @Test(
        "From iOS 13 on the window is the scene's, and the scene hears of the life cycle",
        arguments: [13, 17, 26, 27]
    )
    func scenes(_ major: Int) async throws {
        let stage = await LabStage(major, sdk: 27)
        let window = try #require(try stage.lab.window)
        #expect(window.rootViewController != nil && window.isKeyWindow && window.windowScene?.delegate is SceneDelegate)
        await stage.phone.background(stage.app)
        await stage.phone.open(stage.app)
        let prompt = ["sceneWillResignActive(_:) active", "sceneDidBecomeActive(_:) active"]
        #expect(
            try lifeCycle(of: stage) == [
                "scene(_:willConnectTo:options:) inactive", "sceneWillEnterForeground(_:) inactive",
                "sceneDidBecomeActive(_:) active",
            ] + prompt + [
                "sceneWillResignActive(_:) active", "sceneDidEnterBackground(_:) background",
                "sceneWillEnterForeground(_:) background", "sceneDidBecomeActive(_:) active",
            ]
        )
        #expect(!stage.phone.device.recentDeviceEvents.contains { if case .warning = $0.kind { true } else { false } })
    }

    @Test("Before iOS 13 the app's delegate makes the window and hears of it", arguments: [7, 9, 12])
    func earlier(_ major: Int) async throws {
        let stage = await LabStage(major)
        let window = try #require(try stage.lab.window)
        #expect(window.rootViewController != nil && window.isKeyWindow && window.windowScene == nil)
        await stage.phone.background(stage.app)
        await stage.phone.open(stage.app)
        let names = try stage.names
        for name in Self.application { #expect(names.contains(name)) }
        #expect(!names.contains { $0.hasPrefix("scene") })
    }

    @Test("A silent push starts it without a window; the scene makes one when the app is opened")
    func silent() async throws {
        let stage = await LabStage(17)
        await stage.phone.terminate(stage.app)
        await stage.phone.push(["aps": ["content-available": 1]], to: stage.app)
        #expect(try stage.lab.window == nil)
        #expect(try lifeCycle(of: stage).isEmpty)
        await stage.phone.open(stage.app)
        #expect(try stage.lab.window?.rootViewController != nil)
        #expect(try lifeCycle(of: stage).first == "scene(_:willConnectTo:options:) background")
    }

    @Test(
        "The notification that launches it comes with the connection, and is acted on once",
        arguments: [13, 17, 26, 27]
    )
    func tap(_ major: Int) async throws {
        let stage = await LabStage(major)
        await stage.phone.forceQuit(stage.app)
        let push = await stage.push(link: "pushlab://order/42")
        await stage.phone.tap(push)
        let receive = "jpushNotificationCenter(_:didReceive:withCompletionHandler:)"
        #expect(
            try lifeCycle(of: stage, and: receive, "page") == [
                "scene(_:willConnectTo:options:) inactive", "page inactive", "sceneWillEnterForeground(_:) inactive",
                "\(receive) inactive", "sceneDidBecomeActive(_:) active",
            ]
        )
        #expect(try stage.lab.page == .order("42"))
        let connection = try stage.lab.log.lines.first { $0.name == Self.scene[0] }
        #expect(connection?.detail == "notificationResponse \(UNNotificationDefaultActionIdentifier)")
        // The next notification is another one, also on the same page.
        await stage.phone.background(stage.app)
        await stage.phone.tap(await stage.push(link: "pushlab://order/42"))
        #expect(try stage.names.count { $0 == "page" } == 2)
    }

    @Test("A button that opens the app is acted on once, too")
    func button() async throws {
        let stage = await LabStage(26)
        await stage.phone.forceQuit(stage.app)
        let push = await stage.push(["category": "offer"], link: "pushlab://order/7")
        await stage.phone.choose("see", on: push)
        #expect(try stage.lab.page == .order("7"))
        #expect(try stage.names.count { $0 == "page" } == 1)
    }

    @Test("A local notification launches it as a push does")
    func local() async throws {
        let stage = await LabStage(17)
        try await stage.add(
            Reminder("one", "Look", .after(60), link: URL(string: "pushlab://order/9"))
        )
        await stage.phone.forceQuit(stage.app)
        await stage.phone.advance(by: .seconds(60))
        await stage.phone.tap(stage.phone.local("one", of: stage.app))
        #expect(try stage.lab.page == .order("9"))
        #expect(try stage.names.count { $0 == "page" } == 1)
    }

    @Test(
        "A quick action opens its page, whether it launches the app or finds it running",
        arguments: [9, 12, 13, 17, 26, 27],
        [true, false]
    )
    func quickAction(_ major: Int, isCold: Bool) async throws {
        let stage = await LabStage(major)
        await stage.phone.background(stage.app)
        if isCold { await stage.phone.forceQuit(stage.app) }
        #expect(stage.phone.device.shortcuts(of: stage.app.bundleID).map(\.title) == ["Reminders", "Settings"])
        let id = stage.app.bundleID
        #expect(await stage.phone.perform { $0.chooseShortcut("reminders", of: id) })
        #expect(try stage.lab.page == .reminders)
        #expect(try stage.names.count { $0 == "page" } == 1)
        let lines = try stage.lab.log.lines.filter { $0.detail == "reminders" || $0.detail == "shortcutItem reminders" }
        let method =
            if major < 13 {
                "application(_:performActionFor:completionHandler:)"
            } else {
                isCold ? Self.scene[0] : "windowScene(_:performActionFor:completionHandler:)"
            }
        #expect(lines.filter { $0.name != "page" }.map(\.name) == [method])
    }

    @Test(
        "A link opens its page, whether it launches the app or finds it running",
        arguments: [8, 12, 13, 17, 26, 27],
        [true, false]
    )
    func link(_ major: Int, isCold: Bool) async throws {
        let stage = await LabStage(major)
        await stage.phone.background(stage.app)
        if isCold { await stage.phone.forceQuit(stage.app) }
        let url = try #require(URL(string: "pushlab://order/3"))
        #expect(await stage.phone.perform { $0.openURL(url) })
        #expect(try stage.lab.page == .order("3"))
        #expect(try stage.names.count { $0 == "page" } == 1)
        let method =
            switch major {
            case ..<9: "application(_:open:sourceApplication:annotation:)"
            case ..<13: "application(_:open:options:)"
            default: isCold ? Self.scene[0] : "scene(_:openURLContexts:)"
            }
        #expect(try stage.lab.log.lines.contains { $0.name == method && $0.detail.hasSuffix(url.absoluteString) })
    }

    @Test("A swipe in the app switcher disconnects the scene")
    func disconnected() async throws {
        let stage = await LabStage(17)
        let lab = try stage.lab
        await stage.phone.forceQuit(stage.app)
        let end = ["sceneDidDisconnect(_:)", "applicationWillTerminate(_:)"]
        let names = lab.log.lines.map(\.name).filter { (Self.scene + end).contains($0) }
        #expect(names.suffix(4) == ["sceneWillResignActive(_:)", "sceneDidEnterBackground(_:)"] + end)
        #expect(lab.window == nil)
    }
}
