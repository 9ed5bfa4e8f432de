/// A region that a device watches for an app.
public struct GeoRegion: Hashable, Sendable {
    public enum Shape: Hashable, Sendable {
        /// The radius is in metres.
        case circle(center: Coordinate, radius: Double)
        /// Kept for the app; an emulated device hears no beacons.
        case beacon(uuid: String, major: UInt16?, minor: UInt16?, onDisplay: Bool)
    }

    /// The app's name for it; regions of one app are told apart by it.
    public var identifier: String
    public var shape: Shape
    public var notifyOnEntry: Bool
    public var notifyOnExit: Bool

    public init(identifier: String, shape: Shape, notifyOnEntry: Bool = true, notifyOnExit: Bool = true) {
        self.identifier = identifier
        self.shape = shape
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
    }

    /// How many regions an app may have watched at a time. Source: Apple, "Monitoring the user's proximity to geographic
    /// regions".
    public static let watchedLimit = 20
    /// A smaller circle is watched as one of this radius, in metres. Our decision: Apple names no least radius.
    public static let leastRadius = 1.0
    /// A larger circle is watched as one of this radius, in metres. Our decision: Apple's limit depends on the device.
    public static let greatestRadius = 1_000_000.0

    /// Why it never fires, as a sentence; nil if it can.
    public var problem: String? {
        switch shape {
        case .circle(let center, let radius):
            if !center.isValid {
                return
                    "The centre \(center.latitude), \(center.longitude) of region '\(identifier)' is no place on Earth."
            }
            return radius.isNaN ? "The radius of region '\(identifier)' is not a number." : nil
        case .beacon: return "Region '\(identifier)' is a beacon's, and an emulated device hears no beacons."
        }
    }

    /// Whether a device at `place` is inside, with the radius that is watched.
    public func contains(_ place: Coordinate) -> Bool {
        guard case .circle(let center, let radius) = shape, !radius.isNaN else { return false }
        return center.distance(to: place) <= min(max(radius, Self.leastRadius), Self.greatestRadius)
    }
}
