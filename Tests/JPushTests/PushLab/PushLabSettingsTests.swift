import CoreLocation
import DeviceLink
import Foundation
import JPush
import PosthornTesting
import PushDevice
import PushLab
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

@Suite("PushLab's settings, badge, attachments and texts", .suiteLimit)
@MainActor
struct PushLabSettingsTests {
    /// The details of the last line with this name.
    private func said(_ name: String, _ stage: LabStage) throws -> String? {
        try stage.lab.log.lines.last { $0.name == name }?.detail
    }

    private func openSettings(_ stage: LabStage) async throws {
        let url = try #require(URL(string: "pushlab://settings"))
        #expect(await stage.phone.perform { $0.openURL(url) })
        #expect(try stage.lab.page == .settings)
        try await stage.inside { await $0.readSettings() }
    }

    // MARK: Settings

    @Test("The page of settings has each of them, as the user has them at that moment")
    func settings() async throws {
        let stage = await LabStage(17)
        try await openSettings(stage)
        let common =
            "timeSensitive=notSupported criticalAlert=notSupported scheduledDelivery=disabled alertStyle="
        let all = "alert=enabled sound=enabled badge=enabled lockScreen=enabled notificationCenter=enabled"
        #expect(try said("notificationSettings", stage) == "authorized \(all) \(common)banner previews=always")

        stage.phone.device.changeSettings(of: stage.app.bundleID) { settings in
            settings.allowed &= ~SettingsRecord.sound
            settings.showsOnLockScreen = false
            settings.hasPersistentBanners = true
            settings.showPreviews = 1
        }
        try await openSettings(stage)
        let fewer = "alert=enabled sound=disabled badge=enabled lockScreen=disabled notificationCenter=enabled"
        let expected = "authorized \(fewer) \(common)alert previews=whenAuthenticated"
        #expect(try said("notificationSettings", stage) == expected)

        stage.phone.device.setNotifications(of: stage.app.bundleID, allowed: false)
        try await openSettings(stage)
        #expect(try said("notificationSettings", stage)?.hasPrefix("denied alert=disabled") == true)
    }

    @Test("Before iOS 10 it has the types", arguments: [(7, "enabledRemoteNotificationTypes"), (9, "")])
    func oldSettings(_ major: Int, _ name: String) async throws {
        let stage = await LabStage(major)
        try await openSettings(stage)
        let types = try said(name.isEmpty ? "currentUserNotificationSettings" : name, stage)
        #expect(types == (major < 8 ? "7" : "types 7"))
    }

    // MARK: Badge

    @Test("Opening the app sets its badge to 0, here and at the service", arguments: [9, 17])
    func badge(_ major: Int) async throws {
        let stage = await LabStage(major)
        let id = stage.app.bundleID
        await stage.phone.background(stage.app)
        await stage.push(["badge": 3])
        #expect(stage.phone.device.screen.badges[id] == 3)
        await stage.phone.open(stage.app)
        #expect(stage.phone.device.screen.badges[id] ?? 0 == 0)
        // A badge that changes to 0 takes the entries with it.
        #expect(stage.phone.device.screen.list.isEmpty)
        try await eventually("the service hears of the badge") { stage.service.requests.contains(.badge(0)) }
    }

    @Test("Without a badge the entries stay when the app is opened by its icon")
    func noBadge() async throws {
        let stage = await LabStage(17)
        await stage.phone.background(stage.app)
        await stage.push()
        await stage.phone.open(stage.app)
        #expect(stage.phone.device.screen.list.count == 1)
        #expect(!stage.service.requests.contains(.badge(0)))
    }

    // MARK: Attachments

    @Test("A reminder shows the picture that it attaches, with and without JPush", arguments: [false, true])
    func attachment(_ isJPush: Bool) async throws {
        let stage = await LabStage(17)
        let file = try SamplePicture.file(in: FileManager.default.temporaryDirectory)
        let picture = try Data(contentsOf: file)
        let reminder = Reminder("tea", "Tea", .after(5), attachment: file)
        if isJPush {
            #expect(try await add(reminder, stage))
        } else {
            try await stage.add(reminder)
        }
        // The system has moved it into its own store.
        #expect(!FileManager.default.fileExists(atPath: file.path))
        await stage.phone.background(stage.app)
        await stage.phone.advance(by: .seconds(4))
        #expect(stage.phone.device.screen.list.isEmpty)
        await stage.phone.advance(by: .seconds(1))
        let thumbnail = try #require(stage.phone.device.screen.list.first?.thumbnail)
        #expect(thumbnail.type == "public.png")
        #expect(FileManager.default.contents(atPath: thumbnail.path) == picture)
    }

    // MARK: JPush

