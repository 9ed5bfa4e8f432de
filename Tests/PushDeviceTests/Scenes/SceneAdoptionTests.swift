import AppInstallation
import CoreLocation
import Foundation
import PosthornTesting
import PushDevice
import PushKit
import PushModel
import TestSupport
import Testing
import UIKit

private let oldID = "com.example.old"

extension InstalledApp {
    /// An app without scenes that can be launched in every way, built with an SDK.
    fileprivate static func old(sdk: Int?) -> InstalledApp {
        var app = InstalledApp(
            bundleID: oldID,
            name: "Old",
            backgroundModes: ["remote-notification", "fetch", "voip"],
            info: [
                "CFBundleURLTypes": [["CFBundleURLSchemes": ["old"]]],
                "UIApplicationShortcutItems": [
                    ["UIApplicationShortcutItemType": "play", "UIApplicationShortcutItemTitle": "Play"]
                ],
            ]
        )
        if let sdk { app.sdk = sdk }
        return app
    }
}

/// Counts its launches, and asks for all that can launch it later.
@MainActor
private final class OldApp: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    static let later = UNNotificationAction(identifier: "later", title: "Later")

    private let launched: () -> Void

    init(_ launched: @escaping () -> Void) { self.launched = launched }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        launched()
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.setNotificationCategories([
            UNNotificationCategory(identifier: "quiet", actions: [Self.later], intentIdentifiers: [])
        ])
        center.requestAuthorization(options: [.alert]) { _, _ in }
        application.registerForRemoteNotifications()
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        return true
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { completionHandler(.noData) }
}

/// Source: Apple, "TN3187: Migrating to the UIKit scene-based life cycle", and "Transitioning to the UIKit scene-based life cycle".
@Suite("Apps without scenes, by the SDK that they were built with")
@MainActor
struct SceneAdoptionTests {
    private nonisolated static let refusal =
        "Application failed to launch: UIScene life cycle is required for apps built with this SDK."

    /// A phone with an app that has been opened in its earlier build, where it was allowed to; then the build for the test is installed.
    @MainActor private final class Stage {
        let phone: TestPhone
        var app: InstalledApp
        private(set) var launches = 0

        init(_ major: Int, _ app: InstalledApp) async {
            phone = TestPhone(.iOS(major))
            self.app = .old(sdk: 26)
            phone.install(self.app) { OldApp { self.launches += 1 } }
            await phone.open(self.app)
            await phone.background(self.app)
            self.app = app
            phone.install(app) { OldApp { self.launches += 1 } }
            launches = 0
        }

        var id: String { app.bundleID }

        /// The reasons for which processes of the app ended.
        var ends: [String] {
            phone.device.recentDeviceEvents.compactMap { event in
                if case .processEnded(let reason) = event.kind { reason } else { nil }
            }
        }

        /// Whether the app was not launched, and why.
        func expectRefusal(sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(launches == 0, sourceLocation: sourceLocation)
            #expect(phone.device.condition(of: id) == .notRunning, sourceLocation: sourceLocation)
            #expect(phone.device.screen.front == nil, sourceLocation: sourceLocation)
            #expect(ends.count == 1, sourceLocation: sourceLocation)
            #expect(ends.first?.hasPrefix(SceneAdoptionTests.refusal) == true, sourceLocation: sourceLocation)
        }

