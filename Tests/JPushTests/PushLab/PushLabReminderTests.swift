import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushLab
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

@Suite("PushLab's reminders", .suiteLimit)
@MainActor
struct PushLabReminderTests {
    private nonisolated static let market = Reminder.Place(latitude: 10, longitude: 10, radius: 150)
    private let link = URL(string: "pushlab://reminders")

    private func shown(_ stage: LabStage) -> [String] { stage.phone.device.screen.list.map(\.body) }

    @Test("At once", arguments: [7, 8, 9, 10, 17])
    func now(_ major: Int) async throws {
        let stage = await LabStage(major)
        await stage.phone.background(stage.app)
        try await stage.add(Reminder("a", "Tea", .now))
        #expect(shown(stage) == ["Tea"])
    }

    @Test("After a time, once or again and again", arguments: [7, 8, 9, 10, 17])
    func interval(_ major: Int) async throws {
        let stage = await LabStage(major)
        try await stage.add(Reminder("tea", "Tea", .after(5)))
        try await stage.add(Reminder("eggs", "Eggs", .after(3600, repeats: true)))
        await stage.phone.background(stage.app)
        await stage.phone.advance(by: .seconds(5))
        #expect(shown(stage) == ["Tea"])
        await stage.phone.advance(by: .seconds(2 * 3600))
        #expect(try await stage.inside { await $0.reminders.waiting() } == ["eggs"])
        // What comes again takes the place of the last.
        #expect(shown(stage) == ["Eggs", "Tea"])
    }

    @Test("When the calendar says so: Mondays at eight", arguments: [7, 8, 9, 10, 17])
    func calendar(_ major: Int) async throws {
        let stage = await LabStage(major)
        let monday = DateComponents(hour: 8, weekday: 2)
        try await stage.add(Reminder("plan", "Plan", .on(monday, repeats: true)))
        await stage.phone.background(stage.app)
        await stage.phone.advance(by: .seconds(15 * 86_400))
        let days = stage.phone.device.recentDeviceEvents.compactMap { deviceEvent -> Double? in
            guard case .listed = deviceEvent.kind else { return nil }
            return deviceEvent.date.timeIntervalSince(LabStage.monday) / 86_400
        }
        // From Monday at noon to the next two at eight.
        #expect(days.map { ($0 * 24).rounded() } == [164, 332])
    }

    @Test("At a place, once or each time", arguments: [8, 9, 10, 17])
    func place(_ major: Int) async throws {
        let stage = await LabStage(major)
        await stage.phone.move(to: Coordinate(latitude: 0, longitude: 0))
        try await stage.add(Reminder("bread", "Bread", .at(Self.market)))
        try await stage.add(Reminder("milk", "Milk", .at(Self.market, repeats: true)))
        await stage.phone.background(stage.app)
        for _ in 0..<2 {
            await stage.phone.move(to: Coordinate(latitude: 10, longitude: 10))
            await stage.phone.move(to: Coordinate(latitude: 0, longitude: 0))
        }
        let listed = stage.phone.device.recentDeviceEvents.compactMap { deviceEvent -> String? in
            if case .listed(let shown) = deviceEvent.kind { shown.body } else { nil }
        }
        #expect(listed.sorted() == ["Bread", "Milk", "Milk"])
    }

    @Test("The same id changes what waits; what waits is found and cancelled by it", arguments: [7, 8, 9, 10, 17])
    func byID(_ major: Int) async throws {
        let stage = await LabStage(major)
        try await stage.add(Reminder("tea", "Tea", .after(100)))
        try await stage.add(Reminder("cake", "Cake", .after(50)))
        try await stage.add(Reminder("pie", "Pie", .after(70)))
        try await stage.add(Reminder("tea", "Green tea", .after(60)))
        #expect(try await stage.inside { await $0.reminders.waiting() } == ["cake", "tea", "pie"])
        try await stage.inside { $0.reminders.cancel(["pie", "nobody's"]) }
        #expect(try await stage.inside { await $0.reminders.waiting() } == ["cake", "tea"])
        await stage.phone.background(stage.app)
        await stage.phone.advance(by: .seconds(100))
        #expect(shown(stage) == ["Green tea", "Cake"])
    }

