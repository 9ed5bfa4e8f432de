import CallbackMatrix
import CoreLocation
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

/// 5 January 2026, a Monday, 07:00 GMT.
private let monday = Date(timeIntervalSince1970: 1_767_596_400)

@MainActor
struct LocalStage {
    let phone: TestPhone
    private var center: UNUserNotificationCenter { .current() }

    init(_ profile: SystemProfile = .iOS(17), from date: Date = monday, prompts: PromptPolicy = .allow) async {
        phone = TestPhone(profile, prompts: prompts, clock: VirtualClock(date: date))
        phone.install(.lab) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(.lab)
    }

    func content(_ title: String = "Reminder") -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title
        return content
    }

    func add(
        _ identifier: String,
        _ trigger: UNNotificationTrigger?,
        content: UNNotificationContent? = nil
    ) async throws {
        let request = UNNotificationRequest(
            identifier: identifier,
            content: content ?? self.content(identifier),
            trigger: trigger
        )
        try await phone.inCentre { try await $0.add(request) }
        await phone.device.settled()
    }

    func pending() async -> [String] {
        await phone.inCentre { await $0.pendingNotificationRequests().map(\.identifier) } ?? []
    }

    func kinds(_ identifier: String) -> [JourneyEvent.Kind] {
        phone.journeys.kinds(of: phone.local(identifier, of: .lab))
    }

    func firings(_ identifier: String) -> [Date] {
        phone.journeys.events(of: phone.local(identifier, of: .lab)).filter { $0.kind == .fired }.map(\.date)
    }

    func background() async { await phone.background(.lab) }

    var list: [String] { phone.device.screen.list.map(\.notification.identifier) }
}

private func dates(_ texts: [String]) -> [Date] {
    texts.compactMap { try? Date($0, strategy: .iso8601) }
}

