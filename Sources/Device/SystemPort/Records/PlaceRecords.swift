public import Foundation
public import PushModel

/// A Bluetooth beacon near the device.
public struct NearbyBeacon: Hashable, Sendable, Codable {
    /// The UUID of the beacon's owner, as text.
    public var uuid: String
    /// The number of the group of beacons.
    public var major: UInt16
    /// The number within the group.
    public var minor: UInt16
    /// The distance in metres.
    public var distance: Double

    /// The distance in metres up to which the device hears a beacon. Our decision: Apple documents no distance; Bluetooth Low Energy
    /// reaches some 70 m.
    public static let range = 70.0

    /// Creates a beacon.
    public init(uuid: UUID, major: UInt16, minor: UInt16, distance: Double) {
        self.uuid = uuid.uuidString
        self.major = major
        self.minor = minor
        self.distance = distance
    }
}

/// The beacons that an app asks for.
public struct BeaconConstraint: Hashable, Sendable, Codable {
    /// The UUID of the beacons, as text.
    public var uuid: String
    /// The major value; nil for any.
    public var major: UInt16?
    /// The minor value; nil for any.
    public var minor: UInt16?

    /// Creates a constraint.
    public init(uuid: String, major: UInt16? = nil, minor: UInt16? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    /// Whether the beacon is one of them.
    package func matches(_ beacon: NearbyBeacon) -> Bool {
        beacon.uuid == uuid && (major ?? beacon.major) == beacon.major && (minor ?? beacon.minor) == beacon.minor
    }
}

/// A stay at a place.
public struct VisitRecord: Hashable, Sendable, Codable {
    /// The place of the visit.
    public var place: Coordinate
    /// The radius of uncertainty, in metres.
    public var horizontalAccuracy: Double
    /// Nil if the app began to listen during the stay.
    public var arrival: Date?
    /// Nil while the stay lasts.
    public var departure: Date?

    /// Creates a visit.
    public init(place: Coordinate, horizontalAccuracy: Double, arrival: Date?, departure: Date?) {
        self.place = place
        self.horizontalAccuracy = horizontalAccuracy
        self.arrival = arrival
        self.departure = departure
    }
}

/// The direction in which the top of the device points, in degrees clockwise from north.
public struct HeadingRecord: Hashable, Sendable, Codable {
    /// The direction, 0 to 360 degrees clockwise from north.
    public var degrees: Double
    /// Whether the device knows its location, from which true north follows.
    public var isTrueKnown: Bool
    /// The date of the measurement.
    public var date: Date

    /// Creates a heading.
    public init(degrees: Double, isTrueKnown: Bool, date: Date) {
        self.degrees = degrees
        self.isTrueKnown = isTrueKnown
        self.date = date
    }
}

/// A condition of a monitor (`CLMonitor`), with its last state.
public struct ConditionRecord: Hashable, Sendable, Codable {
    /// The condition: its name within the monitor, and the circle or the beacon.
    public var region: GeoRegion
    /// Whether the device meets it; unknown until the device knows.
    public var state: RegionWatch.State
    /// The time of the last change of the state.
    public var date: Date
    /// Whether it is not monitored, as there are too many.
    public var isRefused = false

    /// Creates the record of a condition.
    public init(region: GeoRegion, state: RegionWatch.State, date: Date, isRefused: Bool = false) {
        self.region = region
        self.state = state
        self.date = date
        self.isRefused = isRefused
    }
}
