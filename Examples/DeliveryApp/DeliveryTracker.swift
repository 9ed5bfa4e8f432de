import ActivityKit
import Foundation
import JPush

/// The app's Live Activities: starts them, and registers their tokens with the push service.
@MainActor
final class DeliveryTracker {
    private var followed: Set<String> = []

    /// Call it at each launch: a push may have started an activity, and its token may have changed.
    func observe() {
        Task {
            for await token in Activity<DeliveryAttributes>.pushToStartTokenUpdates {
                print("DeliveryAttributes has token \(token.hexadecimal)")
                JPUSHService.registerLiveActivity(
                    "DeliveryAttributes",
                    pushToStartToken: token,
                    completion: { code, name, _, _ in print("registered \(name ?? "-"): code \(code)") },
                    seq: 1
                )
            }
        }
        for activity in Activity<DeliveryAttributes>.activities { follow(activity) }
        Task {
            for await activity in Activity<DeliveryAttributes>.activityUpdates { follow(activity) }
        }
    }

    /// Starts an activity. The app must be in the foreground.
    ///
    /// - Parameters:
    ///   - order: the number of the order.
    ///   - channel: the broadcast channel that it listens to; nil for a token of its own.
    func start(order: String, channel: String? = nil) {
        guard ActivityAuthorizationInfo().areActivitiesEnabled else { return print("Live Activities are switched off") }
        let state = DeliveryAttributes.ContentState(place: "Shop", minutes: 40)
        do {
            let activity = try Activity.request(
                attributes: DeliveryAttributes(order: order),
                content: ActivityContent(state: state, staleDate: .now + 45 * 60, relevanceScore: 50),
                pushType: channel.map { .channel($0) } ?? .token
            )
            follow(activity)
        } catch {
            print("not started: \(error.localizedDescription)")
        }
    }

    private func follow(_ activity: Activity<DeliveryAttributes>) {
        guard followed.insert(activity.id).inserted else { return }
        let order = activity.attributes.order
        print("order \(order): \(activity.activityState)")
        Task {
            for await token in activity.pushTokenUpdates {
                print("order-\(order) has token \(token.hexadecimal)")
                JPUSHService.registerLiveActivity(
                    "order-\(order)",
                    pushToken: token,
                    completion: { code, id, _, _ in print("registered \(id ?? "-"): code \(code)") },
                    seq: 2
                )
            }
        }
        Task {
            for await content in activity.contentUpdates {
                print("order \(order): \(content.state.place), \(content.state.minutes) minutes")
            }
        }
        Task {
            for await state in activity.activityStateUpdates { print("order \(order): \(state)") }
        }
    }
}

extension Data {
    /// A token as providers write it.
    var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}
