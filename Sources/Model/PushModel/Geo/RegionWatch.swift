/// Watches a region: tells when a device crosses its boundary.
///
/// Where the device is when the watch begins is no crossing, nor is the first place that becomes known later. Source: the
/// rule of `UNLocationNotificationTrigger`, which fires on a crossing and not for a device that is inside already.
public struct RegionWatch: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, Codable {
        /// Nobody knows where the device is.
        case unknown
        case inside, outside
    }

    public enum Crossing: String, Hashable, Sendable, Codable {
        case entry, exit
    }

    public let region: GeoRegion
    public private(set) var state: State

    /// - Parameters:
    ///   - region: one that never fires (see ``GeoRegion/problem``) may be watched, in vain.
    ///   - place: where the device is; nil if that is not known.
    public init(_ region: GeoRegion, at place: Coordinate?) {
        self.region = region
        state = Self.state(of: region, at: place) ?? .unknown
    }

    /// The device is at `place` now.
    ///
    /// - Returns: the crossing, if the region asks to be told of it.
    public mutating func move(to place: Coordinate) -> Crossing? {
        guard let new = Self.state(of: region, at: place) else { return nil }
        let old = state
        state = new
        switch (old, new) {
        case (.outside, .inside): return region.notifyOnEntry ? .entry : nil
        case (.inside, .outside): return region.notifyOnExit ? .exit : nil
        default: return nil
        }
    }

    private static func state(of region: GeoRegion, at place: Coordinate?) -> State? {
        guard let place, place.isValid, region.problem == nil else { return nil }
        return region.contains(place) ? .inside : .outside
    }
}
