import ActivityKit
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import TestSupport
import Testing
import UIKit

/// The life of a Live Activity. Source: Apple, "Displaying live data with Live Activities", "ActivityKit" and its symbols.
@Suite("The life of a Live Activity", .phoneStory)
@MainActor
struct ActivityLifeTests {
    private let hour = 3600

    @Test("You can only start a Live Activity while the app is in the foreground")
    func foreground() async throws {
        let stage = await DeliveryStage()
        await stage.phone.background(stage.app)
        #expect(await stage.refusal() == .visibility)
        await stage.phone.open(stage.app)
        #expect(await stage.refusal() == nil)
        #expect(stage.contents == [#"{"minutes":30,"status":"baking"}"#])
    }

    @Test("An update and an end may come from the background")
    func background() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        await stage.phone.background(stage.app)
        try await stage.inside {
            await activity.update(.init(state: .init(status: "on its way", minutes: 9), staleDate: nil))
        }
        #expect(activity.content.state == .init(status: "on its way", minutes: 9))
        #expect(stage.contents == [#"{"minutes":9,"status":"on its way"}"#])
        try await stage.inside { await activity.end(nil, dismissalPolicy: .immediate) }
        #expect(activity.activityState == .dismissed && stage.contents.isEmpty)
    }

    @Test("A transient one ends when the person leaves the app or locks the device; a standard one goes on")
    func transient() async throws {
        for leaves in [true, false] {
            let stage = await DeliveryStage()
            let standard = try await stage.start("standard")
            let transient = try await stage.inside {
                try Activity.request(
                    attributes: DeliveryAttributes(order: "transient"),
                    content: .init(state: .init(status: "choosing", minutes: 1), staleDate: nil),
                    pushType: nil,
                    style: .transient
                )
            }
            await stage.phone.device.settled()
            #expect(transient.activityState == .active && stage.phone.activities.count == 2)
            if leaves { await stage.phone.background(stage.app) } else { await stage.phone.perform { $0.lock() } }
            #expect(transient.activityState == .dismissed)
            #expect(standard.activityState == .active)
            #expect(stage.phone.activities.map(\.id) == [standard.id])
        }
    }

    @Test("The app declares NSSupportsLiveActivities, the device has iOS 16.1, and the user allows it")
    func requirements() async {
        let undeclared = await DeliveryStage(info: [:])
        #expect(await undeclared.refusal() == .unsupportedTarget)
        let old = await DeliveryStage("16.0")
        #expect(await old.refusal() == .unsupported)
        let denied = await DeliveryStage("16.1")
        await denied.phone.setLiveActivities(of: denied.app, allowed: false)
        #expect(await denied.refusal() == .denied)
        #expect(ActivityAuthorizationError.denied.failureReason?.isEmpty == false)
    }

    @Test(
        "Without the push entitlement an activity starts only if it asks for no pushes",
        arguments: ["16.1", "17.2", "18.0", "26.0", "27.0"]
    )
    func unentitled(_ system: String) async throws {
        let stage = await DeliveryStage(system, hasPushEntitlement: false)
        #expect(await stage.refusal() == .unentitled)
        await #expect(throws: ActivityAuthorizationError.unentitled) {
            _ = try await stage.start(pushType: .channel("dHN0LXNyY2gtY2hubA=="))
        }
        #expect(stage.contents.isEmpty)
        _ = try await stage.start(pushType: nil)
        #expect(stage.contents == [#"{"minutes":30,"status":"baking"}"#])
        #expect(ActivityAuthorizationError.unentitled.recoverySuggestion?.contains("Push Notifications") == true)
    }

    @Test("The combined size of attributes and content can't exceed 4 KB", arguments: [(3900, false), (4100, true)])
    func size(_ count: Int, _ isTooLarge: Bool) async {
        let stage = await DeliveryStage()
        let refusal = await stage.refusal(String(repeating: "x", count: count))
        #expect(refusal == (isTooLarge ? .attributesTooLarge : nil))
    }

    @Test("The app has a maximum number of Live Activities: five here, those that have ended not counted")
    func limit() async throws {
        let stage = await DeliveryStage()
        let first = try await stage.start("1")
        for number in 2...5 { _ = try await stage.start("\(number)") }
        #expect(await stage.refusal("6") == .targetMaximumExceeded)
        try await stage.inside { await first.end(nil, dismissalPolicy: .default) }
        #expect(await stage.refusal("6") == nil)
        #expect(stage.phone.activities.count == 6)
    }

    @Test("At the stale date the system considers the activity out of date; an update makes it current")
    func stale() async throws {
        let stage = await DeliveryStage()
        let date = stage.phone.clock.date.addingTimeInterval(60)
        let activity = try await stage.start("A7", .init(state: .init(status: "baking", minutes: 1), staleDate: date))
        await stage.phone.advance(by: .seconds(59))
        #expect(activity.activityState == .active)
        await stage.phone.advance(by: .seconds(2))
        #expect(activity.activityState == .stale && stage.states == [.stale])
        try await stage.inside {
            await activity.update(.init(state: .init(status: "late", minutes: 5), staleDate: nil))
        }
        #expect(activity.activityState == .active)
    }

    @Test("nalu #222: an activity that is requested with a stale date in the past is stale, and never presented")
    func nalu222_staleAtRequest() async throws {
        let stage = await DeliveryStage()
        let past = stage.phone.clock.date.addingTimeInterval(-1800)
        let content = ActivityContent(
            state: DeliveryAttributes.ContentState(status: "baking", minutes: 1),
            staleDate: past
        )
        let activity = try await stage.start("A7", content)
        #expect(activity.activityState == .stale)
        #expect(stage.phone.device.screen.activities.isEmpty)
        await stage.phone.background(stage.app)
        #expect(stage.phone.device.screen.island == nil)
        #expect(!stage.phone.device.tapActivity(activity.id))
        // With a date ahead it is presented.
        await stage.phone.open(stage.app)
        let ahead = ActivityContent(state: content.state, staleDate: stage.phone.clock.date.addingTimeInterval(720))
        let other = try await stage.start("A8", ahead)
        #expect(stage.phone.device.screen.activities.map(\.id) == [other.id])
    }

    @Test("A Live Activity can be active for up to eight hours, and remains up to four more: twelve in all")
    func twelveHours() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        await stage.phone.background(stage.app)
        #expect(stage.phone.device.screen.island?.id == activity.id)
        await stage.phone.advance(by: .seconds(8 * hour - 1))
        #expect(activity.activityState == .active)
        await stage.phone.advance(by: .seconds(2))
        #expect(activity.activityState == .ended && stage.states == [.ended])
        #expect(stage.phone.device.screen.island == nil, "It leaves the Dynamic Island at once.")
        #expect(activity.pushToken == nil)
        try await eventually("its token is given up") { stage.phone.courier.unregistered.count == 1 }
        await stage.phone.advance(by: .seconds(4 * hour - 2))
        #expect(stage.states == [.ended])
        await stage.phone.advance(by: .seconds(2))
        #expect(activity.activityState == .dismissed && stage.states.isEmpty)
    }

    @Test(
        "Dismissal: at once, at a date within four hours, or after four hours",
        arguments: [("immediate", 0), ("after 1", 1), ("after 9", 4), ("default", 4)]
    )
    func dismissal(_ name: String, _ hours: Int) async throws {
        let stage = await DeliveryStage()
        let now = stage.phone.clock.date
        let policies: [String: ActivityUIDismissalPolicy] = [
            "immediate": .immediate, "default": .default, "after 1": .after(now.addingTimeInterval(3600)),
            "after 9": .after(now.addingTimeInterval(9 * 3600)),
        ]
        let policy = try #require(policies[name])
        let activity = try await stage.start()
        try await stage.inside {
            await activity.end(
                .init(state: .init(status: "delivered", minutes: 0), staleDate: nil),
                dismissalPolicy: policy
            )
        }
        guard hours > 0 else {
            #expect(activity.activityState == .dismissed && stage.contents.isEmpty)
            return
        }
        #expect(activity.activityState == .ended && stage.contents == [#"{"minutes":0,"status":"delivered"}"#])
        await stage.phone.advance(by: .seconds(hours * hour - 1))
        #expect(stage.contents.count == 1)
        await stage.phone.advance(by: .seconds(2))
        #expect(activity.activityState == .dismissed && stage.contents.isEmpty)
    }

    @Test("An activity that has ended won't update its content anymore")
    func noUpdateAfterTheEnd() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        try await stage.inside {
            await activity.end(nil, dismissalPolicy: .default)
            await activity.update(.init(state: .init(status: "late", minutes: 5), staleDate: nil))
        }
        #expect(activity.activityState == .ended && activity.content.state.status == "baking")
    }

    @Test("A person removes it from the lock screen, and the app hears of it")
    func swipe() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        await stage.phone.dismissActivity(activity.id)
        #expect(activity.activityState == .dismissed && stage.contents.isEmpty)
        let left = try await stage.inside { Activity<DeliveryAttributes>.activities.count }
        #expect(left == 0)
        #expect(!stage.phone.device.dismissActivity(activity.id))
    }

    @Test("A touch opens the app, which continues a user activity of the Live Activity")
    func touch() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        await stage.phone.background(stage.app)
        await stage.phone.tapActivity(activity.id)
        #expect(stage.phone.device.screen.front == stage.app.bundleID)
        let delegate = stage.phone.device.delegate(of: stage.app.bundleID, as: DeliveryApp.self)
        #expect(delegate?.continued == ["NSUserActivityTypeLiveActivity"])
        await stage.phone.perform { $0.lock() }
        #expect(!stage.phone.device.tapActivity(activity.id))
    }

    @Test("The user switches Live Activities off: those that are shown end, and the app is told")
    func switchedOff() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        #expect(try await stage.inside { ActivityAuthorizationInfo().areActivitiesEnabled })
        await stage.phone.setLiveActivities(of: stage.app, allowed: false)
        #expect(activity.activityState == .dismissed && stage.contents.isEmpty)
        #expect(try await stage.inside { ActivityAuthorizationInfo().areActivitiesEnabled } == false)
    }

    @Test("The activity with the highest relevance score is the first, and in the Dynamic Island")
    func relevance() async throws {
        let stage = await DeliveryStage()
        for (order, score) in [("low", 1.0), ("high", 90.0), ("middle", 50.0)] {
            _ = try await stage.start(
                order,
                .init(state: .init(status: order, minutes: 1), staleDate: nil, relevanceScore: score)
            )
        }
        let expected = ["high", "middle", "low"].map { #"{"minutes":1,"status":"\#($0)"}"# }
        #expect(stage.contents == expected)
        #expect(stage.phone.device.screen.island == nil, "The app is in front.")
        await stage.phone.background(stage.app)
        #expect(stage.phone.device.screen.island?.content == expected[0])
        let state = stage.phone.device.phoneState
        #expect(state.activities?.map(\.content) == expected && state.activities?.first?.isInIsland == true)
    }

    @Test("A scheduled Live Activity is pending until its start, which alerts")
    func scheduled() async throws {
        let stage = await DeliveryStage("26.0")
        let start = stage.phone.clock.date.addingTimeInterval(600)
        let activity = try await stage.inside {
            try Activity.request(
                attributes: DeliveryAttributes(order: "A7"),
                content: .init(state: .init(status: "soon", minutes: 9), staleDate: nil),
                alertConfiguration: AlertConfiguration(title: "Soon", body: "Order \("A7")", sound: .default),
                start: start
            )
        }
        await stage.phone.device.settled()
        #expect(activity.activityState == .pending && stage.contents.isEmpty)
        await stage.phone.background(stage.app)
        await stage.phone.advance(by: .seconds(601))
        #expect(activity.activityState == .active && stage.contents.count == 1)
        let alerts = stage.phone.device.recentDeviceEvents.compactMap { event in
            if case .activityAlerted(_, let text) = event.kind { text } else { nil }
        }
        #expect(alerts == ["Soon · Order A7"])
    }

    @Test("An update with an older timestamp than the last is ignored")
    func timestamps() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        let now = stage.phone.clock.date
        try await stage.inside {
            let newer = ActivityContent(
                state: DeliveryAttributes.ContentState(status: "new", minutes: 2),
                staleDate: nil
            )
            let older = ActivityContent(
                state: DeliveryAttributes.ContentState(status: "old", minutes: 1),
                staleDate: nil
            )
            await activity.update(newer, alertConfiguration: nil, timestamp: now.addingTimeInterval(20))
            await activity.update(older, alertConfiguration: nil, timestamp: now.addingTimeInterval(10))
        }
        #expect(activity.content.state.status == "new")
    }
}