@Suite("Local notifications")
@MainActor
struct LocalNotificationTests {
    @Test("Without a trigger a request is delivered at once, through willPresent in front")
    func immediate() async throws {
        let stage = await LocalStage()
        try await stage.add("now", nil)
        #expect(
            stage.kinds("now") == [
                .fired,
                .callback(name: "userNotificationCenter(_:willPresent:withCompletionHandler:)", state: .active),
                .presented(.banner), .presented(.list),
            ]
        )
        #expect(await stage.pending() == [])
    }

    @Test("An interval counts from the moment of adding, and fires once")
    func interval() async throws {
        let stage = await LocalStage()
        try await stage.add("once", UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false))
        #expect(stage.kinds("once") == [.scheduled])
        #expect(await stage.pending() == ["once"])
        await stage.background()
        await stage.phone.advance(by: .seconds(4))
        #expect(stage.list == [])
        await stage.phone.advance(by: .seconds(1))
        #expect(stage.list == ["once"])
        #expect(await stage.pending() == [])
        #expect(stage.kinds("once") == [.scheduled, .fired, .presented(.banner), .presented(.list)])
        await stage.phone.advance(by: .seconds(3600))
        #expect(stage.firings("once").count == 1)
    }

    @Test("The weekday+month mistake: weekday, hour, minute and month fire once a year")
    func weekdayAndMonth() async throws {
        let stage = await LocalStage()
        let yearly = DateComponents(month: 3, hour: 8, minute: 0, weekday: 2)
        try await stage.add("mistake", UNCalendarNotificationTrigger(dateMatching: yearly, repeats: true))
        var found: [Date] = []
        for _ in 0..<3 {
            let next = try #require(stage.phone.device.nextFiring(of: "mistake", in: InstalledApp.lab.bundleID))
            found.append(next)
            await stage.phone.advance(by: .seconds(next.timeIntervalSince(stage.phone.clock.date)))
        }
        #expect(found[0] == dates(["2026-03-02T08:00:00Z"])[0])
        #expect(stage.firings("mistake").count == 3)
    }

    @Test("lamp439_suntimes642_aDailyReminderAroundADSTChange: it fires once, at the right wall-clock time")
    func daylightSaving() async throws {
        // 7 March 2026 12:00 in New York; the clock springs on 8 March.
        let stage = await LocalStage(from: dates(["2026-03-07T17:00:00Z"])[0])
        await stage.phone.perform { $0.setTimeZone(TimeZone(identifier: "America/New_York") ?? .gmt) }
        try await stage.add(
            "daily",
            UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8), repeats: true)
        )
        await stage.phone.advance(by: .seconds(2 * 86_400))
        #expect(stage.firings("daily") == dates(["2026-03-08T12:00:00Z", "2026-03-09T12:00:00Z"]))
    }

    @Test("Without a zone the wall-clock time follows the traveller; with one the instant stays")
    func traveller() async throws {
        let stage = await LocalStage()
        try await stage.add(
            "local",
            UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 18), repeats: false)
        )
        let fixed = DateComponents(timeZone: .gmt, hour: 18)
        try await stage.add("fixed", UNCalendarNotificationTrigger(dateMatching: fixed, repeats: false))
        await stage.phone.perform { $0.setTimeZone(TimeZone(identifier: "Asia/Tokyo") ?? .gmt) }
        await stage.phone.advance(by: .seconds(86_400))
        #expect(stage.firings("local") == dates(["2026-01-05T09:00:00Z"]))
        #expect(stage.firings("fixed") == dates(["2026-01-05T18:00:00Z"]))
    }

    @Test("A year of daily reminders")
    func year() async throws {
        let stage = await LocalStage()
        try await stage.add(
            "daily",
            UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8), repeats: true)
        )
        await stage.background()
        await stage.phone.advance(by: .seconds(365 * 86_400))
        #expect(stage.firings("daily").count == 365)
        #expect(stage.list == ["daily"])
    }

    @Test("nextTriggerDate counts from now, also on a trigger read back from the pending ones")
    func nextTriggerDate() async throws {
        let stage = await LocalStage()
        try await stage.add("later", UNTimeIntervalNotificationTrigger(timeInterval: 100, repeats: false))
        await stage.phone.advance(by: .seconds(40))
        let next = await stage.phone.device.inside(InstalledApp.lab.bundleID) {
            let request = await UNUserNotificationCenter.current().pendingNotificationRequests().first
            return (request?.trigger as? UNTimeIntervalNotificationTrigger)?.nextTriggerDate()
        }
        #expect(next == monday.addingTimeInterval(140))
        #expect(
            stage.phone.device.nextFiring(of: "later", in: InstalledApp.lab.bundleID) == monday.addingTimeInterval(100)
        )
    }

    // MARK: Replacing and limits

    @Test("katzer942_katzer1525_replacingByIdentifierNeverDuplicates: the pending one restarts")
    func replaces() async throws {
        let stage = await LocalStage()
        await stage.background()
        for _ in 0..<3 {
            try await stage.add("same", UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false))
            await stage.phone.advance(by: .seconds(30))
        }
        #expect(await stage.pending() == ["same"])
        await stage.phone.advance(by: .seconds(100))
        #expect(stage.firings("same").count == 1)
        #expect(
            stage.kinds("same").prefix(5)
                == [.scheduled, .replaced(by: "same"), .scheduled, .replaced(by: "same"), .scheduled]
        )
    }

    @Test("A delivered one with the same identifier stays until the new one fires, then moves to the top")
    func replacesDelivered() async throws {
        let stage = await LocalStage()
        await stage.background()
        try await stage.add("a", nil, content: stage.content("first"))
        try await stage.add("b", nil)
        #expect(stage.list == ["b", "a"])
        try await stage.add(
            "a",
            UNTimeIntervalNotificationTrigger(timeInterval: 10, repeats: false),
            content: stage.content("second")
        )
        #expect(stage.phone.device.screen.list.map(\.title) == ["b", "first"])
        await stage.phone.advance(by: .seconds(10))
        #expect(stage.phone.device.screen.list.map(\.title) == ["second", "b"])
    }

    @Test(
        "openradar38065340_flutter2312_katzer638_ofSeventyRequests64Stay: by the rule of each iOS, with a word in the journey",
        arguments: [10, 11, 12, 18]
    )
    func limit(_ system: Int) async throws {
        let stage = await LocalStage(.iOS(system))
        // The later it is added, the sooner it fires.
        for number in 1...70 {
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: Double(1000 - number), repeats: false)
            try await stage.add("\(number)", trigger)
        }
        let pending = await stage.pending()
        #expect(pending.count == 64)
        #expect(Set(pending) == Set((7...70).map(String.init)))
        #expect(stage.kinds("1") == [.scheduled, .evicted(limit: 64)])
    }

    @Test("The soonest stay, but on iOS 11 the last added", arguments: [10, 11, 12, 18])
    func limitByProfile(_ system: Int) async throws {
        let stage = await LocalStage(.iOS(system))
        for number in 1...65 {
            try await stage.add(
                "\(number)",
                UNTimeIntervalNotificationTrigger(timeInterval: Double(number), repeats: false)
            )
        }
        let evicted = system == 11 ? "1" : "65"
        #expect(stage.kinds(evicted) == [.scheduled, .evicted(limit: 64)])
        #expect(await stage.pending().count == 64)
    }

    @Test("A repeating request counts as one of the 64")
    func repeatingCountsOnce() async throws {
        let stage = await LocalStage()
        for number in 1...64 {
            try await stage.add("\(number)", UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true))
        }
        await stage.background()
        await stage.phone.advance(by: .seconds(600))
        #expect(await stage.pending().count == 64)
    }

    @Test("Removing from the pending ones: by identifier, unknown ones too, and all")
    func removesPending() async throws {
        let stage = await LocalStage()
        for name in ["a", "b", "c"] {
            try await stage.add(name, UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false))
        }
        await stage.app { $0.removePendingNotificationRequests(withIdentifiers: ["b", "unknown"]) }
        #expect(await stage.pending() == ["a", "c"])
        await stage.app { $0.removeAllPendingNotificationRequests() }
        #expect(await stage.pending() == [])
        await stage.phone.advance(by: .seconds(100))
        #expect(stage.list == [])
    }

    // MARK: Refusals

    // MARK: Places

    @Test("A 100 m region on entry only")
    func regionOnEntry() async throws {
        let stage = await LocalStage()
        await stage.phone.setLocationAccess(of: .lab, to: .whenInUse)
        await stage.phone.perform { $0.move(to: Coordinate(latitude: 52.52, longitude: 13.40)) }
        let center = CLLocationCoordinate2D(latitude: 52.52, longitude: 13.41)
        let region = CLCircularRegion(center: center, radius: 100, identifier: "office")
        region.notifyOnExit = false
        let trigger = UNLocationNotificationTrigger(region: region, repeats: true)
        region.notifyOnExit = true
        #expect(!trigger.region.notifyOnExit && trigger.repeats)
        try await stage.add("office", trigger)
        await stage.background()
        for longitude in [13.405, 13.41, 13.4101, 13.40, 13.41] {
            await stage.phone.perform { $0.move(to: Coordinate(latitude: 52.52, longitude: longitude)) }
        }
        #expect(stage.firings("office").count == 2)
        #expect(await stage.pending() == ["office"])
    }

    @Test(
        "Without access to the location a crossing says why nothing came",
        arguments: [LocationAuthorization.notDetermined, .denied, .restricted]
    )
    func regionWithoutAccess(_ access: LocationAuthorization) async throws {
        let stage = await LocalStage()
        let device = stage.phone.device
        device.setLocationAccess(of: InstalledApp.lab.bundleID, to: access)
        await stage.phone.perform { $0.move(to: Coordinate(latitude: 0, longitude: 0)) }
        var content = ContentRecord()
        content.title = "Here"
        let region = GeoRegion(
            identifier: "r",
            shape: .circle(center: Coordinate(latitude: 1, longitude: 1), radius: 200)
        )
        try device.addLocal(
            RequestRecord(identifier: "r", content: content, trigger: .location(region, repeats: false)),
            to: InstalledApp.lab.bundleID
        )
        await stage.phone.perform { $0.move(to: Coordinate(latitude: 1, longitude: 1)) }
        #expect(stage.kinds("r") == [.scheduled, .suppressed(.locationDenied)])
    }

    @Test("A reboot keeps what waits, and ends a force-quit")
    func reboot() async throws {
        let stage = await LocalStage()
        try await stage.add("later", UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false))
        await stage.phone.forceQuit(.lab)
        await stage.phone.perform { $0.reboot() }
        #expect(stage.phone.device.condition(of: InstalledApp.lab.bundleID) == .notRunning)
        await stage.phone.advance(by: .seconds(60))
        #expect(stage.list == ["later"])
    }
}
