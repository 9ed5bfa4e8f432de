public import Foundation

/// A circle on the Earth.
open class CLCircularRegion: CLRegion {
    public override init() { super.init() }

    /// - Parameters:
    ///   - center: the centre; if invalid, the region contains nothing and a trigger on it never fires.
    ///   - radius: in metres; a negative radius counts as 0.
    ///   - identifier: the app's name for the region.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        super.init(identifier: identifier, center: center, radius: radius)
    }

    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open override var center: CLLocationCoordinate2D { super.center }
    open override var radius: CLLocationDistance { super.radius }

    /// Whether a location lies in the circle, including its edge, by the shortest distance along the ground.
    open override func contains(_ coordinate: CLLocationCoordinate2D) -> Bool { super.contains(coordinate) }

    open override func copy(with zone: NSZone? = nil) -> Any {
        sharingNotifications(CLCircularRegion(center: center, radius: radius, identifier: identifier))
    }

    open override var description: String {
        "\(super.description.dropLast()), center:<\(center.latitude),\(center.longitude)>, radius:\(radius)m)"
    }
}
