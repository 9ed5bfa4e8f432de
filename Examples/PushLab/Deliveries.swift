import ActivityKit
import Foundation
import UIKit

#if canImport(JPush)
import JPush
#endif

/// The Live Activities of deliveries: the app or a push starts them, and pushes change and end them.
///
/// They need iOS 16.2, and iOS 17.2 to be started by push.
@MainActor
public final class Deliveries {
    private let settings: PushLabSettings
    private let log: CallbackLog
    /// The ids of the activities that are followed.
    private var followed: Set<String> = []
    /// The orders whose token the push service has.
    private var registered: Set<String> = []
    private var tasks: [Task<Void, Never>] = []

    init(settings: PushLabSettings, log: CallbackLog) {
        self.settings = settings
        self.log = log
    }

    deinit {
        for task in tasks { task.cancel() }
    }

    /// Follows the activities and the token for starts. Call it at each launch: a push may have started an activity, and
    /// the app because of it.
    func start() {
        if #available(iOS 17.2, *), Generation.isAtLeast("17.2") { followStartToken() }
        if #available(iOS 16.2, *), Generation.isAtLeast("16.2") { followActivities() }
    }

    /// Starts the activity of an order. The app must be in the foreground.
    ///
    /// - Parameters:
    ///   - order: the number of the order.
    ///   - place: the place where the parcel is.
    ///   - stops: the number of stops before the user's.
    /// - Throws: an `ActivityAuthorizationError`.
    public func begin(_ order: String, at place: String, stops: Int) throws {
        guard #available(iOS 16.2, *), Generation.isAtLeast("16.2") else {
            return log.add("delivery", "Live Activities need iOS 16.2")
        }
        let activity = try Activity.request(
            attributes: DeliveryAttributes(order: order),
            content: ActivityContent(state: .init(place: place, stops: stops), staleDate: nil),
            pushType: .token
        )
        follow(activity)
    }

    /// Ends the activity of an order that was delivered. It stays on the lock screen for four hours at most.
    public func end(_ order: String) async {
        guard #available(iOS 16.2, *), Generation.isAtLeast("16.2") else { return }
        for activity in Activity<DeliveryAttributes>.activities where activity.attributes.order == order {
            await activity.end(ActivityContent(state: .init(place: "At your door", stops: 0), staleDate: nil))
        }
    }

    // MARK: Tokens, contents and states

    @available(iOS 17.2, *)
    private func followStartToken() {
        follow { deliveries in
            for await token in Activity<DeliveryAttributes>.pushToStartTokenUpdates {
                deliveries()?.canStart(by: token)
            }
        }
    }

    @available(iOS 16.2, *)
    private func followActivities() {
        for activity in Activity<DeliveryAttributes>.activities { follow(activity) }
        follow { deliveries in
            for await activity in Activity<DeliveryAttributes>.activityUpdates { deliveries()?.follow(activity) }
        }
    }

    @available(iOS 16.2, *)
    private func follow(_ activity: Activity<DeliveryAttributes>) {
        guard followed.insert(activity.id).inserted else { return }
        let order = activity.attributes.order
        log.add("activityUpdates", "\(order) \(describe(activity.content.state))")
        follow { deliveries in
            for await token in activity.pushTokenUpdates { deliveries()?.canChange(order, by: token) }
        }
        follow { deliveries in
            for await content in activity.contentUpdates { deliveries()?.changed(order, to: content.state) }
        }
        follow { deliveries in
            for await state in activity.activityStateUpdates { deliveries()?.changed(order, to: state) }
        }
    }

    /// Runs `body`, which gets this object as long as it exists.
    private func follow(_ body: @escaping @MainActor (@MainActor () -> Deliveries?) async -> Void) {
        // Not awaited: it ends with its sequence, or is cancelled with this object.
        tasks.append(Task { [weak self] in await body { [weak self] in self } })
    }

    private func canStart(by token: Data) {
        log.add("pushToStartTokenUpdates", token.hexadecimal)
        guard settings.appKey != nil else { return }
        JPUSHService.registerLiveActivity(
            "DeliveryAttributes",
            pushToStartToken: token,
            completion: answer,
            seq: 0
        )
    }

    private func canChange(_ order: String, by token: Data) {
        log.add("pushTokenUpdates", "\(order) \(token.hexadecimal)")
        guard settings.appKey != nil else { return }
        registered.insert(order)
        JPUSHService.registerLiveActivity(order, pushToken: token, completion: answer, seq: 0)
    }

    @available(iOS 16.1, *)
    private func changed(_ order: String, to content: DeliveryAttributes.ContentState) {
        log.add("contentUpdates", "\(order) \(describe(content))")
    }

    @available(iOS 16.1, *)
    private func changed(_ order: String, to state: ActivityState) {
        log.add("activityStateUpdates", "\(order) \(state)")
        guard state == .ended || state == .dismissed, registered.remove(order) != nil else { return }
        // Without a token the service forgets the activity.
        JPUSHService.registerLiveActivity(order, pushToken: nil, completion: answer, seq: 0)
    }

    /// Logs the service's answer to a registration.
    private var answer: JPUSHLiveActivityTokenCompletion {
        { [weak self] code, name, _, _ in
            MainActor.assumeIsolated { self?.log.add("registerLiveActivity", "\(name ?? "") code \(code)") }
        }
    }

    @available(iOS 16.1, *)
    private func describe(_ content: DeliveryAttributes.ContentState) -> String {
        "\(content.place), \(content.stops) stops"
    }
}