    @Test("On iOS 9 a reminder is cancelled by the id in its userInfo, and no other notification is")
    func userInfo() async throws {
        let stage = await LabStage(9)
        try await stage.add(Reminder("tea", "Tea", .after(60)))
        let foreign = UILocalNotification()
        foreign.alertBody = "Of another part of the app"
        foreign.fireDate = LabStage.monday.addingTimeInterval(60)
        let left = try await stage.inside { lab in
            UIApplication.shared.scheduleLocalNotification(foreign)
            lab.reminders.cancel(["tea"])
            return UIApplication.shared.scheduledLocalNotifications?.map(\.alertBody)
        }
        #expect(left == ["Of another part of the app"])
    }

    @Test("Shown notifications are found and removed, one by one or all")
    func shownOnes() async throws {
        let stage = await LabStage(17)
        await stage.phone.background(stage.app)
        for id in ["a", "b", "c"] { try await stage.add(Reminder(id, id, .now)) }
        #expect(try await stage.inside { await $0.reminders.shown() } == ["c", "b", "a"])
        try await stage.inside { $0.reminders.clear(["b"]) }
        #expect(shown(stage) == ["c", "a"])
        // The same id again takes the place of what is shown.
        try await stage.add(Reminder("a", "A", .now))
        #expect(shown(stage) == ["A", "c"])
        try await stage.add(Reminder("d", "d", .after(60)))
        try await stage.inside { $0.reminders.removeAll() }
        #expect(shown(stage).isEmpty)
        #expect(try await stage.inside { await $0.reminders.waiting() }.isEmpty)
    }

    @Test("Before iOS 10 all that waits and was shown goes at once", arguments: [7, 9])
    func removeAll(_ major: Int) async throws {
        let stage = await LabStage(major)
        await stage.phone.background(stage.app)
        try await stage.add(Reminder("a", "A", .now))
        try await stage.add(Reminder("b", "B", .after(60)))
        try await stage.inside { $0.reminders.removeAll() }
        #expect(shown(stage).isEmpty)
        #expect(try await stage.inside { await $0.reminders.waiting() }.isEmpty)
    }

    @Test("A tap on a reminder follows its link, also into an app that does not run", arguments: [7, 8, 9, 10, 17])
    func tap(_ major: Int) async throws {
        let stage = await LabStage(major)
        try await stage.add(Reminder("a", "A", .after(5), link: link))
        try await stage.add(Reminder("b", "B", .after(10), link: link))
        await stage.phone.background(stage.app)
        await stage.phone.advance(by: .seconds(5))
        let first = try #require(stage.phone.device.screen.list.first)
        await stage.phone.tap(first.id)
        #expect(try stage.lab.page == .reminders)
        await stage.phone.forceQuit(stage.app)
        await stage.phone.advance(by: .seconds(5))
        let second = try #require(stage.phone.device.screen.list.first)
        await stage.phone.tap(second.id)
        #expect(try stage.lab.page == .reminders)
        #expect(try stage.names.contains("launchOptions[.localNotification]") == (major < 10))
    }

    @Test("Buttons under a reminder work, with and without text", arguments: [8, 9, 10, 17])
    func buttons(_ major: Int) async throws {
        let stage = await LabStage(major)
        await stage.phone.background(stage.app)
        try await stage.add(Reminder("a", "A", .now, link: link, category: "offer"))
        let offer = try #require(stage.phone.device.screen.list.first)
        #expect(await stage.phone.choose("see", on: offer.id) == .done)
        #expect(try stage.lab.page == .reminders)
        await stage.phone.background(stage.app)
        try await stage.add(Reminder("b", "B", .now, category: "message"))
        let message = try #require(stage.phone.device.screen.list.first)
        if major > 8 {
            #expect(await stage.phone.reply("Yes", with: "reply", to: message.id) == .done)
        } else {
            #expect(await stage.phone.choose("reply", on: message.id) == .done)
        }
        #expect(try stage.lab.replies == (major > 8 ? ["Yes"] : []))
        let callback =
            switch major {
            case 8: "application(_:handleActionWithIdentifier:for:completionHandler:)"
            case 9: "application(_:handleActionWithIdentifier:for:withResponseInfo:completionHandler:)"
            default: "jpushNotificationCenter(_:didReceive:withCompletionHandler:)"
            }
        #expect(try stage.names.filter { $0 == callback }.count == 2)
    }

