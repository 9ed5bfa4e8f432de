import ActivityKit

/// A delivery on the lock screen. The order stays as it is, and the content changes until the parcel arrives.
@available(iOS 16.1, *)
public struct DeliveryAttributes: ActivityAttributes, Sendable {
    /// The progress of the delivery.
    public struct ContentState: Codable, Hashable, Sendable {
        /// The place where the parcel is.
        public var place: String
        /// The number of stops before the user's.
        public var stops: Int

        public init(place: String, stops: Int) {
            self.place = place
            self.stops = stops
        }
    }

    /// The number of the order, which is also the id of the activity at the push service.
    public var order: String

    public init(order: String) { self.order = order }
}