    private func add(_ reminder: Reminder, _ stage: LabStage) async throws -> Bool {
        try await stage.inside { try await $0.reminders.addWithJPush(reminder) }
    }

    private func found(delivered: Bool, _ stage: LabStage) async throws -> [String] {
        try await stage.inside { await $0.reminders.foundWithJPush(delivered: delivered).sorted() }
    }

    @Test("Through JPush a reminder is added, changed, found and removed by its id", arguments: [9, 10, 17])
    func throughJPush(_ major: Int) async throws {
        let stage = await LabStage(major)
        #expect(try await add(Reminder("tea", "Tea", .after(100)), stage))
        #expect(try await add(Reminder("pie", "Pie", .after(70)), stage))
        #expect(try await add(Reminder("tea", "Green tea", .after(60)), stage))
        #expect(try await found(delivered: false, stage) == ["pie", "tea"])
        try await stage.inside { lab in
            lab.reminders.removeWithJPush([], delivered: false)
            lab.reminders.removeWithJPush(["pie"], delivered: false)
        }
        #expect(try await found(delivered: false, stage) == ["tea"])
        await stage.phone.background(stage.app)
        await stage.phone.advance(by: .seconds(59))
        #expect(stage.phone.device.screen.list.isEmpty)
        await stage.phone.advance(by: .seconds(1))
        #expect(stage.phone.device.screen.list.map(\.body) == ["Green tea"])
        guard major >= 10 else { return }
        #expect(try await found(delivered: true, stage) == ["tea"])
        try await stage.inside { $0.reminders.removeWithJPush(["tea"], delivered: true) }
        #expect(try await found(delivered: true, stage) == [])
        #expect(stage.phone.device.screen.list.isEmpty)
    }

    @Test("Through JPush: Mondays at eight, and a place", arguments: [10, 17])
    func conditions(_ major: Int) async throws {
        let stage = await LabStage(major)
        await stage.phone.move(to: Coordinate(latitude: 0, longitude: 0))
        let market = Reminder.Place(latitude: 10, longitude: 10, radius: 150)
        let monday = DateComponents(hour: 8, weekday: 2)
        #expect(try await add(Reminder("bread", "Bread", .at(market)), stage))
        #expect(try await add(Reminder("plan", "Plan", .on(monday, repeats: true)), stage))
        await stage.phone.background(stage.app)
        await stage.phone.move(to: Coordinate(latitude: 10, longitude: 10))
        #expect(stage.phone.device.screen.list.map(\.body) == ["Bread"])
        // From Monday at noon to the next at eight: 164 hours.
        await stage.phone.advance(by: .seconds(164 * 3600 - 60))
        #expect(stage.phone.device.screen.list.map(\.body) == ["Bread"])
        await stage.phone.advance(by: .seconds(60))
        #expect(stage.phone.device.screen.list.map(\.body) == ["Plan", "Bread"])
    }

    @Test("Through JPush what cannot repeat before iOS 10 is refused, and so is an interval that is too short")
    func refused() async throws {
        for (major, reminder, problem) in [
            (9, Reminder("a", "A", .after(3600, repeats: true)), ReminderProblem.noSuchPeriod),
            (9, Reminder("a", "A", .on(DateComponents(hour: 8), repeats: true)), .noSuchPeriod),
            (7, Reminder("a", "A", .at(.init(latitude: 1, longitude: 1, radius: 9))), .noPlaces),
            (17, Reminder("a", "A", .after(59, repeats: true)), .tooSoon(59)),
        ] {
            let stage = await LabStage(major)
            await #expect(throws: problem) {
                try await stage.inside { _ = try await $0.reminders.addWithJPush(reminder) }
            }
            #expect(stage.phone.device.pendingRequests(of: stage.app.bundleID).isEmpty)
        }
    }

    // MARK: Texts

    @Test("On a phone in Chinese, buttons and reminders have the texts of zh-Hans.lproj")
    func chinese() async throws {
        var read = InstalledApp(bundleID: "com.example.pushlab")
        try read.readBundle(ProjectFolder.url.appending(path: "Examples/PushLab"))
        let stage = await LabStage(17, language: "zh-Hans", strings: read.strings)
        await stage.phone.background(stage.app)
        let offer = await stage.push(["category": "offer"])
        #expect(stage.phone.device.longPress(offer).map(\.title) == ["看一看", "忽略"])
        stage.phone.device.closeExpanded()
        let message = await stage.push(["category": "message"])
        let reply = try #require(stage.phone.device.longPress(message).first?.textInput)
        #expect([reply.buttonTitle, reply.placeholder] == ["发送", "输入回复"])
        stage.phone.device.closeExpanded()
        try await stage.add(Reminder("a", "茶", .now))
        #expect(stage.phone.device.screen.list.first?.title == "提醒")
    }
}
