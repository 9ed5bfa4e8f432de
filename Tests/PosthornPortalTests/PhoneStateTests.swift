import Foundation
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit
import UserNotifications

/// An app that asks for permission and has a category with two buttons.
private final class PhoneApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        let reply = UNTextInputNotificationAction(
            identifier: "reply",
            title: "Reply",
            textInputButtonTitle: "Send",
            textInputPlaceholder: "Your answer"
        )
        let delete = UNNotificationAction(identifier: "delete", title: "Delete", options: .destructive)
        center.setNotificationCategories([
            UNNotificationCategory(identifier: "talk", actions: [reply, delete], intentIdentifiers: [])
        ])
        center.requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in }
        return true
    }
}

@Suite("State of a phone, and its run as a file")
struct PhoneStateTests {
    private let app = InstalledApp(bundleID: "com.example.phone", name: "Phone app")
    private static let push: JSONValue = [
        "aps": ["alert": ["title": "<b>Lunch</b>", "body": "100%% fresh"], "badge": 3, "category": "talk"]
    ]

    private func phone(_ prompts: PromptPolicy = .allow) async -> TestPhone {
        let phone = TestPhone(prompts: prompts)
        phone.install(app) { PhoneApp() }
        await phone.open(app)
        return phone
    }

    @Test("The state has what is on the screen, and what the apps are allowed")
    func state() async throws {
        let phone = await phone()
        #expect(phone.device.phoneState.front == app.bundleID)
        await phone.background(app)
        let id = await phone.push(Self.push, to: app)
        await phone.perform { _ = $0.longPress(id) }
        let state = phone.device.phoneState
        #expect(state.front == nil)
        #expect(state.list.map(\.id) == [id])
        #expect(state.list.first?.title == "<b>Lunch</b>")
        #expect(state.list.first?.body == "100% fresh")
        #expect(state.badges == [app.bundleID: 3])
        #expect(state.expanded?.actions.map(\.id) == ["reply", "delete"])
        #expect(state.expanded?.actions.map(\.isDestructive) == [false, true])
        #expect(state.expanded?.actions.first?.placeholder == "Your answer")
        let shown = try #require(state.apps.first)
        #expect(shown.permission == "authorized" && shown.condition == "background" && shown.badges)
    }

