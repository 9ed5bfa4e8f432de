import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("Actions of a test's phone on apps")
@MainActor
struct PhoneActionTests {
    private static func app(_ name: String) -> InstalledApp {
        InstalledApp(
            bundleID: "com.example.\(name)",
            backgroundModes: ["fetch"],
            info: [
                "CFBundleURLTypes": [["CFBundleURLSchemes": [.string(name)]]],
                "NSUserActivityTypes": ["com.example.reading"],
                "UIApplicationShortcutItems": [
                    ["UIApplicationShortcutItemType": "search", "UIApplicationShortcutItemTitle": "Search"]
                ],
            ]
        )
    }

    private let app = app("actions")

    private func phone() -> TestPhone {
        let phone = TestPhone()
        phone.install(app) { ActionApp() }
        return phone
    }

    private func log(_ phone: TestPhone) -> [String] {
        phone.device.delegate(of: app.bundleID, as: ActionApp.self)?.log ?? []
    }

    @Test("Reach the app")
    func reach() async throws {
        let phone = phone()
        #expect(await phone.openURL(try #require(URL(string: "actions://news/1"))))
        #expect(await phone.chooseShortcut("search", of: app))
        #expect(await phone.handOff(ActivityRecord(type: "com.example.reading", title: "Chapter 2"), to: app))
        await phone.warnOfMemory()
        await phone.background(app)
        #expect(await phone.fetchInBackground(app))
        #expect(await phone.finishBackgroundSession("downloads", of: app))
        #expect(
            log(phone) == [
                "open actions://news/1", "perform search", "continue Chapter 2", "memory", "fetch", "session downloads",
            ]
        )
    }

    @Test("An action that the phone refuses fails the test with the reason")
    func refusals() async throws {
        let phone = phone()
        await phone.open(app)
        let nowhere = try #require(URL(string: "nowhere://x"))
        let acts: [(String, @MainActor () async -> Bool)] = [
            ("Cannot open nowhere://x: no app opens 'nowhere' links.", { await phone.openURL(nowhere) }),
            (
                "Cannot choose the quick action 'play': the icon of com.example.actions shows search.",
                { await phone.chooseShortcut("play", of: app) }
            ),
            (
                "Cannot continue 'other': NSUserActivityTypes in the Info.plist of com.example.actions does not have it.",
                { await phone.handOff(ActivityRecord(type: "other"), to: app) }
            ),
            ("Cannot fetch in the background: com.example.actions has no", { await phone.fetchInBackground(app) }),
            (
                "Cannot finish the background session 'x': com.example.actions is in the foreground",
                { await phone.finishBackgroundSession("x", of: app) }
            ),
        ]
        for (text, act) in acts {
            await withKnownIssue {
                #expect(await act() == false)
            } matching: {
                $0.comments.map(\.rawValue).joined().contains(text)
                    && $0.sourceLocation?.fileID.hasSuffix("PhoneActionTests.swift") == true
            }
        }
        await phone.perform { $0.lock() }
        await withKnownIssue {
            await phone.chooseShortcut("search", of: app)
        } matching: {
            $0.comments.map(\.rawValue).joined().contains("quick action 'search': the phone is locked.")
        }
        #expect(log(phone) == [])
    }
}

private final class ActionApp: UIResponder, UIApplicationDelegate {
    var log: [String] = []

    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        log.append("open \(url)")
        return true
    }

    func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        log.append("perform \(shortcutItem.type)")
        completionHandler(true)
    }

    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        log.append("continue \(userActivity.title ?? "-")")
        return true
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        log.append("fetch")
        completionHandler(.noData)
    }

    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        log.append("session \(identifier)")
        completionHandler()
    }

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { log.append("memory") }
}
