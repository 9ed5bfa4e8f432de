import CallbackMatrix
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

@Suite("The scheduled summary")
@MainActor
struct SummaryTests {
    /// A phone at 7:00 whose owner has put the app into the summary.
    private func phone(_ system: Int = 17, entitlements: Set<InstalledApp.Entitlement> = []) async throws -> TestPhone {
        let start = try Date("2026-03-02T07:00:00Z", strategy: .iso8601)
        let phone = TestPhone(.iOS(system), clock: VirtualClock(date: start))
        var app = InstalledApp.lab
        app.entitlements = entitlements
        phone.install(app) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(app)
        await phone.background(app)
        phone.device.changeSettings(of: lab) { $0.scheduledDelivery = true }
        return phone
    }

    private func push(_ title: String, _ aps: JSONObject = [:], to phone: TestPhone) async -> String {
        var aps = aps
        aps["alert"] = ["title": .string(title)]
        return await phone.push(["aps": .object(aps)], to: .lab)
    }

    @Test("Passive and active ones wait for the time of day, and come ordered by relevance without a sound")
    func held() async throws {
        let phone = try await phone()
        let first = await push("low", ["sound": "default", "relevance-score": 0.1], to: phone)
        let passive = await push("high", ["interruption-level": "passive", "relevance-score": 0.9], to: phone)
        _ = await push("also low", ["relevance-score": 0.1], to: phone)
        #expect(phone.journeys.kinds(of: first) == [.suppressed(.scheduledSummary)])
        #expect(Verdict(phone.journeys.events(of: first)).sentence.contains("scheduled summary"))
        #expect(phone.device.screen.banner == nil && phone.device.screen.list.isEmpty)
        #expect(phone.device.screen.upcoming.map(\.title) == ["high", "also low", "low"])
        await phone.advance(by: .seconds(3599))
        #expect(phone.device.screen.list.isEmpty)
        await phone.advance(by: .seconds(1))
        #expect(phone.device.screen.list.map(\.title) == ["high", "also low", "low"])
        #expect(phone.device.screen.banner == nil && phone.device.screen.upcoming.isEmpty)
        #expect(phone.journeys.kinds(of: passive) == [.suppressed(.scheduledSummary), .presented(.list)])
        #expect(Verdict(phone.journeys.events(of: first)).state == .shown)
    }

    @Test("Time-sensitive and critical ones come at once; without the entitlement they wait")
    func breaksThrough() async throws {
        let phone = try await phone(entitlements: [.timeSensitive])
        let urgent = await push("now", ["interruption-level": "time-sensitive"], to: phone)
        #expect(phone.journeys.kinds(of: urgent) == [.presented(.banner), .presented(.list)])
        let plain = try await self.phone()
        let held = await push("later", ["interruption-level": "time-sensitive"], to: plain)
        #expect(plain.journeys.kinds(of: held) == [.suppressed(.scheduledSummary)])
    }

