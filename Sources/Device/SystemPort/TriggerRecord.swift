public import Foundation

/// Why a notification is delivered, as it crosses the port.
public enum TriggerRecord: Hashable, Sendable, Codable {
    case push
    /// Counted from the moment of scheduling, and when repeating from each delivery.
    case timeInterval(TimeInterval, repeats: Bool)
    /// The next moment that matches the components; a missing calendar or zone is the device's at that moment.
    case calendar(DateComponents, repeats: Bool)
    case location(RegionRecord, repeats: Bool)

    public var repeats: Bool {
        switch self {
        case .push: false
        case .timeInterval(_, let repeats), .calendar(_, let repeats), .location(_, let repeats): repeats
        }
    }
}

/// A circle on the earth, as it crosses the port.
public struct RegionRecord: Hashable, Sendable, Codable {
    public var identifier: String
    /// Degrees, north is positive.
    public var latitude: Double
    /// Degrees, east is positive.
    public var longitude: Double
    /// Metres; below 1 acts as 1.
    public var radius: Double
    public var notifyOnEntry: Bool
    public var notifyOnExit: Bool

    public init(
        identifier: String,
        latitude: Double,
        longitude: Double,
        radius: Double,
        notifyOnEntry: Bool = true,
        notifyOnExit: Bool = true
    ) {
        self.identifier = identifier
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
    }

    /// A centre off the map never fires.
    public var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

    /// Whether the point lies within, by the great circle.
    public func contains(latitude other: Double, longitude otherLongitude: Double) -> Bool {
        let earth = 6_371_000.0
        let degree = Double.pi / 180
        let rise = sin((other - latitude) * degree / 2)
        let turn = sin((otherLongitude - longitude) * degree / 2)
        let half = rise * rise + cos(latitude * degree) * cos(other * degree) * turn * turn
        return 2 * earth * asin(min(1, half.squareRoot())) <= max(1, radius)
    }
}
