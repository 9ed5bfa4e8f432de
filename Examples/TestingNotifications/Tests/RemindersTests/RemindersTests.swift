import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import Reminders
import Testing
import UIKit

/// Each test has a phone of its own; the tests run in parallel, and none waits for real time.
@Suite("Reminders")
struct RemindersTests {
    private let app = InstalledApp(bundleID: "com.example.reminders")
    private let phone: TestPhone

    init() {
        phone = TestPhone(.iOS(17))
        phone.install(app) { AppDelegate() }
    }

    @Test("Three days bring three reminders, at eight o'clock each")
    func daily() async throws {
        await phone.open(app)
        let agreed = try await phone.device.inside(app.bundleID) { try await ReminderCenter().start(hour: 8) }
        #expect(agreed == true)
        await phone.background(app)
        await phone.advance(by: .seconds(3 * 86_400))
        // The same identifier replaces the entry, so the list has the last one.
        #expect(phone.device.screen.list.map(\.title) == ["Time to write"], "\(phone.story)")
        let fired = phone.device.recentDeviceEvents.filter { if case .bannerShown = $0.kind { true } else { false } }
        #expect(fired.count == 3, "\(phone.story)")
    }

    @Test("Who says no gets no reminder")
    func denied() async throws {
        phone.device.setPrompts(.deny)
        await phone.open(app)
        let agreed = try await phone.device.inside(app.bundleID) { try await ReminderCenter().start(hour: 8) }
        #expect(agreed == false)
        #expect(phone.device.pendingRequests(of: app.bundleID).isEmpty)
    }

    @Test("A tapped push opens its note")
    func tap() async throws {
        try await allow()
        let push = await phone.push(["aps": ["alert": "A note for you"], "note": "42"], to: app)
        await phone.tap(push)
        let note = await phone.device.inside(app.bundleID) {
            (UIApplication.shared.delegate as? AppDelegate)?.openedNote
        }
        #expect(note == "42", "\(phone.story)")
    }

    @Test("A silent push fetches in the background; after a swipe it does not, and the journey says why")
    func silent() async throws {
        try await allow()
        let first = await phone.push(["aps": ["content-available": 1]], to: app)
        // The app has the push; its handler may still be at work.
        _ = await phone.journeys.first(of: first) { $0 == .finished(.newData) }
        await phone.forceQuit(app)
        let second = await phone.push(["aps": ["content-available": 1]], to: app)
        #expect(phone.journeys.kinds(of: second) == [.suppressed(.forceQuit)], "\(phone.story)")
    }

    private func allow() async throws {
        await phone.open(app)
        try await phone.device.inside(app.bundleID) { _ = try await ReminderCenter().start(hour: 8) }
        await phone.background(app)
    }
}
