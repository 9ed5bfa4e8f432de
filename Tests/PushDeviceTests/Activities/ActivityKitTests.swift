import ActivityKit
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import Testing
import UIKit

/// The interface of ActivityKit.
@Suite("ActivityKit", .phoneStory)
@MainActor
struct ActivityKitTests {
    typealias Content = ActivityContent<DeliveryAttributes.ContentState>

    @Test("The sequences of an activity tell its changes, and end when it is dismissed")
    func sequences() async throws {
        let stage = await DeliveryStage()
        let activity = try await stage.start()
        var contents = activity.contentUpdates.makeAsyncIterator()
        var contentStates = activity.contentStateUpdates.makeAsyncIterator()
        var states = activity.activityStateUpdates.makeAsyncIterator()
        try await stage.inside {
            await activity.update(Content(state: .init(status: "near", minutes: 2), staleDate: nil))
        }
        #expect(await contents.next()?.state.status == "near")
        #expect(await contentStates.next()?.minutes == 2)
        await stage.phone.dismissActivity(activity.id)
        #expect(await states.next() == .dismissed)
        #expect(await states.next() == nil)
        #expect(await contents.next() == nil)
        var late = activity.activityStateUpdates.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("The sequences of permissions tell when the user changes them")
    func permissions() async throws {
        let stage = await DeliveryStage(info: [
            "NSSupportsLiveActivities": true, "NSSupportsLiveActivitiesFrequentUpdates": true,
        ])
        let info = try await stage.inside { ActivityAuthorizationInfo() }
        var enabled = info.activityEnablementUpdates.makeAsyncIterator()
        var frequent = info.frequentPushEnablementUpdates.makeAsyncIterator()
        await stage.phone.perform { [app = stage.app] in $0.setFrequentActivityUpdates(of: app.bundleID, allowed: false)
        }
        #expect(await frequent.next() == false)
        await stage.phone.setLiveActivities(of: stage.app, allowed: false)
        #expect(await enabled.next() == false)
        await stage.phone.setLiveActivities(of: stage.app, allowed: true)
        #expect(await enabled.next() == true)
    }

    @Test("A token for starts is the app's, one for each type, and the same after a new launch")
    func startToken() async throws {
        let stage = await DeliveryStage()
        try await stage.heard("start token 32")
        let token = try await stage.inside { Activity<DeliveryAttributes>.pushToStartToken }
        #expect(
            token
                == stage.phone.device.startToken(of: "DeliveryAttributes", in: stage.app.bundleID).map {
                    Data($0.bytes)
                }
        )
        await stage.phone.terminate(stage.app)
        await stage.phone.open(stage.app)
        #expect(try await stage.inside { Activity<DeliveryAttributes>.pushToStartToken } == token)
    }

    @Test("The spellings of iOS 16.1")
    func old() async throws {
        let stage = await DeliveryStage("16.1")
        let state = DeliveryAttributes.ContentState(status: "baking", minutes: 30)
        let activity = try await stage.inside {
            try Activity.request(attributes: DeliveryAttributes(order: "A7"), contentState: state, pushType: nil)
        }
        try await stage.inside { await activity.update(using: .init(status: "near", minutes: 1)) }
        #expect(activity.contentState == .init(status: "near", minutes: 1))
        let alert = AlertConfiguration(title: "Here", body: "Open the door", sound: .named("bell.caf"))
        try await stage.inside {
            await activity.update(using: .init(status: "here", minutes: 0), alertConfiguration: alert)
        }
        try await stage.inside { await activity.end(using: nil, dismissalPolicy: .immediate) }
        #expect(activity.activityState == .dismissed && activity.contentState.status == "here")
        let names = stage.phone.device.recentDeviceEvents.compactMap { event in
            if case .soundPlayed(let name) = event.kind { name } else { nil }
        }
        #expect(names == ["bell.caf"])
    }

    @Test("Values")
    func values() async throws {
        let content = Content(state: .init(status: "x", minutes: 1), staleDate: nil, relevanceScore: 2)
        #expect("\(content)".contains("relevanceScore: 2.0"))
        #expect(PushType.token == .token && PushType.token != .channel("a"))
        #expect(AlertConfiguration.AlertSound.default != .named("bell.caf"))
        #expect(ActivityUIDismissalPolicy.after(.distantPast) != .immediate)
        let states: [ActivityState] = [.active, .ended, .dismissed, .stale, .pending]
        #expect(try JSONDecoder().decode([ActivityState].self, from: JSONEncoder().encode(states)) == states)
        #expect(LocalizedStringResource(stringLiteral: "Hello").key == "Hello")
        let stage = await DeliveryStage()
        let activity = try await stage.inside {
            try Activity.request(
                attributes: DeliveryAttributes(order: "A7"),
                content: content,
                pushType: nil,
                style: .transient
            )
        }
        #expect(activity.id.count == 36)
    }
}
