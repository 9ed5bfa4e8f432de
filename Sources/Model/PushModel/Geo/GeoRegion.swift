import Foundation

/// A region that a device monitors for an app.
public struct GeoRegion: Hashable, Sendable, Codable {
    /// The form of a region.
    public enum Shape: Hashable, Sendable, Codable {
        /// The radius is in metres.
        case circle(center: Coordinate, radius: Double)
        /// A Bluetooth beacon nearby: any of the UUID, or one with the numbers; `onDisplay` also reports the presence each time
        /// the user turns on the display.
        case beacon(uuid: String, major: UInt16?, minor: UInt16?, onDisplay: Bool)
    }

    /// The app's identifier of the region, unique within the app.
    public var identifier: String
    /// The form of the region.
    public var shape: Shape
    /// Whether the app is notified when the device enters the region.
    public var notifyOnEntry: Bool
    /// Whether the app is notified when the device leaves the region.
    public var notifyOnExit: Bool

    /// Creates a region; see ``problem`` for one that never fires.
    public init(identifier: String, shape: Shape, notifyOnEntry: Bool = true, notifyOnExit: Bool = true) {
        self.identifier = identifier
        self.shape = shape
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
    }

    /// The maximum number of regions monitored for an app. Source: Apple, "Monitoring the user's proximity to geographic regions".
    public static let watchedLimit = 20
    /// The minimum radius in metres; smaller circles are enlarged to it. Our decision: Apple documents no minimum.
    public static let leastRadius = 1.0
    /// The maximum radius in metres; larger circles are reduced to it. Our decision: Apple's limit depends on the device.
    public static let greatestRadius = 1_000_000.0

    /// The reason why the region never fires, as a sentence; nil if it can.
    public var problem: String? {
        switch shape {
        case .circle(let center, let radius):
            if !center.isValid {
                return
                    "The centre \(center.latitude), \(center.longitude) of region '\(identifier)' is no place on Earth."
            }
            return radius.isNaN ? "The radius of region '\(identifier)' is not a number." : nil
        case .beacon: return nil
        }
    }

    /// Returns whether `place` is inside the region, with its radius limited as above; false for a beacon, which is at no place.
    public func contains(_ place: Coordinate) -> Bool {
        guard case .circle(let center, let radius) = shape, !radius.isNaN else { return false }
        return center.distance(to: place) <= min(max(radius, Self.leastRadius), Self.greatestRadius)
    }
}
