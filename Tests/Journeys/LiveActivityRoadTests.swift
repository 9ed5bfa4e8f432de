import ActivityKit
import AppInstallation
import Foundation
import JPush
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import PushService
import TestSupport
import Testing
import UIKit

struct ParcelAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var place: String
        var stops: Int
    }

    var parcel: String
}

/// An app that registers the tokens of its Live Activities with the push service.
private final class ParcelApp: UIResponder, UIApplicationDelegate {
    private let key: String
    private let log: Recorder<String>

    init(key: String, log: Recorder<String>) {
        self.key = key
        self.log = log
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        JPUSHService.setup(withOption: launchOptions, appKey: key, channel: nil, apsForProduction: true)
        let log = log
        Task {
            for await token in Activity<ParcelAttributes>.pushToStartTokenUpdates {
                JPUSHService.registerLiveActivity(
                    "ParcelAttributes",
                    pushToStartToken: token,
                    completion: { code, _, _, _ in log.add("start token \(code)") },
                    seq: 1
                )
            }
        }
        Task {
            for await activity in Activity<ParcelAttributes>.activityUpdates {
                log.add("activity \(activity.attributes.parcel)")
                Task { await ParcelApp.follow(activity, log) }
            }
        }
        return true
    }

    private static func follow(_ activity: Activity<ParcelAttributes>, _ log: Recorder<String>) async {
        for await token in activity.pushTokenUpdates {
            JPUSHService.registerLiveActivity(
                activity.attributes.parcel,
                pushToken: token,
                completion: { code, id, _, _ in log.add("token of \(id ?? "") \(code)") },
                seq: 2
            )
        }
    }
}

/// A Live Activity from the service to the screen: real HTTP/2 and WebSockets, the phone's clock turned.
@Suite("The road of a Live Activity", .suiteLimit)
struct LiveActivityRoadTests {
    private func send(_ event: JSONObject, to audience: JSONValue, by stack: Stack) async throws -> String {
        let body: JSONValue = [
            "platform": ["ios"], "audience": audience, "live_activity": ["ios": .object(event)],
            "options": ["apns_production": true],
        ]
        let answer = try await stack.api.post("/v3/push", body.bytes)
        #expect(answer.status == 200, "\(answer.json.text)")
        return try #require(answer.json.object?["msg_id"]?.string)
    }

    @Test(
        "A push starts it in an app that is not running, which registers its token; pushes change it; it goes stale, and ends"
    )
    func road() async throws {
        try await withStack { stack in
            let phone = try await stack.makePhone(name: "Recipient", system: "18.0")
            defer { phone.switchOff() }
            let device = phone.device
            let log = Recorder<String>()
            let app = InstalledApp(
                bundleID: phone.bundleID,
                name: "Parcels",
                environment: .production,
                link: stack.linkURL,
                info: ["NSSupportsLiveActivities": true]
            )
            let key = stack.app.app.key.text
            device.install(app) { ParcelApp(key: key, log: log) }
            device.open(app.bundleID)
            try await eventually("the token for starts is registered; the app: \(log.elements)") {
                log.elements.contains("start token 0")
            }
            let text = await device.inside(app.bundleID) { JPUSHService.registrationID() ?? "" } ?? ""
            let id = try #require(RegistrationID(text))
            device.terminate(app.bundleID)

            let audience: JSONValue = ["registration_id": [.string(id.text)]]
            var event: JSONObject = ["event": "start", "attributes-type": "ParcelAttributes"]
            event["attributes"] = ["parcel": "P-7"]
            event["content-state"] = ["place": "Depot", "stops": 9]
            let start = try await send(event, to: audience, by: stack)
            let started = try await stack.verdict(.shown, of: start, to: id)
            #expect(started == "shown: it started a Live Activity")
            try await eventually("the token of the activity is registered") { log.elements.contains("token of P-7 0") }
            #expect(log.elements.contains("activity P-7"))
            #expect(device.condition(of: app.bundleID) == .background)

            let activity: JSONValue = ["live_activity_id": "P-7"]
            event = ["event": "update", "content-state": ["place": "Your street", "stops": 1]]
            event["stale-date"] = .integer(Int64(phone.clock.date.timeIntervalSince1970) + 600)
            let update = try await send(event, to: activity, by: stack)
            let updated = try await stack.verdict(.shown, of: update, to: id)
            #expect(updated == "shown: it changed a Live Activity")
            #expect(device.screen.activities.map(\.content) == [#"{"place":"Your street","stops":1}"#])

            (phone.clock as? TurnableClock)?.turn(by: .seconds(601))
            _ = await device.first { deviceEvent in
                if case .activity(_, .stale) = deviceEvent.kind { true } else { false }
            }
            #expect(device.screen.activities.map(\.state) == [.stale])

            event = ["event": "update", "content-state": ["place": "Your street"]]
            let wrong = try await send(event, to: activity, by: stack)
            let refused = try await stack.verdict(.suppressed, of: wrong, to: id)
            #expect(refused.hasSuffix("the Live Activity cannot use it: 'content-state.stops' is missing"))

            event = ["event": "end", "content-state": ["place": "At your door", "stops": 0]]
            let end = try await send(event, to: activity, by: stack)
            let ended = try await stack.verdict(.shown, of: end, to: id)
            #expect(ended == "shown: it ended a Live Activity")
            #expect(device.screen.activities.map(\.state) == [.ended])

            // Its token is no longer valid.
            let late = try await send(event, to: activity, by: stack)
            let gone = try await stack.verdict(.refused, of: late, to: id)
            #expect(gone.contains("Unregistered"))
            let detail = try await stack.api.get("/v3/messages/detail?msg_ids=\(end)")
            let counts = detail.json.array?.first?.object?["details"]?.object?["live_activity"]?.object
            #expect(counts?["sent"] == 1)
        }
    }
}
