/// Monitors a region and detects when a device crosses its boundary.
///
/// The device's initial location is not a crossing, nor is the first location that becomes known later. Source: the rule of
/// `UNLocationNotificationTrigger`, which fires on a crossing, not for a device that is already inside.
public struct RegionWatch: Hashable, Sendable {
    /// The position of the device relative to the region.
    public enum State: String, Hashable, Sendable, Codable {
        /// The location of the device is unknown.
        case unknown
        /// Within the border, or outside of it.
        case inside, outside
    }

    /// The direction in which the device crosses the boundary.
    public enum Crossing: String, Hashable, Sendable, Codable {
        /// The device came in, or went out.
        case entry, exit
    }

    /// The monitored region.
    public let region: GeoRegion
    /// The last known position of the device relative to the region.
    public private(set) var state: State

    /// Watches a region, which may be one that never fires (see ``GeoRegion/problem``), from a place; nil if unknown. The
    /// place says nothing about a beacon.
    public init(_ region: GeoRegion, at place: Coordinate?) {
        self.init(region, state: Self.state(of: region, at: place) ?? .unknown)
    }

    /// Watches a region from the position of the device relative to it.
    public init(_ region: GeoRegion, state: State) {
        self.region = region
        self.state = state
    }

    /// Updates the device's location to `place`.
    ///
    /// - Returns: the crossing, if the region asks for notifications of it.
    public mutating func move(to place: Coordinate) -> Crossing? {
        Self.state(of: region, at: place).flatMap { update(to: $0) }
    }

    /// Updates the position of the device relative to the region; ``State/unknown`` changes nothing.
    ///
    /// - Returns: the crossing, if the region asks for notifications of it.
    public mutating func update(to new: State) -> Crossing? {
        guard new != .unknown else { return nil }
        let old = state
        state = new
        switch (old, new) {
        case (.outside, .inside): return region.notifyOnEntry ? .entry : nil
        case (.inside, .outside): return region.notifyOnExit ? .exit : nil
        default: return nil
        }
    }

    private static func state(of region: GeoRegion, at place: Coordinate?) -> State? {
        guard let place, place.isValid, region.problem == nil, case .circle = region.shape else { return nil }
        return region.contains(place) ? .inside : .outside
    }
}
