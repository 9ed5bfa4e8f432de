import ActivityKit
import DeviceLink
import PosthornTesting
import PushClock
import PushModel
import TestSupport
import Testing
import UIKit

@testable import PushDevice

/// Pushes for Live Activities. Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
@Suite("Pushes for Live Activities", .phoneStory)
@MainActor
struct ActivityPushTests {
    @Test("An update changes the content, and its journey ends with it")
    func update() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        try await stage.heard("token 32")
        let push = await stage.phone.push(
            liveActivity: .update(.delivery("on its way", 9)),
            to: activity.id,
            of: stage.app
        )
        #expect(activity.content.state == .init(status: "on its way", minutes: 9))
        #expect(stage.kinds(push) == [.presented(.activityUpdated)])
        #expect(stage.sentence(push) == "shown: it changed a Live Activity")
    }

    @Test("An update reaches an app that is not running: the system shows it")
    func notRunning() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        await stage.phone.terminate(stage.app)
        let push = await stage.phone.push(
            liveActivity: .update(.delivery("on its way", 9)),
            to: activity.id,
            of: stage.app
        )
        #expect(stage.kinds(push) == [.presented(.activityUpdated)])
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
        await stage.phone.open(stage.app)
        let known = try await stage.inside { Activity<DeliveryAttributes>.activities.map(\.content.state.status) }
        #expect(known == ["on its way"])
    }

    @Test("The system ignores an update with an older timestamp than the last")
    func timestamp() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        var message = LiveActivityMessage.update(.delivery("old", 20))
        message.timestamp = stage.phone.clock.date.addingTimeInterval(-1)
        let push = await stage.phone.push(liveActivity: message, to: activity.id, of: stage.app)
        #expect(stage.kinds(push) == [.suppressed(.activityTimestamp)])
        #expect(activity.content.state.status == "baking")
    }

    @Test(
        "A content state that does not decode is dropped, and the journey names the key",
        arguments: [
            (["status": "x"] as JSONValue, "'content-state.minutes' is missing"),
            (["status": "x", "minutes": "nine"] as JSONValue, "'content-state.minutes': Expected to decode Int"),
            (["status": JSONValue.null, "minutes": 9] as JSONValue, "'content-state.status': "),
            (["status": "x", "minutes": 2.5] as JSONValue, "'content-state.minutes': 2.5 does not fit in Int"),
            (
                ["status": "x", "other": 7.5, "minutes": 1e30] as JSONValue,
                "'content-state.minutes': 1e+30 does not fit"
            ),
        ]
    )
    func undecodable(_ state: JSONValue, _ words: String) async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        let push = await stage.phone.push(liveActivity: .update(state), to: activity.id, of: stage.app)
        let sentence = stage.sentence(push)
        #expect(sentence.hasPrefix("delivered, not shown: the Live Activity cannot use it: \(words)"), "\(sentence)")
        #expect(activity.content.state.status == "baking")
    }

    @Test("Keys that the system needs are named")
    func malformed() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        let topic = "\(stage.app.bundleID).push-type.liveactivity/\(activity.id)"
        for (aps, words) in [
            (["event": "update"], "'timestamp' is missing"), (["timestamp": 1, "event": "stop"], "'event' is 'stop'"),
            (["timestamp": 1, "event": "update"], "'content-state' is missing"),
            (["timestamp": 1, "event": "start", "content-state": [:]], "'attributes-type' is missing"),
        ] as [(JSONObject, String)] {
            let push = await stage.phone.push(["aps": .object(aps)], to: stage.app, type: .liveactivity, topic: topic)
            #expect(stage.sentence(push).contains(words), "\(stage.sentence(push))")
        }
    }

    @Test(
        "A push with the app's own token reaches no activity, and its journey says which token it had",
        arguments: [true, false]
    )
    func tokenOfApp(_ isStart: Bool) async throws {
        let stage = await DeliveryStage()
        _ = try await stage.start()
        var aps: JSONObject = ["timestamp": 1, "event": isStart ? "start" : "update", "content-state": [:]]
        if isStart {
            aps["attributes-type"] = "DeliveryAttributes"
            aps["attributes"] = ["order": "A7"]
        }
        let topic = "\(stage.app.bundleID).push-type.liveactivity"
        let push = await stage.phone.push(["aps": .object(aps)], to: stage.app, type: .liveactivity, topic: topic)
        let expected = isStart ? "a push-to-start token" : "the token of an activity"
        #expect(stage.sentence(push).contains("the token is the app's own, for notifications; expected \(expected)"))
    }

    @Test("The sound of a Live Activity's push is in its alert; one beside it is silent, and the log says so")
    func soundBeside() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        let topic = "\(stage.app.bundleID).push-type.liveactivity/\(activity.id)"
        let aps: JSONObject = [
            "timestamp": 2_000_000_000, "event": "update", "content-state": ["status": "here", "minutes": 0],
            "alert": ["title": "Here"], "sound": "default",
        ]
        let push = await stage.phone.push(["aps": .object(aps)], to: stage.app, type: .liveactivity, topic: topic)
        #expect(stage.kinds(push) == [.presented(.activityUpdated)])
        let warnings = stage.phone.device.recentDeviceEvents.compactMap {
            if case .warning(let text) = $0.kind { text } else { nil }
        }
        #expect(warnings == ["'aps.sound' stands beside 'alert'; a Live Activity's sound is 'aps.alert.sound'."])
    }

    @Test("Updates of priority 10 have a budget, those of priority 5 do not count", arguments: [false, true])
    func budget(_ isFrequent: Bool) async throws {
        var info = DeliveryStage.info
        if isFrequent { info["NSSupportsLiveActivitiesFrequentUpdates"] = true }
        let stage = await DeliveryStage(info: info)
        let activity = try await stage.start()
        #expect(try await stage.inside { ActivityAuthorizationInfo().frequentPushesEnabled } == isFrequent)
        let limit = isFrequent ? 64 : 16
        for minutes in 1...limit {
            await stage.phone.push(liveActivity: .update(.delivery("x", minutes)), to: activity.id, of: stage.app)
        }
        let over = await stage.phone.push(liveActivity: .update(.delivery("x", 99)), to: activity.id, of: stage.app)
        #expect(stage.kinds(over) == [.suppressed(.activityBudget)])
        var quiet = LiveActivityMessage.update(.delivery("quiet", 1))
        quiet.priority = .consideringPower
        let free = await stage.phone.push(liveActivity: quiet, to: activity.id, of: stage.app)
        #expect(stage.kinds(free) == [.presented(.activityUpdated)])
        if isFrequent {
            await stage.phone.perform { [app = stage.app] in
                $0.setFrequentActivityUpdates(of: app.bundleID, allowed: false)
            }
            #expect(try await stage.inside { ActivityAuthorizationInfo().frequentPushesEnabled } == false)
        }
        await stage.phone.advance(by: .seconds(3601))
        let later = await stage.phone.push(liveActivity: .update(.delivery("x", 99)), to: activity.id, of: stage.app)
        #expect(stage.kinds(later) == [.presented(.activityUpdated)])
    }

    @Test("An end shows the last content; a dismissal date in the past removes it at once", arguments: [false, true])
    func end(_ isAtOnce: Bool) async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        let date = isAtOnce ? stage.phone.clock.date.addingTimeInterval(-60) : nil
        let end = LiveActivityMessage.end(.delivery("delivered", 0), dismissalDate: date)
        let push = await stage.phone.push(liveActivity: end, to: activity.id, of: stage.app)
        #expect(stage.kinds(push) == [.presented(.activityEnded)])
        #expect(activity.content.state.status == "delivered")
        #expect(activity.activityState == (isAtOnce ? .dismissed : .ended))
        try await eventually("its token is given up") { stage.phone.courier.unregistered.count == 1 }
        let late = await stage.phone.push(liveActivity: .update(.delivery("late", 1)), to: activity.id, of: stage.app)
        #expect(stage.kinds(late) == [.suppressed(.activityOver)])
    }

    @Test(
        "nalu #222: an activity that a push starts with a stale date in the past is never presented, and the journey says so"
    )
    func nalu222_staleAtStart() async throws {
        let stage = await DeliveryStage()
        try await stage.heard("start token 32")
        await stage.phone.background(stage.app)
        var message = Self.start
        message.staleDate = stage.phone.clock.date.addingTimeInterval(-1)
        let push = await stage.phone.push(liveActivity: message, startingIn: stage.app)
        #expect(stage.sentence(push).contains("'stale-date' had passed when it started"))
        #expect(stage.phone.device.screen.activities.isEmpty && stage.phone.device.screen.island == nil)
        #expect(stage.states == [])
    }

    @Test("A stale date in the push")
    func stale() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        var message = LiveActivityMessage.update(.delivery("near", 1))
        message.staleDate = stage.phone.clock.date.addingTimeInterval(60)
        message.relevanceScore = 75
        await stage.phone.push(liveActivity: message, to: activity.id, of: stage.app)
        #expect(activity.content.relevanceScore == 75)
        await stage.phone.advance(by: .seconds(61))
        #expect(activity.activityState == .stale)
    }

    @Test("An alert lights up the screen and sounds; its texts may be keys of the app's strings")
    func alert() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        var message = LiveActivityMessage.update(.delivery("here", 0))
        message.alert = [
            "title": ["loc-key": "%@ is here", "loc-args": ["Ann"]], "body": "Open the door", "sound": "default",
        ]
        let push = await stage.phone.push(liveActivity: message, to: activity.id, of: stage.app)
        #expect(stage.kinds(push) == [.presented(.activityUpdated), .presented(.sound)])
        let alerts = stage.phone.device.recentDeviceEvents.compactMap { event in
            if case .activityAlerted(_, let text) = event.kind { text } else { nil }
        }
        #expect(alerts == ["Ann is here · Open the door"])
    }

    // MARK: Starts

    private static let start = LiveActivityMessage.start(
        "DeliveryAttributes",
        attributes: ["order": "B2"],
        contentState: .delivery("baking", 30)
    )

    @Test("A push starts a Live Activity, and wakes the app, which gets the token for its updates")
    func startByPush() async throws {
        let stage = await DeliveryStage()
        try await stage.heard("start token 32")
        await stage.phone.terminate(stage.app)
        let push = await stage.phone.push(liveActivity: Self.start, startingIn: stage.app)
        #expect(stage.contents == [JSONValue.delivery("baking", 30).text])
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .background)
        let kinds = stage.kinds(push)
        #expect(Array(kinds.prefix(2)) == [.presented(.activityStarted), .woken(.background)])
        #expect(stage.sentence(push) == "shown: it started a Live Activity")
        try await stage.heard("activity B2 baking")
        try await stage.heard("token 32")
        let id = try #require(stage.phone.activities.first?.id)
        #expect(stage.phone.activities.first?.record.pushToken != nil)
        let update = await stage.phone.push(liveActivity: .update(.delivery("near", 2)), to: id, of: stage.app)
        #expect(stage.kinds(update) == [.presented(.activityUpdated)])
    }

    @Test("Starts by push have a budget of their own, whatever their priority")
    func startBudget() async throws {
        var profile = SystemProfile.iOS(27)
        #expect(profile.activityStartsPerHour == 10)
        profile.activityStartsPerHour = 2
        let stage = await DeliveryStage(profile: profile)
        try await stage.heard("start token 32")
        var message = Self.start
        message.priority = .consideringPower
        for _ in 1...2 { await stage.phone.push(liveActivity: message, startingIn: stage.app) }
        let over = await stage.phone.push(liveActivity: message, startingIn: stage.app)
        #expect(stage.kinds(over) == [.suppressed(.activityStartBudget)])
        #expect(stage.sentence(over).contains("used up its starts of Live Activities by push for this hour"))
        await stage.phone.advance(by: .seconds(3601))
        let later = await stage.phone.push(liveActivity: message, startingIn: stage.app)
        #expect(stage.kinds(later).first == .presented(.activityStarted))
    }

    @Test(
        "Since iOS 18 an activity gets a token only if the push asks for it; before, always",
        arguments: ["18.0", "17.2"]
    )
    func asksForToken(_ system: String) async throws {
        let stage = await DeliveryStage(system)
        try await stage.heard("start token 32")
        var message = Self.start
        message.requestsToken = false
        await stage.phone.push(liveActivity: message, startingIn: stage.app)
        try await stage.heard("activity B2 baking")
        await stage.phone.device.settled()
        let record = try #require(stage.phone.activities.first?.record)
        #expect((record.pushToken == nil) == (system == "18.0"))
        #expect(stage.log.elements.contains("token 32") == (system != "18.0"))
    }

    @Test("An app that was swiped away is not launched; its activity is shown")
    func forceQuit() async throws {
        let stage = await DeliveryStage()
        try await stage.heard("start token 32")
        await stage.phone.forceQuit(stage.app)
        let push = await stage.phone.push(liveActivity: Self.start, startingIn: stage.app)
        #expect(stage.kinds(push) == [.presented(.activityStarted)])
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .forceQuit)
    }

    @Test("A type that the app does not have is named")
    func unknownType() async throws {
        let stage = await DeliveryStage()
        try await stage.heard("start token 32")
        let message = LiveActivityMessage.start("RideAttributes", attributes: [:], contentState: [:])
        let push = await stage.phone.push(liveActivity: message, startingIn: stage.app)
        #expect(
            stage.sentence(push).contains(
                "'attributes-type' is 'RideAttributes'; the app's types are 'DeliveryAttributes'"
            )
        )
        let wrong = LiveActivityMessage.start(
            "DeliveryAttributes",
            attributes: ["number": 2],
            contentState: .delivery("baking", 30)
        )
        let second = await stage.phone.push(liveActivity: wrong, startingIn: stage.app)
        #expect(stage.sentence(second).contains("'attributes.order' is missing"))
        #expect(stage.contents.isEmpty)
    }

    @Test("The iOS version, the switch and the limits decide about a start")
    func judged() async throws {
        let old = await DeliveryStage("17.0")
        let first = await old.phone.push(liveActivity: Self.start, startingIn: old.app)
        #expect(old.kinds(first) == [.suppressed(.activitiesUnsupported)])
        let off = await DeliveryStage("17.2")
        await off.phone.setLiveActivities(of: off.app, allowed: false)
        let second = await off.phone.push(liveActivity: Self.start, startingIn: off.app)
        #expect(off.kinds(second) == [.suppressed(.activitiesOff)])
        let full = await DeliveryStage()
        for number in 1...5 { _ = try await full.start("\(number)") }
        let third = await full.phone.push(liveActivity: Self.start, startingIn: full.app)
        #expect(full.kinds(third) == [.suppressed(.activityLimit)])
        let undeclared = await DeliveryStage(info: [:])
        let fourth = await undeclared.phone.push(liveActivity: Self.start, startingIn: undeclared.app)
        #expect(undeclared.kinds(fourth) == [.suppressed(.activitiesUnsupported)])
    }

    // MARK: Channels

    @Test("A message of a broadcast channel changes all activities that listen to it")
    func channel() async throws {
        let stage = await DeliveryStage()
        let one = try await stage.start("1", pushType: .channel("dHN0LXNyY2gtY2hubA=="))
        let other = try await stage.start("2", pushType: .channel("b3RoZXI="))
        let channels = stage.phone.device.read { Set($0.courier.channels.map(\.id)) }
        #expect(channels == ["dHN0LXNyY2gtY2hubA==", "b3RoZXI="])
        let push = await stage.phone.broadcast(.update(.delivery("goal", 3)), in: "dHN0LXNyY2gtY2hubA==", of: stage.app)
        #expect(stage.kinds(push) == [.presented(.activityUpdated)])
        #expect(one.content.state.status == "goal" && other.content.state.status == "baking")
        try await stage.inside { await one.end(nil, dismissalPolicy: .immediate) }
        #expect(stage.phone.device.read { Set($0.courier.channels.map(\.id)) } == ["b3RoZXI="])
        let nobody = await stage.phone.broadcast(
            .update(.delivery("goal", 4)),
            in: "dHN0LXNyY2gtY2hubA==",
            of: stage.app
        )
        #expect(stage.kinds(nobody) == [.suppressed(.noSubscribedActivity)])
    }
}