        /// Whether the journey of a push ends with the refusal, and says so in words.
        func expectRefusal(of push: String, sourceLocation: SourceLocation = #_sourceLocation) {
            let kinds = phone.journeys.kinds(of: push)
            guard case .crashed(let reason) = kinds.last else {
                Issue.record("\(kinds)", sourceLocation: sourceLocation)
                return
            }
            #expect(reason.hasPrefix(SceneAdoptionTests.refusal), sourceLocation: sourceLocation)
            #expect(!kinds.contains { if case .woken = $0 { true } else { false } }, sourceLocation: sourceLocation)
            let sentence = Verdict(phone.journeys.events(of: push)).sentence
            #expect(sentence.contains(SceneAdoptionTests.refusal), sourceLocation: sourceLocation)
            #expect(
                sentence.contains("no UIApplicationSceneManifest with a configuration"),
                sourceLocation: sourceLocation
            )
        }
    }

    private func refused() async -> Stage { await Stage(27, .old(sdk: 27)) }

    // MARK: The SDK

    @Test(
        "The SDK is that of the Info.plist, by the keys that Xcode writes; 26 if it does not say it",
        arguments: [
            ([:], 26), (["DTSDKName": "iphoneos27.0"], 27), (["DTSDKName": "iphonesimulator18.4"], 18),
            (["DTPlatformVersion": "27.1"], 27), (["DTPlatformVersion": "26"], 26),
            (["DTSDKName": "iphoneos27.0", "DTPlatformVersion": "26.0"], 27),
            (["DTSDKName": "iphoneos", "DTPlatformVersion": "27.0"], 27),
            (["DTSDKName": "$(SDK_NAME)"], 26), (["DTPlatformVersion": ""], 26), (["DTPlatformVersion": 27], 26),
            (["DTPlatformVersion": "99999999999999999999.0"], 26), (["DTPlatformVersion": "2700.0"], 26),
        ] as [(JSONObject, Int)]
    )
    func sdk(_ info: JSONObject, _ major: Int) {
        #expect(InstalledApp(bundleID: "com.example.old", info: info).sdk == major)
    }

    @Test("A build's SDK can be stated, and is in its Info.plist then")
    func statedSDK() {
        var app = InstalledApp(bundleID: "com.example.old")
        app.sdk = 27
        #expect(app.sdk == 27)
        #expect(app.info["DTSDKName"] == "iphoneos27.0" && app.info["DTPlatformVersion"] == "27.0")
    }

    @Test("A program's SDK is read from its Info.plist")
    func program() throws {
        try withTemporaryFolder { folder in
            let executable = folder.appending(path: "Shop")
            try Data("#!/bin/sh\n".utf8).write(to: executable)
            let path = executable.path(percentEncoded: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            let info = [
                "CFBundleIdentifier": "com.example.shop", "DTSDKName": "iphoneos27.0", "DTPlatformVersion": "27.0",
            ]
            let data = try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
            try data.write(to: folder.appending(path: "Shop.plist"))
            #expect(try ProgramApp(executable: executable).app.sdk == 27)
        }
    }

    @Test(
        "Scenes are adopted by a manifest with a configuration, or in code",
        arguments: [
            (nil, false, false), (nil, true, true),
            (InstalledApp.scenes.info["UIApplicationSceneManifest"], false, true), ([:], false, false),
            (["UIApplicationSupportsMultipleScenes": true], false, false),
            (["UISceneConfigurations": ["UIWindowSceneSessionRoleApplication": []]], false, false),
            (["UISceneConfigurations": []], true, true), ("yes", false, false),
        ] as [(JSONValue?, Bool, Bool)]
    )
    func adoption(_ manifest: JSONValue?, _ inCode: Bool, _ adopts: Bool) {
        var app = InstalledApp(bundleID: "com.example.old")
        app.info["UIApplicationSceneManifest"] = manifest
        app.configuresScenesInCode = inCode
        #expect(app.adoptsScenes == adopts)
    }

    // MARK: Launched, or not

    @Test("iOS 27 launches each app but one of its SDK without scenes", arguments: [26, 27], [nil, 18, 26, 27, 28])
    func launches(_ major: Int, _ sdk: Int?) async {
        let stage = await Stage(major, .old(sdk: sdk))
        let isRefused = major == 27 && (sdk ?? 26) >= 27
        #expect((stage.phone.device.launchRefusal(of: stage.id) != nil) == isRefused)
        await stage.phone.perform { $0.open(oldID) }
        #expect(stage.launches == (isRefused ? 0 : 1))
        if isRefused { stage.expectRefusal() } else { #expect(stage.ends.isEmpty) }
    }

    @Test("With a manifest, or scenes in code, the SDK of iOS 27 is fine", arguments: [true, false])
    func adopted(_ inCode: Bool) async {
        var app = InstalledApp.old(sdk: 27)
        if inCode {
            app.configuresScenesInCode = true
        } else {
            app.info["UIApplicationSceneManifest"] = InstalledApp.scenes.info["UIApplicationSceneManifest"]
        }
        let stage = await Stage(27, app)
        #expect(stage.phone.device.launchRefusal(of: stage.id) == nil)
        await stage.phone.open(stage.app)
        #expect(stage.launches == 1 && stage.phone.device.screen.front == stage.id)
    }

    @Test("An app that is not installed is refused for no such reason")
    func missing() { #expect(TestPhone(.iOS(27)).device.launchRefusal(of: "com.example.none") == nil) }

    @Test("In a test, opening such an app is a failure with the reason")
    func failure() async {
        let stage = await refused()
        await withKnownIssue {
            await stage.phone.open(stage.app)
        } matching: { issue in
            issue.comments.contains {
                $0.rawValue.hasPrefix("com.example.old cannot be opened: \(Self.refusal)")
            }
        }
        stage.expectRefusal()
    }

    @Test("A swipe in the app switcher before makes no difference, and opening the app ends its effect")
    func forceQuit() async {
        let stage = await refused()
        await stage.phone.forceQuit(stage.app)
        #expect(stage.phone.device.condition(of: stage.id) == .forceQuit)
        await stage.phone.perform { $0.open(oldID) }
        stage.expectRefusal()
    }

    @Test("The app in front leaves, and the home screen stays")
    func front() async {
        let stage = await refused()
        stage.phone.install(.lab) { PlainApp() }
        await stage.phone.open(.lab)
        await stage.phone.perform { $0.open(oldID) }
        #expect(stage.phone.device.screen.front == nil)
        #expect(stage.phone.device.condition(of: InstalledApp.lab.bundleID) == .background)
    }

    // MARK: Pushes

    @Test("An alert is shown; its tap launches nothing, and the journey says why")
    func tap() async {
        let stage = await refused()
        let push = await stage.phone.push(.alert, to: stage.app)
        #expect(stage.phone.journeys.kinds(of: push).contains(.presented(.banner)))
        #expect(stage.ends.isEmpty)
        #expect(await stage.phone.tap(push))
        #expect(stage.phone.journeys.kinds(of: push).contains(.opened))
        stage.expectRefusal(of: push)
        stage.expectRefusal()
    }

    @Test("A silent push does not start it in the background", arguments: [JSONValue.silent, .alertAndContent])
    func silent(_ payload: JSONValue) async {
        let stage = await refused()
        let push = await stage.phone.push(payload, to: stage.app)
        let kinds = stage.phone.journeys.kinds(of: push)
        #expect(kinds.contains { if case .crashed(let reason) = $0 { reason.hasPrefix(Self.refusal) } else { false } })
        #expect(!kinds.contains(.woken(.background)))
        if payload == .silent { stage.expectRefusal(of: push) } else { #expect(kinds.contains(.presented(.banner))) }
        stage.expectRefusal()
    }

    @Test("A VoIP push does not start it, and no call is missed by it")
    func voIP() async {
        let stage = await refused()
        let push = await stage.phone.push(voIP: ["caller": "Ann"], to: stage.app)
        stage.expectRefusal(of: push)
        stage.expectRefusal()
        #expect(stage.phone.ringingCall == nil)
        // It is not the app's fault that it reported none: the next build rings.
        for _ in 1...3 { await stage.phone.push(voIP: ["caller": "Ann"], to: stage.app) }
        #expect(stage.ends.count == 4)
    }

    @Test("A button that leaves the app where it is does not start it either")
    func button() async {
        let stage = await refused()
        let payload: JSONValue = ["aps": ["alert": "Hi", "category": "quiet"]]
        let push = await stage.phone.push(payload, to: stage.app)
        await stage.phone.choose("later", on: push)
        #expect(stage.phone.journeys.kinds(of: push).contains(.acted("later")))
        stage.expectRefusal(of: push)
        stage.expectRefusal()
    }

    // MARK: Other launches

    @Test("A quick action and a URL launch nothing")
    func items() async throws {
        let quick = await refused()
        #expect(await quick.phone.perform { $0.chooseShortcut("play", of: oldID) })
        quick.expectRefusal()
        let link = await refused()
        let url = try #require(URL(string: "old://page"))
        #expect(await link.phone.perform { $0.openURL(url) })
        link.expectRefusal()
    }

    @Test("Nor do a background fetch and the end of transfers")
    func work() async {
        let fetch = await refused()
        #expect(await !fetch.phone.perform { $0.fetchInBackground(oldID) })
        fetch.expectRefusal()
        let transfers = await refused()
        #expect(await !transfers.phone.perform { $0.finishBackgroundSession("a", of: oldID) })
        transfers.expectRefusal()
    }

    // MARK: The warning

    @Test(
        "UIKit warns of an app without scenes in the words of its version, when it comes to the foreground, once a process",
        arguments: [
            ("17.0", nil), ("18.3", nil),
            (
                "18.4",
                "CLIENT OF UIKIT REQUIRES UPDATE: This process does not adopt UIScene lifecycle. This will become an assert in a future version."
            ),
            (
                "26.0",
                "`UIScene` lifecycle will soon be required. Failure to adopt will result in an assert in the future."
            ),
            (
                "27.0",
                "`UIScene` lifecycle will soon be required. Failure to adopt will result in an assert in the future."
            ),
        ] as [(String, String?)]
    )
    func warning(_ version: String, _ text: String?) async {
        let phone = TestPhone(system: version)
        let app = InstalledApp.old(sdk: 26)
        phone.install(app) { OldApp {} }
        let expected = text.map { [$0] } ?? []
        await phone.push(.silent, to: app)
        #expect(Self.warnings(on: phone) == [], "No scene is created in the background.")
        await phone.open(app)
        await phone.background(app)
        await phone.open(app)
        #expect(Self.warnings(on: phone) == expected)
        await phone.terminate(app)
        await phone.open(app)
        #expect(Self.warnings(on: phone) == expected + expected)
    }

    private static func scene(of app: InstalledApp, on phone: TestPhone) -> RecordingScene? {
        phone.device.inside(app.bundleID) {
            UIApplication.shared.connectedScenes.first?.delegate as? RecordingScene
        } ?? nil
    }

    private static func warnings(on phone: TestPhone) -> [String] {
        phone.device.recentDeviceEvents.compactMap { event in
            if case .warning(let text) = event.kind { text } else { nil }
        }
    }

    @Test("It warns of no app with scenes, declared or configured in code", arguments: [true, false])
    func noWarning(_ inCode: Bool) async {
        let phone = TestPhone(.iOS(27))
        var app = InstalledApp.scenes
        if inCode {
            app.info["UIApplicationSceneManifest"] = nil
            phone.install(app) { ConfiguringApp() }
        } else {
            phone.install(app) { SceneApp() }
        }
        await phone.open(app)
        #expect(Self.scene(of: app, on: phone) != nil)
        #expect(Self.warnings(on: phone) == [])
    }
}