    @Test("The next summary is the nearest of the times, in the zone of the device, and on the lock screen")
    func times() async throws {
        let phone = try await phone()
        let zone = try #require(TimeZone(identifier: "Asia/Shanghai"))
        await phone.perform { $0.setSummaryTimes([TimeOfDay(hour: 12), TimeOfDay(hour: 15, minute: 30)]) }
        let held = await push("one", to: phone)
        // 7:00 in London is 15:00 in Shanghai.
        await phone.perform { $0.setTimeZone(zone) }
        await phone.perform { $0.lock() }
        await phone.advance(by: .seconds(1799))
        #expect(phone.device.screen.list.isEmpty)
        await phone.advance(by: .seconds(1))
        #expect(
            phone.journeys.kinds(of: held)
                == [.suppressed(.scheduledSummary), .presented(.lockScreen), .presented(.list)]
        )
    }

    @Test("A badge changes at once; an app in front is asked; one without text has nothing to wait for")
    func atOnce() async throws {
        let phone = try await phone()
        let badged = await push("b", ["badge": 3], to: phone)
        #expect(phone.journeys.kinds(of: badged) == [.presented(.badge), .suppressed(.scheduledSummary)])
        #expect(phone.device.screen.badges == [lab: 3])
        let bare = await phone.push(["aps": ["badge": 4]], to: .lab)
        #expect(phone.journeys.kinds(of: bare).contains(.presented(.badge)))
        await phone.open(.lab)
        let front = await push("f", to: phone)
        #expect(phone.journeys.kinds(of: front).contains(.presented(.banner)))
    }

    @Test("The app finds what is held among its delivered notifications, and can take it back")
    func delivered() async throws {
        let phone = try await phone()
        _ = await push("a", to: phone)
        let titles = await phone.inCentre { await $0.deliveredNotifications().map(\.request.content.title) }
        #expect(titles == ["a"])
        await phone.inCentre { $0.removeAllDeliveredNotifications() }
        #expect(phone.device.screen.upcoming.isEmpty)
    }

    @Test("A newer one with the same collapse id takes the place of a held one")
    func replaced() async throws {
        let phone = try await phone()
        let old = await phone.push(["aps": ["alert": "old"]], to: .lab, collapseID: "c")
        await phone.push(["aps": ["alert": "new"]], to: .lab, collapseID: "c")
        #expect(phone.device.screen.upcoming.map(\.body) == ["new"])
        #expect(phone.journeys.kinds(of: old).last == .replaced(by: "c"))
    }

    @Test("An app that leaves the summary waits no longer; one that may not notify any more is not in it")
    func leaves() async throws {
        let phone = try await phone()
        _ = await push("a", to: phone)
        await phone.perform { device in device.changeSettings(of: lab) { $0.scheduledDelivery = false } }
        #expect(phone.device.screen.list.map(\.title) == ["a"])
        await phone.perform { device in device.changeSettings(of: lab) { $0.scheduledDelivery = true } }
        let denied = await push("b", to: phone)
        phone.device.setNotifications(of: lab, allowed: false)
        await phone.perform { $0.setSummaryTimes([]) }
        #expect(phone.device.screen.list.map(\.title) == ["a"])
        #expect(phone.journeys.kinds(of: denied).last == .suppressed(.permissionDenied))
    }

    @Test("Hidden previews hide what is held as well, and count it")
    func hidden() async throws {
        let phone = try await phone()
        await phone.device.inside(lab) {
            let category = UNNotificationCategory(
                identifier: "c",
                actions: [],
                intentIdentifiers: [],
                hiddenPreviewsBodyPlaceholder: "%u letters"
            )
            UNUserNotificationCenter.current().setNotificationCategories([category])
        }
        phone.device.changeSettings(of: lab) { $0.showPreviews = 2 }
        for title in ["a", "b"] { _ = await push(title, ["category": "c"], to: phone) }
        #expect(phone.device.screen.upcoming.map(\.body) == ["2 letters", "2 letters"])
        #expect(phone.device.screen.upcoming.map(\.title) == ["", ""])
    }

    @Test("A Focus keeps the summary off the lock screen, and says so")
    func focus() async throws {
        let phone = try await phone()
        let held = await push("a", to: phone)
        await phone.perform { $0.setFocus(Focus(name: "Sleep")) }
        await phone.perform { $0.lock() }
        await phone.advance(by: .seconds(3600))
        #expect(
            phone.journeys.kinds(of: held)
                == [.suppressed(.scheduledSummary), .presented(.list), .suppressed(.focus)]
        )
    }

    @Test("Before iOS 15 there is no summary")
    func before() async throws {
        let phone = try await phone(14)
        let push = await push("a", to: phone)
        #expect(phone.journeys.kinds(of: push) == [.presented(.banner), .presented(.list)])
    }

    @Test(
        "Scheduled delivery, announcement and direct messages answer as the user chose; at first direct messages are on",
        arguments: [
            (
                12, [UNNotificationSetting.notSupported, .notSupported, .notSupported],
                UNNotificationSetting.notSupported
            ),
            (14, [.notSupported, .notSupported, .notSupported], .notSupported),
            (15, [.disabled, .disabled, .enabled], .enabled),
        ]
    )
    func settings(system: Int, before: [UNNotificationSetting], after: UNNotificationSetting) async {
        let phone = await TestPhone(.iOS(system)).opening { CompleteMatrixApp.make(MatrixAppPlan()) }
        func read() async -> [UNNotificationSetting] {
            await phone.device.inside(lab) {
                let settings = await UNUserNotificationCenter.current().notificationSettings()
                return [
                    settings.scheduledDeliverySetting, settings.announcementSetting, settings.directMessagesSetting,
                ]
            } ?? []
        }
        #expect(await read() == before)
        phone.device.changeSettings(of: lab) { settings in
            settings.scheduledDelivery = settings.scheduledDelivery.map { _ in true }
            settings.announcement = settings.announcement.map { _ in true }
            settings.directMessages = settings.directMessages.map { _ in true }
        }
        #expect(await read() == [after, after, after])
    }

    @Test("Until iOS 14 an app has to ask for announcements")
    func announcementOnRequest() async {
        let phone = await TestPhone(.iOS(13)).opening { AnnouncingApp() }
        #expect(phone.device.settings(of: lab)?.announcement == false)
    }
}

private final class AnnouncingApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: UNAuthorizationOptions(rawValue: 4 | 128)) {
            _,
            _ in
        }
        return true
    }
}
