import DeviceLink
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushLab
import PushModel
import Testing
import UIKit

/// The app of the guide on a phone, and a service for its SDK.
@MainActor
struct LabStage {
    /// 10 March 2025, a Monday, at noon in Greenwich.
    static let monday = Date(timeIntervalSince1970: 1_741_608_000)

    let phone: TestPhone
    let service = TestService()
    var app = InstalledApp(
        bundleID: "com.example.pushlab",
        name: "PushLab",
        backgroundModes: ["remote-notification", "voip"],
        link: TestService.url,
        info: LabStage.info
    )

    /// The declarations of the app's Info.plist.
    nonisolated static let info: JSONObject = [
        "NSLocationWhenInUseUsageDescription": "Reminders at a place", "NSSupportsLiveActivities": true,
        "CFBundleURLTypes": [["CFBundleURLSchemes": ["pushlab"]]],
        "UIApplicationSceneManifest": [
            "UIApplicationSupportsMultipleScenes": false,
            "UISceneConfigurations": [
                "UIWindowSceneSessionRoleApplication": [
                    [
                        "UISceneConfigurationName": "Default Configuration",
                        "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).SceneDelegate",
                    ]
                ]
            ],
        ], "UIApplicationShortcutItems": [shortcut("reminders", "Reminders"), shortcut("settings", "Settings")],
    ]

    private nonisolated static func shortcut(_ page: String, _ title: String) -> JSONValue {
        [
            "UIApplicationShortcutItemType": .string(page), "UIApplicationShortcutItemTitle": .string(title),
            "UIApplicationShortcutItemUserInfo": ["link": .string("pushlab://\(page)")],
        ]
    }

    /// - Parameters:
    ///   - major: the version of iOS.
    ///   - language: the phone's language.
    ///   - strings: the app's strings by language, then by key.
    ///   - sdk: the SDK that the app was built with.
    ///   - appKey: the app's key at the service; nil for an app without a service.
    ///   - folder: the folder of the app's files.
    ///   - schedule: sends a body to `/v3/schedules`; nil for an app that does not push.
    ///   - serviceExtension: creates the service extension; nil for none.
    init(
        _ major: Int,
        language: String = "en",
        strings: [String: [String: String]] = [:],
        sdk: Int = InstalledApp.assumedSDK,
        appKey: String? = "key",
        folder: URL = PushLabSettings.caches,
        schedule: (@Sendable (Data) async throws -> Void)? = nil,
        serviceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil
    ) async {
        let clock = VirtualClock(date: Self.monday)
        phone = TestPhone(.iOS(major), clock: clock)
        phone.dialer.serve(TestService.url, service)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let settings = PushLabSettings(
            appKey: appKey,
            folder: folder,
            now: { clock.date },
            calendar: calendar,
            schedule: schedule
        )
        app.strings = strings
        app.sdk = sdk
        phone.device.setLanguage(language)
        phone.install(app, serviceExtension: serviceExtension) { AppDelegate(settings: settings) }
        await phone.open(app)
    }

    /// The app that runs now.
    var lab: AppDelegate {
        get throws { try #require(phone.device.delegate(of: app.bundleID, as: AppDelegate.self)) }
    }

    /// The names of what the app has logged since its start.
    var names: [String] { get throws { try lab.log.lines.map(\.name) } }

    /// Runs `body` as the app's own code.
    func inside<Result: Sendable>(
        _ body: @MainActor (AppDelegate) async throws -> Result
    ) async throws -> Result {
        let lab = try lab
        let result = try await phone.device.inside(app.bundleID) { try await body(lab) }
        await phone.device.settled()
        return try #require(result)
    }

    func add(_ reminder: Reminder) async throws { try await inside { try await $0.reminders.add(reminder) } }

    @discardableResult
    func push(_ aps: JSONObject = [:], link: String? = nil) async -> String {
        var full: JSONObject = ["alert": ["title": "Shop", "body": "Look"]]
        for member in aps.members { full[member.key] = member.value }
        var payload: JSONObject = ["aps": .object(full)]
        payload["link"] = link.map { .string($0) }
        return await phone.push(.object(payload), to: app)
    }
}
