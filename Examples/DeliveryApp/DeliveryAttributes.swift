import ActivityKit

/// A delivery on the lock screen: the order, which stays as it is, and its state, which changes.
struct DeliveryAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var place: String
        var minutes: Int
    }

    var order: String
}
