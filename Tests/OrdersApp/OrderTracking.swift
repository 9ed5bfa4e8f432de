import ActivityKit
import UIKit

struct OrderAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var step: Int
    }

    var number: Int
}

/// A Live Activity, which prints its tokens and its content.
@MainActor
enum OrderTracking {
    static func start() {
        do {
            let activity = try Activity.request(
                attributes: OrderAttributes(number: 41),
                content: ActivityContent(state: .init(step: 1), staleDate: nil),
                pushType: .token
            )
            print("tracks \(activity.activityState)")
            Task {
                for await token in activity.pushTokenUpdates { print("token \(token.count)") }
            }
            Task {
                for await content in activity.contentUpdates { print("step \(content.state.step)") }
            }
        } catch {
            print("refused \(error)")
        }
    }
}
