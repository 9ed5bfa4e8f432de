import Foundation

/// A place on Earth, in degrees.
public struct Coordinate: Hashable, Sendable, Codable {
    /// North is positive.
    public var latitude: Double
    /// East is positive.
    public var longitude: Double

    /// Creates a coordinate in degrees. Values out of range are kept.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The mean radius of the Earth in metres (IUGG).
    private static let earthRadius = 6_371_008.8

    /// Whether the coordinate is valid: latitude within ±90, longitude within ±180.
    public var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

    /// Returns the great-circle distance in metres.
    ///
    /// It is NaN if either coordinate is invalid.
    public func distance(to other: Coordinate) -> Double {
        guard isValid, other.isValid else { return .nan }
        let from = latitude * .pi / 180
        let to = other.latitude * .pi / 180
        let halfNorth = sin((to - from) / 2)
        let halfEast = sin((other.longitude - longitude) * .pi / 360)
        let haversine = halfNorth * halfNorth + cos(from) * cos(to) * halfEast * halfEast
        return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
    }
}
