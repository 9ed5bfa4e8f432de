import Foundation

/// A place on Earth, in degrees.
public struct Coordinate: Hashable, Sendable, Codable {
    /// North is positive.
    public var latitude: Double
    /// East is positive.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The mean radius of the Earth in metres, of the IUGG.
    private static let earthRadius = 6_371_008.8

    /// Whether there is such a place: latitude within ±90, longitude within ±180.
    public var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

    /// The shortest way along the ground, in metres, on a round Earth.
    ///
    /// Where either place is not valid, it is not a number.
    public func distance(to other: Coordinate) -> Double {
        guard isValid, other.isValid else { return .nan }
        let (from, to) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let halfNorth = sin((to - from) / 2)
        let halfEast = sin((other.longitude - longitude) * .pi / 360)
        let haversine = halfNorth * halfNorth + cos(from) * cos(to) * halfEast * halfEast
        return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
    }
}
