import ActivityKit
import PosthornTesting
import PushDevice
import PushModel
import TestSupport
import UIKit

struct DeliveryAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var status: String
        var minutes: Int
    }

    var order: String
}

/// An app that awaits its activities and their tokens as soon as it is launched.
final class DeliveryApp: UIResponder, UIApplicationDelegate {
    private let log: Recorder<String>
    var continued: [String] = []

    init(_ log: Recorder<String>) { self.log = log }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let log = log
        Task {
            for await token in Activity<DeliveryAttributes>.pushToStartTokenUpdates {
                log.add("start token \(token.count)")
            }
        }
        Task {
            for await activity in Activity<DeliveryAttributes>.activityUpdates {
                log.add("activity \(activity.attributes.order) \(activity.content.state.status)")
                Task {
                    for await token in activity.pushTokenUpdates { log.add("token \(token.count)") }
                }
            }
        }
        return true
    }

    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        continued.append(userActivity.activityType)
        return true
    }
}

/// A phone with an app that has Live Activities, in the foreground.
@MainActor
struct DeliveryStage {
    static let info: JSONObject = ["NSSupportsLiveActivities": true]

    let phone: TestPhone
    let app: InstalledApp
    let log = Recorder<String>()

    init(
        _ system: String = "18.0",
        info: JSONObject = Self.info,
        profile: SystemProfile? = nil,
        hasPushEntitlement: Bool = true
    ) async {
        phone = TestPhone(profile ?? SystemProfile(version: system))
        var app = InstalledApp(bundleID: "com.example.delivery", name: "Delivery", info: info)
        app.hasPushEntitlement = hasPushEntitlement
        self.app = app
        let log = log
        phone.install(app) { DeliveryApp(log) }
        await phone.open(app)
    }

    /// Runs the app's code.
    func inside<Result: Sendable>(_ body: @MainActor () async throws -> Result) async throws -> Result {
        guard let result = try await phone.device.inside(app.bundleID, body) else { throw NotRunning() }
        return result
    }

    struct NotRunning: Error {}

    /// Starts an activity as the app does.
    func start(
        _ order: String = "A7",
        _ content: ActivityContent<DeliveryAttributes.ContentState> = .init(
            state: .init(status: "baking", minutes: 30),
            staleDate: nil
        ),
        pushType: PushType? = .token
    ) async throws -> Activity<DeliveryAttributes> {
        let activity = try await inside {
            try Activity.request(attributes: DeliveryAttributes(order: order), content: content, pushType: pushType)
        }
        await phone.device.settled()
        return activity
    }

    /// The error with which an activity does not start.
    func refusal(_ order: String = "A7") async -> ActivityAuthorizationError? {
        do { _ = try await start(order) } catch { return error as? ActivityAuthorizationError }
        return nil
    }

    /// Waits for a line of the app's log.
    func heard(_ line: String) async throws {
        try await eventually("the app has heard '\(line)'") { log.elements.contains(line) }
    }

    func kinds(_ push: String) -> [JourneyEvent.Kind] { phone.journeys.kinds(of: push) }

    func sentence(_ push: String) -> String { Verdict(phone.journeys.events(of: push)).sentence }

    var contents: [String] { phone.activities.map(\.content) }
    var states: [LiveActivityRecord.State] { phone.activities.map(\.state) }
}

extension JSONValue {
    static func delivery(_ status: String, _ minutes: Int) -> JSONValue {
        ["status": .string(status), "minutes": .integer(Int64(minutes))]
    }
}