    @Test("Its JSON has null for what is not there, and is read back as it was")
    func json() async throws {
        let phone = await phone(.ask)
        let state = phone.device.phoneState
        #expect(state.promptSubject == .notifications)
        let object = try #require(try JSONValue(parsing: Array(state.json.utf8)).object)
        #expect(object["version"] == 1)
        #expect(
            object["banner"] == .null && object["focus"] == .null && object["inApp"] == .null
                && object["alert"] == .null
        )
        #expect(object["prompt"]?.string == "“Phone app” would like to send you notifications")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(PhoneState.self, from: Data(state.json.utf8)) == state)
    }

    @Test("A run is written by writeStory, read back, and has the state after each step")
    func run() async throws {
        let phone = await phone()
        await phone.background(app)
        let id = await phone.push(Self.push, to: app)
        await phone.tap(id)
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "story.json")
            try phone.writeStory(to: file)
            let run = try RunFile(reading: Data(contentsOf: file))
            #expect(run == phone.runFile)
            #expect(run.phone == "iPhone" && run.system == "17.0")
            #expect(run.entries.map(\.number) == Array(1...run.entries.count))
            let banner = try #require(run.entries.first { $0.event == "bannerShown" })
            #expect(banner.notification == id)
            let last = run.entries.last { $0.after != nil }?.after
            #expect(last?.front == app.bundleID && last?.list == [])
            let callback = try #require(run.entries.first { $0.event == "callback" })
            #expect(callback.state != nil && callback.app == app.bundleID)
        }
    }

    @Test(
        "A file that is not a run, or is of another version, is refused with the reason",
        arguments: [
            ("{}", "This is not a run"), ("nonsense", "This is not a run"),
            (#"{"format":"posthorn-run","version":2}"#, "version is 2; expected 1"),
            (#"{"format":"posthorn-run"}"#, "version is missing"),
            (#"{"format":"posthorn-run","version":1}"#, "damaged"),
        ]
    )
    func refused(_ text: String, _ reason: String) {
        let problem = #expect(throws: RunFile.Problem.self) { try RunFile(reading: Data(text.utf8)) }
        #expect(problem?.description.contains(reason) == true)
    }

    @Test("The recorder keeps the last events, and tells its followers")
    func follows() async throws {
        let phone = await phone()
        let recorder = RunRecorder(phone.device)
        var changes = recorder.changes().makeAsyncIterator()
        #expect(await changes.next() != nil)
        await phone.perform { $0.setFocus(.doNotDisturb) }
        #expect(await changes.next() != nil)
        let entries = recorder.entries(after: 0)
        #expect(entries.map(\.detail) == ["focus Do Not Disturb"])
        #expect(entries.first?.after?.focus == "Do Not Disturb")
        #expect(recorder.entries(after: 1).isEmpty)
    }

    @Test("Orders change Focus, settings, and the clock")
    func orders() async throws {
        let clock = TurnableClock()
        let device = Device(
            name: "ordered",
            clock: clock,
            dialer: TestPhone().dialer,
            journeys: JourneyRecorder(),
            prompts: .allow
        )
        defer { device.shutdown() }
        device.install(app) { PhoneApp() }
        let bundleID = app.bundleID
        func perform(_ order: DeviceOrder) async throws {
            // As the portal and the command line send it.
            let sent = try JSONDecoder().decode(DeviceOrder.self, from: JSONEncoder().encode(order))
            _ = try await sent.perform(on: device, app: bundleID, courier: "ws://none.test", clock: clock)
        }
        try await perform(.open)
        try await perform(.focus("Work"))
        #expect(device.phoneState.focus == "Work")
        try await perform(.focus(""))
        #expect(device.phoneState.focus == nil)
        try await perform(.settings(.init { ($0.sounds, $0.previews, $0.grouping) = (false, .never, .off) }))
        let settings = try #require(device.phoneState.apps.first)
        #expect(!settings.sounds && settings.badges && settings.previews == "never" && settings.grouping == "off")
        await #expect(throws: DeviceOrderProblem.self) { try await perform(.turnClockToFiring) }
        await #expect(throws: DeviceOrderProblem.self) { try await perform(.turnClockTo(0)) }
        let before = clock.date
        try await perform(
            .addLocal(
                .init(identifier: "tea", trigger: "interval=3600", place: nil, repeats: false, title: "Tea", body: "")
            )
        )
        try await perform(.turnClockToFiring)
        #expect(clock.date.timeIntervalSince(before) >= 3600)
    }

    @Test("The clock goes to the next summary, if a notification is held for it")
    func summary() async throws {
        let phone = TestPhone()
        let clock = TurnableClock()
        let device = Device(
            name: "summarized",
            clock: clock,
            dialer: phone.dialer,
            journeys: JourneyRecorder(),
            prompts: .allow
        )
        defer { device.shutdown() }
        device.install(app) { PhoneApp() }
        device.setNotifications(of: app.bundleID, allowed: true)
        device.changeSettings(of: app.bundleID) { $0.scheduledDelivery = true }
        #expect(device.phoneState.nextSummary == nil)
        var content = ContentRecord()
        content.title = "Later"
        try device.addLocal(RequestRecord(identifier: "later", content: content, trigger: nil), to: app.bundleID)
        await device.settled()
        let next = try #require(device.phoneState.nextSummary)
        #expect(device.phoneState.upcoming.map(\.title) == ["Later"])
        let order = DeviceOrder.turnClockToFiring
        _ = try await order.perform(on: device, app: app.bundleID, courier: "ws://none.test", clock: clock)
        #expect(clock.date >= next)
        // The alarm of a clock that is turned comes on a thread of its own.
        try await eventually("the summary is shown") { device.phoneState.upcoming.isEmpty }
        #expect(device.phoneState.nextSummary == nil)
        #expect(device.phoneState.list.map(\.title) == ["Later"])
    }

    @Test("An order that the app is refused ends with the error that the app gets")
    func refusedOrder() async throws {
        let device = Device(
            name: "refusing",
            clock: TurnableClock(),
            dialer: TestPhone().dialer,
            journeys: JourneyRecorder(),
            prompts: .deny
        )
        defer { device.shutdown() }
        device.install(app) { PhoneApp() }
        device.setNotifications(of: app.bundleID, allowed: false)
        let local = DeviceOrder.LocalNotification(
            identifier: "tea",
            trigger: "interval=60",
            place: nil,
            repeats: false,
            title: "Tea",
            body: ""
        )
        let problem = await #expect(throws: DeviceOrderProblem.self) {
            let order = DeviceOrder.addLocal(local)
            let clock = TurnableClock()
            _ = try await order.perform(on: device, app: app.bundleID, courier: "ws://none.test", clock: clock)
        }
        #expect(problem?.description.contains("UNErrorDomain 1") == true)
    }
}
