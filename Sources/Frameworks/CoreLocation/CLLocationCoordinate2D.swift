package import PushModel

/// A location on Earth, in degrees of WGS 84. Not `Equatable`, as on Apple platforms: apps add that themselves.
public struct CLLocationCoordinate2D: Sendable {
    /// The latitude, -90 to 90 degrees.
    public var latitude: CLLocationDegrees
    /// The longitude, -180 to 180 degrees.
    public var longitude: CLLocationDegrees

    /// Creates the coordinate 0°, 0°.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// Creates a coordinate; not checked, see ``CLLocationCoordinate2DIsValid(_:)``.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }

    package init(_ place: Coordinate) { self.init(latitude: place.latitude, longitude: place.longitude) }

    package var place: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Returns a coordinate; not checked.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: latitude, longitude: longitude) }

/// Whether the latitude is within ±90 and the longitude within ±180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool { coord.place.isValid }
