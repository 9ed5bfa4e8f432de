import CoreLocation
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

/// 5 January 2026, a Monday, 07:00 GMT: where the stage's clock begins.
private let monday = Date(timeIntervalSince1970: 1_767_596_400)

private func date(_ text: String) -> Date { (try? Date(text, strategy: .iso8601)) ?? .distantPast }

@Suite("Rules of triggers")
@MainActor
struct TriggerRules {
    private func firings(
        _ components: DateComponents,
        repeats: Bool = true,
        from start: String = "2026-01-05T07:00:00Z",
        zone: String = "GMT",
        days: Int
    ) async throws -> [Date] {
        let stage = await LocalStage(from: date(start))
        await stage.phone.perform { $0.setTimeZone(TimeZone(identifier: zone) ?? .gmt) }
        try await stage.add("a", UNCalendarNotificationTrigger(dateMatching: components, repeats: repeats))
        await stage.background()
        await stage.phone.advance(by: .seconds(days * 86_400))
        return stage.firings("a")
    }

    // MARK: Kinds

    @Test("The trigger tells remote from local: of a push it is a push trigger, which never repeats")
    func kinds() async throws {
        let stage = await LocalStage()
        await stage.background()
        try await stage.add("local", nil)
        try await stage.add("timed", UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true))
        await stage.phone.advance(by: .seconds(60))
        await stage.phone.push(.alert, to: .lab, collapseID: "remote")
        let triggers = await stage.app { center in
            await center.deliveredNotifications().map(\.request)
        }
        let found = try #require(triggers)
        #expect(found.map(\.identifier) == ["remote", "timed", "local"])
        #expect(found[0].trigger is UNPushNotificationTrigger && found[0].trigger?.repeats == false)
        #expect(found[1].trigger is UNTimeIntervalNotificationTrigger && found[1].trigger?.repeats == true)
        #expect(found[2].trigger == nil)
    }

    @Test("Triggers that say the same are equal, and no others")
    func equality() {
        let region = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 1, identifier: "r")
        let make: [() -> UNNotificationTrigger] = [
            { UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true) },
            { UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false) },
            { UNTimeIntervalNotificationTrigger(timeInterval: 61, repeats: true) },
            { UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8), repeats: true) },
            { UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 9), repeats: true) },
            { UNLocationNotificationTrigger(region: region, repeats: true) },
        ]
        #expect(Set(make.map { $0() }).count == make.count)
        for trigger in make {
            #expect(trigger() == trigger())
            #expect(trigger().copy() as? UNNotificationTrigger == trigger())
        }
    }

    // MARK: Intervals

    @Test("An interval goes by the device's time, whatever the clock on the wall is set to")
    func intervalAndWall() async throws {
        let stage = await LocalStage()
        try await stage.add("a", UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: true))
        await stage.background()
        await stage.phone.advance(by: .seconds(1800))
        await stage.phone.perform { $0.setTimeZone(TimeZone(identifier: "Asia/Tokyo") ?? .gmt) }
        await stage.phone.advance(by: .seconds(5400))
        #expect(stage.firings("a") == [1, 2].map { monday.addingTimeInterval($0 * 3600) })
    }

    @Test("The interval counts from add, not from the making of the trigger")
    func intervalFromAdd() async throws {
        let stage = await LocalStage()
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 100, repeats: false)
        #expect(trigger.timeInterval == 100)
        await stage.phone.advance(by: .seconds(50))
        try await stage.add("a", trigger)
        await stage.phone.advance(by: .seconds(200))
        #expect(stage.firings("a") == [monday.addingTimeInterval(150)])
    }

    @Test("nextTriggerDate of an interval is now and the interval, added or not")
    func nextOfInterval() async {
        let stage = await LocalStage()
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 100, repeats: false)
        await stage.phone.advance(by: .seconds(7))
        let next = await stage.app { _ in trigger.nextTriggerDate() }
        #expect(next == monday.addingTimeInterval(107))
    }

    // MARK: Dates

    @Test("Hour 8 alone is 08:00:00, every day")
    func hourAlone() async throws {
        let found = try await firings(DateComponents(hour: 8), days: 2)
        #expect(found == [date("2026-01-05T08:00:00Z"), date("2026-01-06T08:00:00Z")])
    }

    @Test("Minute 30 alone is every hour's half, second 0")
    func minuteAlone() async throws {
        let stage = await LocalStage()
        try await stage.add(
            "a",
            UNCalendarNotificationTrigger(dateMatching: DateComponents(minute: 30), repeats: true)
        )
        await stage.phone.advance(by: .seconds(2 * 3600))
        #expect(stage.firings("a") == [date("2026-01-05T07:30:00Z"), date("2026-01-05T08:30:00Z")])
    }

    @Test("A match at this very moment is not the next: it is strictly after now")
    func strictlyAfter() async throws {
        let found = try await firings(DateComponents(hour: 7), days: 2)
        #expect(found == [date("2026-01-06T07:00:00Z"), date("2026-01-07T07:00:00Z")])
    }

    @Test(
        "Weekday 1 is Sunday, 2 Monday, 4 Wednesday: once a week",
        arguments: [(1, "11", "18"), (2, "05", "12"), (4, "07", "14")]
    )
    func weekdays(_ weekday: Int, _ first: String, _ second: String) async throws {
        let found = try await firings(DateComponents(hour: 8, weekday: weekday), days: 14)
        #expect(found == [first, second].map { date("2026-01-\($0)T08:00:00Z") })
    }

    @Test("Components with a year repeat within that year only")
    func yearLimits() async throws {
        let found = try await firings(
            DateComponents(year: 2026, hour: 8, weekday: 2),
            from: "2026-12-20T00:00:00Z",
            days: 30
        )
        #expect(found == [date("2026-12-21T08:00:00Z"), date("2026-12-28T08:00:00Z")])
    }

    @Test("Without repeats a date fires once and is pending no more; nextTriggerDate of one in the past is nil")
    func once() async throws {
        let stage = await LocalStage()
        let trigger = UNCalendarNotificationTrigger(
            dateMatching: DateComponents(year: 2026, month: 1, day: 5, hour: 8),
            repeats: false
        )
        #expect(await stage.app { _ in trigger.nextTriggerDate() } == date("2026-01-05T08:00:00Z"))
        try await stage.add("a", trigger)
        await stage.phone.advance(by: .seconds(2 * 3600))
        #expect(stage.firings("a").count == 1)
        #expect(await stage.pending() == [])
        #expect(await stage.app { _ in trigger.nextTriggerDate() } == .some(nil))
    }

    @Test(
        "stackoverflow41526377_aDateInThePastHasNoNext",
        arguments: [Calendar.Identifier.gregorian, .iso8601, .buddhist, .japanese, .republicOfChina]
    )
    func pastInOtherCalendars(_ identifier: Calendar.Identifier) async throws {
        let stage = await LocalStage(from: date("2026-06-10T12:00:00Z"))
        let calendar = Calendar(identifier: identifier)
        let june5 = date("2026-06-05T09:00:00Z")
        var day = calendar.dateComponents([.year, .month, .day, .hour], from: june5)
        day.calendar = calendar
        for components in [day, calendar.dateComponents(in: .gmt, from: june5)] {
            let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
            #expect(await stage.app { _ in trigger.nextTriggerDate() } == .some(nil))
            let error = await #expect(throws: UNError.self) { try await stage.add("past", trigger) }
            #expect(error?.code == .notificationInvalidNoDate)
        }
    }

    @Test("The components' own zone and calendar are honoured")
    func ownZone() async throws {
        var components = DateComponents(hour: 8)
        components.timeZone = TimeZone(identifier: "America/New_York")
        #expect(try await firings(components, days: 1) == [date("2026-01-05T13:00:00Z")])
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
        var other = DateComponents(hour: 8)
        other.calendar = calendar
        #expect(try await firings(other, days: 1) == [date("2026-01-05T23:00:00Z")])
    }

    @Test("02:30 on the day on which it is missing fires at 03:00")
    func missingTime() async throws {
        let found = try await firings(
            DateComponents(hour: 2, minute: 30),
            from: "2026-03-07T17:00:00Z",
            zone: "America/New_York",
            days: 2
        )
        #expect(found == [date("2026-03-08T07:00:00Z"), date("2026-03-09T06:30:00Z")])
    }

    @Test("01:30 on the day that has it twice fires once, at the first")
    func repeatedTime() async throws {
        let found = try await firings(
            DateComponents(hour: 1, minute: 30),
            from: "2026-10-31T17:00:00Z",
            zone: "America/New_York",
            days: 2
        )
        #expect(found == [date("2026-11-01T05:30:00Z"), date("2026-11-02T06:30:00Z")])
    }

    @Test("30 February fires on 1 March")
    func february30() async throws {
        let found = try await firings(
            DateComponents(month: 2, day: 30),
            repeats: false,
            from: "2026-02-01T00:00:00Z",
            days: 40
        )
        #expect(found == [date("2026-03-01T00:00:00Z")])
    }

    // MARK: Places

    /// The firings of a trigger while the device is carried from place to place along a meridian.
    private func firings(
        entry: Bool,
        exit: Bool,
        repeats: Bool,
        places: [Double],
        radius: Double = 200
    ) async throws -> Int {
        let stage = await LocalStage()
        stage.phone.device.setLocationAccess(of: InstalledApp.lab.bundleID, allowed: true)
        await stage.phone.perform { $0.move(to: Coordinate(latitude: places[0], longitude: 0)) }
        let center = CLLocationCoordinate2D(latitude: 1, longitude: 0)
        let region = CLCircularRegion(center: center, radius: radius, identifier: "r")
        region.notifyOnEntry = entry
        region.notifyOnExit = exit
        try await stage.add("a", UNLocationNotificationTrigger(region: region, repeats: repeats))
        for place in places.dropFirst() {
            await stage.phone.perform { $0.move(to: Coordinate(latitude: place, longitude: 0)) }
        }
        return stage.firings("a").count
    }

    @Test("A region fires at crossings: on entry, on exit, on both or on neither, as it says")
    func entryAndExit() async throws {
        let way: [Double] = [0, 1, 0, 1, 0]
        #expect(try await firings(entry: true, exit: false, repeats: true, places: way) == 2)
        #expect(try await firings(entry: false, exit: true, repeats: true, places: way) == 2)
        #expect(try await firings(entry: true, exit: true, repeats: true, places: way) == 4)
        #expect(try await firings(entry: false, exit: false, repeats: true, places: way) == 0)
    }

    @Test("A device inside at add has not entered; leaving is a crossing; without repeats there is one delivery")
    func insideAtAdd() async throws {
        #expect(try await firings(entry: true, exit: false, repeats: true, places: [1, 1.0001]) == 0)
        #expect(try await firings(entry: true, exit: true, repeats: true, places: [1, 0]) == 1)
        #expect(try await firings(entry: true, exit: true, repeats: false, places: [0, 1, 0, 1]) == 1)
    }

    @Test("A radius of 0 is watched as one of 1 m")
    func noRadius() async throws {
        #expect(try await firings(entry: true, exit: false, repeats: true, places: [0, 1], radius: 0) == 1)
        // Two metres north of the centre.
        #expect(try await firings(entry: true, exit: false, repeats: true, places: [0, 1.000_018], radius: 0) == 0)
    }

    @Test("A region around no place on Earth is taken, told of, and never fires")
    func invalidCentre() async throws {
        let stage = await LocalStage()
        stage.phone.device.setLocationAccess(of: InstalledApp.lab.bundleID, allowed: true)
        let center = CLLocationCoordinate2D(latitude: 100, longitude: 0)
        let region = CLCircularRegion(center: center, radius: 100, identifier: "r")
        try await stage.add("a", UNLocationNotificationTrigger(region: region, repeats: true))
        #expect(stage.kinds("a") == [.scheduled, .suppressed(.invalidRegion)])
        #expect(await stage.pending() == ["a"])
        for place in [80.0, 90, 0] {
            await stage.phone.perform { $0.move(to: Coordinate(latitude: place, longitude: 0)) }
        }
        #expect(stage.firings("a").isEmpty)
    }

    @Test("A location is of the device's now, and can be made outside of every app too, however many run")
    func locationOfNow() async {
        let stage = await LocalStage()
        let other = await LocalStage()
        await stage.phone.advance(by: .seconds(5))
        let inside = await stage.app { _ in CLLocation(latitude: 1, longitude: 2).timestamp }
        #expect(inside == monday.addingTimeInterval(5))
        let outside = CLLocation(latitude: 1, longitude: 2)
        #expect(outside.coordinate.longitude == 2 && outside.timestamp != inside)
        #expect(other.phone.device.screen.front == InstalledApp.lab.bundleID)
    }

    @Test("The region of a trigger is a copy, whole")
    func regionIsACopy() throws {
        let door = CLBeaconRegion(uuid: UUID(), major: 1, minor: 2, identifier: "door")
        let trigger = UNLocationNotificationTrigger(region: door, repeats: true)
        let copy = try #require(trigger.region as? CLBeaconRegion)
        #expect(copy !== door && copy.uuid == door.uuid && copy.major == 1 && copy.minor == 2 && trigger.repeats)
        copy.notifyOnEntry = false
        #expect(trigger.region.notifyOnEntry)
    }
}
