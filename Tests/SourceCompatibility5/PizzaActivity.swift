import ActivityKit
import Foundation
import UIKit

// A delivery app of the first days of Live Activities (iOS 16.1), with branches for iOS 16.2.

public struct PizzaDeliveryAttributes: ActivityAttributes {
    public typealias PizzaDeliveryStatus = ContentState

    public struct ContentState: Codable, Hashable {
        public var driverName: String
        public var deliveryTimer: ClosedRange<Date>

        public init(driverName: String, deliveryTimer: ClosedRange<Date>) {
            self.driverName = driverName
            self.deliveryTimer = deliveryTimer
        }
    }

    var numberOfPizzas: Int
    var totalAmount: String
}

public class PizzaOrderManager: NSObject {
    public static let shared = PizzaOrderManager()

    public var tokens: [String] = []
    public var lastError: String?
    private var currentActivity: Activity<PizzaDeliveryAttributes>?

    public var isShowing: Bool {
        guard let activity = currentActivity else { return false }
        return activity.activityState == .active
    }

    public func startDeliveryPizza(at date: Date) {
        guard ActivityAuthorizationInfo().areActivitiesEnabled else {
            lastError = "disabled"
            return
        }
        let attributes = PizzaDeliveryAttributes(numberOfPizzas: 3, totalAmount: "$42.00")
        let initialContentState = PizzaDeliveryAttributes.PizzaDeliveryStatus(
            driverName: "Bill James",
            deliveryTimer: date...date.addingTimeInterval(15 * 60)
        )
        do {
            if #available(iOS 16.2, *) {
                let content = ActivityContent(state: initialContentState, staleDate: nil)
                currentActivity = try Activity<PizzaDeliveryAttributes>.request(
                    attributes: attributes,
                    content: content,
                    pushType: .token
                )
            } else {
                currentActivity = try Activity<PizzaDeliveryAttributes>.request(
                    attributes: attributes,
                    contentState: initialContentState,
                    pushType: .token
                )
            }
        } catch (let error) {
            lastError = error.localizedDescription
        }
        guard let activity = currentActivity else { return }
        Task {
            for await pushToken in activity.pushTokenUpdates {
                let tokenString = pushToken.reduce("") { $0 + String(format: "%02x", $1) }
                await MainActor.run { self.tokens.append(tokenString) }
            }
        }
    }

    public func updateDeliveryPizza(driver: String) {
        Task {
            for activity in Activity<PizzaDeliveryAttributes>.activities {
                let updated = PizzaDeliveryAttributes.ContentState(
                    driverName: driver,
                    deliveryTimer: activity.contentState.deliveryTimer
                )
                await activity.update(using: updated)
            }
        }
    }

    public func stopDeliveryPizza() {
        Task {
            for activity in Activity<PizzaDeliveryAttributes>.activities {
                await activity.end(dismissalPolicy: .immediate)
            }
        }
    }

    public var driver: String? { currentActivity?.contentState.driverName }
}
