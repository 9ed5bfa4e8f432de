import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SourceCompatibility5
import Testing
import UIKit

@Suite("Sources of iOS 7 to 9, driven")
@MainActor
struct LegacyDrivenTests {
    private let app = InstalledApp(
        bundleID: "com.example.legacy",
        name: "Legacy",
        backgroundModes: ["remote-notification"],
        info: ["NSLocationWhenInUseUsageDescription": "Reminders at a place"]
    )
    /// 10 March 2025, a Monday, at noon.
    private let monday = Date(timeIntervalSince1970: 1_741_608_000)

    private func phone(
        _ major: Int,
        _ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) async -> TestPhone {
        await phone(.iOS(major), delegate)
    }

    private func phone(
        _ profile: SystemProfile,
        _ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) async -> TestPhone {
        let phone = TestPhone(profile, clock: VirtualClock(date: monday))
        phone.install(app, delegate: delegate)
        await phone.open(app)
        return phone
    }

    private func push(_ members: JSONObject, category: String = "") -> JSONValue {
        var payload = members
        payload["aps"] = ["alert": "hi", "category": .string(category)]
        return .object(payload)
    }

    @Test("The guide's buttons of iOS 8: granted kinds, a token, and what the user chose", arguments: [8, 9])
    func categories(_ major: Int) async throws {
        let phone = await phone(major) { CategorySetupApp() }
        await phone.background(app)
        let invited = await phone.push(push(["party": "Ann's"], category: "INVITE_CATEGORY"), to: app)
        #expect(phone.device.compactButtons(of: invited).map(\.title) == ["Accept", "Decline"])
        #expect(phone.device.longPress(invited).map(\.title) == ["Accept", "Maybe", "Decline"])
        #expect(await phone.choose("ACCEPT_IDENTIFIER", on: invited) == .done)
        let delegate = try #require(phone.device.delegate(of: app.bundleID, as: CategorySetupApp.self))
        #expect(delegate.grantedTypes == [[.badge, .sound, .alert]])
        #expect(delegate.log.last == "accepted Ann's")
        // What asks for the owner waits for the lock.
        let second = await phone.push(push(["party": "Bob's"], category: "INVITE_CATEGORY"), to: app)
        await phone.perform { $0.lock() }
        #expect(await phone.choose("DECLINE_IDENTIFIER", on: second) == .waitsForUnlock)
        await phone.perform { $0.unlock() }
        #expect(delegate.log.last == "declined Bob's")
    }

    @Test("An answer in text reaches an app of iOS 9")
    func text() async throws {
        let phone = await phone(9) { TextReplyApp() }
        await phone.background(app)
        let first = await phone.push(push([:], category: "MESSAGE"), to: app)
        #expect(phone.device.longPress(first).first?.textInput?.buttonTitle == "Send it")
        #expect(await phone.reply("On my way", with: "REPLY", to: first) == .done)
        let second = await phone.push(push([:], category: "MESSAGE"), to: app)
        #expect(await phone.choose("LIKE", on: second) == .done)
        let delegate = try #require(phone.device.delegate(of: app.bundleID, as: TextReplyApp.self))
        #expect(delegate.replies == ["On my way"])
        #expect(delegate.plain == ["LIKE"])
    }

    @Test("A delegate ported from Objective-C gets its token and its payloads", arguments: [7, 8, 9])
    func ported(_ major: Int) async throws {
        let phone = await phone(major) { PortedDelegate() }
        let payload = push(["id": "7"])
        await phone.push(payload, to: app)
        await phone.background(app)
        let tapped = await phone.push(push(["id": "8"]), to: app)
        await phone.tap(tapped)
        let delegate = try #require(phone.device.delegate(of: app.bundleID, as: PortedDelegate.self))
        #expect(delegate.deviceToken?.length == 64)
        #expect(delegate.registrationError == nil)
        #expect(delegate.received as? [String] == ["received: 7", "received: 8"])
        #expect(delegate.states == [.active, .inactive])
        await phone.background(app)
        let last = await phone.push(push(["id": "9"]), to: app)
        await phone.forceQuit(app)
        await phone.tap(last)
        let next = try #require(phone.device.delegate(of: app.bundleID, as: PortedDelegate.self))
        #expect(next.received as? [String] == ["launched: 9", "received: 9"])
    }

