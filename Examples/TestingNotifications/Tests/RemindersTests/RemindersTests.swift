import CoreLocation
import PosthornTesting
import Reminders
import Testing

/// Each test has a phone of its own; the tests run in parallel, and none waits for real time.
@Suite("Reminders", .phoneStory)
@MainActor
struct RemindersTests {
    @Test("The user is asked once, and not again after the next start")
    func permissionIsAskedOnce() async throws {
        let stage = try Stage()
        #expect(try await stage.start() == true)
        await stage.phone.forceQuit(stage.app)
        #expect(try await stage.start() == true)
        let prompts = stage.phone.device.recentDeviceEvents.filter {
            if case .promptShown = $0.kind { true } else { false }
        }
        #expect(prompts.count == 1)
    }

    @Test("A user who refuses permission gets no reminder")
    func permissionDenied() async throws {
        let stage = try Stage(prompts: .deny)
        #expect(try await stage.start() == false)
        #expect(stage.phone.device.pendingRequests(of: stage.app.bundleID).isEmpty)
        await stage.phone.background(stage.app)
        await stage.phone.expectNoBanner(for: .seconds(2 * 86_400))
    }

    @Test("The reminder comes at eight o'clock, also on the day on which the clocks go forward")
    func reminderAndSummerTime() async throws {
        let stage = try Stage()
        try await stage.startInBackground(hour: 8)
        await stage.phone.expectBanner(titled: "Time to write", within: .seconds(86_400))
        #expect(stage.wallTime("Europe/Berlin") == "2026-03-02 08:00")
        // To the evening before 29 March.
        await stage.phone.advance(by: .seconds(26 * 86_400 + 12 * 3600))
        #expect(stage.wallTime("Europe/Berlin") == "2026-03-28 20:00")
        await stage.phone.expectBanner(titled: "Time to write", within: .seconds(86_400))
        #expect(stage.wallTime("Europe/Berlin") == "2026-03-29 08:00")
    }

    @Test("After a flight the reminder comes at eight o'clock there")
    func timeZone() async throws {
        let stage = try Stage()
        try await stage.startInBackground(hour: 8)
        let shanghai = try #require(TimeZone(identifier: "Asia/Shanghai"))
        await stage.phone.perform { $0.setTimeZone(shanghai) }
        await stage.phone.expectBanner(titled: "Time to write", within: .seconds(86_400))
        #expect(stage.wallTime("Asia/Shanghai") == "2026-03-02 08:00")
    }

    @Test("'In ten minutes' brings the reminder again after ten minutes")
    func snooze() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        let reminder = try #require(await stage.phone.expectBanner(titled: "Time to write", within: .seconds(86_400)))
        await stage.phone.choose(Categories.snooze, on: reminder.id)
        await stage.phone.settle()
        let start = stage.phone.clock.now
        await stage.phone.expectBanner(saying: "You asked to be reminded again.", within: .seconds(3600))
        #expect(start.duration(to: stage.phone.clock.now) == .seconds(600))
    }

    @Test("A reminder of a place comes when the user gets there")
    func geofence() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        await stage.phone.setLocationAccess(of: stage.app, to: .whenInUse)
        await stage.phone.move(to: Coordinate(latitude: 52.50, longitude: 13.40))
        try await stage.inside {
            try await ReminderCenter().remind(at: CLLocationCoordinate2D(latitude: 52.52, longitude: 13.40))
        }
        #expect(stage.phone.device.screen.list.isEmpty)
        await stage.phone.move(to: Coordinate(latitude: 52.52, longitude: 13.40))
        #expect(stage.phone.device.screen.list.map(\.title) == ["At the gate"])
    }

    @Test("The daily reminder can be stopped")
    func stop() async throws {
        let stage = try Stage()
        try await stage.start()
        await stage.inside { ReminderCenter().stop() }
        await stage.phone.background(stage.app)
        await stage.phone.expectNoBanner(for: .seconds(2 * 86_400))
    }

    @Test("The button in the system's settings opens the app's own")
    func settingsLink() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        let bundleID = stage.app.bundleID
        #expect(await stage.phone.perform { $0.openNotificationSettings(of: bundleID) })
        #expect(stage.delegate?.showsSettings == true)
    }
}