    @Test("On iOS 7 a reminder with a category has no buttons, and comes all the same")
    func noButtons() async throws {
        let stage = await LabStage(7)
        await stage.phone.background(stage.app)
        try await stage.add(Reminder("a", "A", .now, category: "offer"))
        let shown = try #require(stage.phone.device.screen.list.first)
        #expect(stage.phone.device.longPress(shown.id).isEmpty)
    }

    @Test("In front the app is told, and goes nowhere", arguments: [7, 9, 17])
    func inFront(_ major: Int) async throws {
        let stage = await LabStage(major)
        try await stage.add(Reminder("a", "A", .after(5), link: link))
        await stage.phone.advance(by: .seconds(5))
        let name =
            major < 10
            ? "application(_:didReceive:)" : "jpushNotificationCenter(_:willPresent:withCompletionHandler:)"
        // What the SDK answers comes on the main thread, at any time.
        let answers = ["registrationIDCompletionHandler", "jpushNotificationAuthorization(_:withInfo:)"]
        #expect(try stage.names.last { !answers.contains($0) } == name)
        #expect(try stage.lab.page == .log)
    }

    @Test(
        "Requests that the system would not take are refused before it is asked",
        arguments: [
            (17, .after(0), .tooSoon(0)), (17, .after(59, repeats: true), .tooSoon(59)), (9, .after(-1), .tooSoon(-1)),
            (9, .after(61, repeats: true), .noSuchPeriod),
            (9, .on(DateComponents(year: 2026, month: 1), repeats: true), .noSuchPeriod),
            (9, .on(DateComponents(second: 5), repeats: true), .noSuchPeriod),
            (9, .on(DateComponents(hour: 8, weekday: 2, weekdayOrdinal: 1), repeats: true), .noSuchPeriod),
            (9, .on(DateComponents(weekday: 2, weekOfMonth: 1), repeats: true), .noSuchPeriod),
            (9, .on(DateComponents(weekday: 2, weekOfYear: 1), repeats: true), .noSuchPeriod),
            (9, .on(DateComponents(day: 1, yearForWeekOfYear: 2026), repeats: true), .noSuchPeriod),
            (9, .on(DateComponents(day: 1, quarter: 1), repeats: true), .noSuchPeriod),
            (9, .on(DateComponents(year: 2020)), .past), (7, .at(market), .noPlaces),
        ] as [(Int, Reminder.Moment, ReminderProblem)]
    )
    func refused(major: Int, moment: Reminder.Moment, problem: ReminderProblem) async throws {
        let stage = await LabStage(major)
        await #expect(throws: problem) { try await stage.add(Reminder("a", "A", moment)) }
        #expect(try await stage.inside { await $0.reminders.waiting() }.isEmpty)
    }

    @Test("Before iOS 10 each component of the calendar has its period")
    func periods() async throws {
        let stage = await LabStage(9)
        let wanted: [(DateComponents, NSCalendar.Unit)] = [
            (DateComponents(month: 5, day: 1), .year), (DateComponents(day: 1, hour: 8), .month),
            (DateComponents(hour: 8, weekday: 2), .weekOfYear), (DateComponents(hour: 8), .day),
            (DateComponents(minute: 15), .hour),
        ]
        for (number, (components, unit)) in wanted.enumerated() {
            try await stage.add(Reminder("\(number)", "A", .on(components, repeats: true)))
            let found = try await stage.inside { _ in
                UIApplication.shared.scheduledLocalNotifications?.first {
                    $0.userInfo?["reminder"] as? String == "\(number)"
                }?.repeatInterval.rawValue
            }
            #expect(found == unit.rawValue)
        }
    }

    @Test("Without permission the notification centre says so")
    func denied() async throws {
        let stage = await LabStage(17)
        stage.phone.device.setNotifications(of: stage.app.bundleID, allowed: false)
        await #expect(throws: UNError.self) { try await stage.add(Reminder("a", "A", .now)) }
    }
}