    @Test("A manager finds and cancels what it scheduled by an id in userInfo")
    func manager() async {
        // The manager takes the zone of the machine, which on an iPhone is the phone's.
        let phone = TestPhone(startingAt: monday, .iOS(9), zone: .current)
        phone.install(app) { ReminderListApp() }
        await phone.open(app)
        let date = monday
        let waiting = await phone.device.inside(app.bundleID) {
            let manager = NotificationManager.shared
            manager.schedule(id: "tea", body: "Tea", at: date.addingTimeInterval(120))
            manager.schedule(id: "cake", body: "Cake", at: date.addingTimeInterval(60), every: .day)
            manager.schedule(id: "pie", body: "Pie", at: date.addingTimeInterval(180))
            manager.cancel(id: "pie")
            // Scheduled again it takes the place of the first.
            manager.schedule(id: "tea", body: "Green tea", at: date.addingTimeInterval(90))
            return manager.waiting
        }
        #expect(waiting == ["cake", "tea"])
        await phone.background(app)
        await phone.advance(by: .seconds(120))
        #expect(phone.device.screen.list.map(\.body) == ["Green tea", "Cake"])
        let left = await phone.device.inside(app.bundleID) { NotificationManager.shared.waiting }
        #expect(left == ["cake"])
        await phone.device.inside(app.bundleID) { NotificationManager.shared.cancelAll() }
        await phone.device.settled()
        #expect(phone.device.screen.list.isEmpty)
    }

    @Test("Reminders at a place come there, once or each time")
    func region() async throws {
        let phone = await phone(8) { RegionReminderApp() }
        await phone.move(to: Coordinate(latitude: 0, longitude: 0))
        let delegate = try #require(phone.device.delegate(of: app.bundleID, as: RegionReminderApp.self))
        await phone.device.inside(app.bundleID) {
            delegate.remind("bread", latitude: 10, longitude: 10, once: true)
            delegate.remind("milk", latitude: 10, longitude: 10, once: false)
        }
        for _ in 0..<2 {
            await phone.move(to: Coordinate(latitude: 10, longitude: 10))
            await phone.move(to: Coordinate(latitude: 0, longitude: 0))
        }
        #expect(delegate.arrivals == ["bread", "milk", "milk"])
    }

    @Test("An alarm clock rings on its days, week after week")
    func alarm() async {
        let phone = await phone(9) { ReminderListApp() }
        let date = monday
        await phone.device.inside(app.bundleID) { AlarmClock(hour: 7, minute: 0, weekdays: [3, 5]).set(after: date) }
        await phone.background(app)
        await phone.advance(by: .seconds(14 * 86_400))
        let days = phone.device.recentDeviceEvents.compactMap { happening -> Double? in
            guard case .listed = happening.kind else { return nil }
            return happening.date.timeIntervalSince(monday) / 86_400
        }
        // Tuesday and Thursday at seven, counted from Monday at noon.
        #expect(days.map { ($0 * 24).rounded() } == [19, 67, 187, 235])
    }

    @Test(
        "One app for all generations takes the way of each",
        arguments: [
            ("7.0", "types"), ("8.4.1", "settings"), ("9.2.1", "settings"), ("10.3.4", "center"), ("17.0", "center"),
        ]
    )
    func generations(_ version: String, _ way: String) async throws {
        let phone = await phone(SystemProfile(version: version)) { GenerationsApp() }
        await phone.push(push([:]), to: app)
        await phone.background(app)
        let tapped = await phone.push(push([:]), to: app)
        await phone.tap(tapped)
        await phone.background(app)
        await phone.push(["aps": ["content-available": 1]], to: app)
        let delegate = try #require(phone.device.delegate(of: app.bundleID, as: GenerationsApp.self))
        #expect(delegate.way == way)
        // Whoever was ended and is launched by the tap is on the way to the front as well.
        let last = await phone.push(push([:]), to: app)
        await phone.forceQuit(app)
        await phone.tap(last)
        let next = try #require(phone.device.delegate(of: app.bundleID, as: GenerationsApp.self))
        #expect(next.heard == ["tapped"])
        #expect(delegate.heard == ["in front", "tapped", "woken"])
    }

    @Test("Reminders are put off, ticked off, and opened from what launched the app")
    func reminders() async throws {
        let phone = await phone(9) { ReminderListApp() }
        let date = monday
        await phone.device.inside(app.bundleID) {
            ReminderListApp.add("bread", at: date.addingTimeInterval(60))
            ReminderListApp.add("milk", at: date.addingTimeInterval(120))
        }
        await phone.background(app)
        await phone.advance(by: .seconds(120))
        let milk = phone.device.screen.list[0].id
        let bread = phone.device.screen.list[1].id
        #expect(await phone.choose("TICK", on: milk) == .done)
        #expect(await phone.choose("LATER", on: bread) == .done)
        #expect(phone.device.delegate(of: app.bundleID, as: ReminderListApp.self)?.done == ["milk"])
        await phone.forceQuit(app)
        await phone.advance(by: .seconds(3600))
        let again = try #require(phone.device.screen.list.first)
        #expect(await phone.tap(again.id))
        #expect(phone.device.delegate(of: app.bundleID, as: ReminderListApp.self)?.opened == ["bread"])
    }
}
