public import Foundation
package import PushModel
import SystemPort

/// A named region. Regions are equal if their names are.
///
/// Abstract: create a ``CLCircularRegion`` or a ``CLBeaconRegion``.
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
    /// The identifier that the app chose; a region with the same one replaces this.
    open var identifier: String { name }
    /// Whether the app hears of entries.
    open var notifyOnEntry = true
    /// Whether the app hears of exits.
    open var notifyOnExit = true

    private let name: String
    private let circle: (center: CLLocationCoordinate2D, radius: CLLocationDistance)?

    /// Creates a region without a name: a circle of radius 0 at 0° N 0° E, as an Objective-C object is zero until it is set. It serves as
    /// a placeholder.
    public override init() {
        name = ""
        circle = (CLLocationCoordinate2DMake(0, 0), 0)
    }

    init(identifier: String, center: CLLocationCoordinate2D? = nil, radius: CLLocationDistance = 0) {
        name = identifier
        circle = center.map { ($0, radius) }
    }

    /// Creates a circle. Without effect on Apple's systems since iOS 7, where ``CLCircularRegion`` took its place.
    @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
    public init(
        circularRegionWithCenter center: CLLocationCoordinate2D,
        radius: CLLocationDistance,
        identifier: String
    ) {
        name = identifier
        circle = (center, radius)
    }

    public required init?(coder: NSCoder) {
        guard let record: GeoRegion = RecordCoding.decode(from: coder) else { return nil }
        name = record.identifier
        if case .circle(let center, let radius) = record.shape {
            circle = (CLLocationCoordinate2D(center), radius)
        } else {
            circle = nil
        }
        notifyOnEntry = record.notifyOnEntry
        notifyOnExit = record.notifyOnExit
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }

    open func copy(with zone: NSZone? = nil) -> Any {
        sharingNotifications(CLRegion(identifier: name, center: circle?.center, radius: circle?.radius ?? 0))
    }

    /// The centre of a circle; invalid for other regions.
    @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
    open var center: CLLocationCoordinate2D { circle?.center ?? kCLLocationCoordinate2DInvalid }

    /// The radius of a circle in metres.
    @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
    open var radius: CLLocationDistance { circle?.radius ?? 0 }

    /// Whether a location lies in a circle, including its edge.
    @available(iOS, introduced: 4.0, deprecated: 7.0, message: "Use CLCircularRegion.")
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        guard let circle else { return false }
        return circle.center.place.distance(to: coordinate.place) <= max(circle.radius, 0)
    }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CLRegion)?.name == name }
    open override var hash: Int { name.hashValue }

    open override var description: String { "\(type(of: self)) (identifier:'\(identifier)')" }

    final func sharingNotifications<Region: CLRegion>(_ copy: Region) -> Region {
        copy.notifyOnEntry = notifyOnEntry
        copy.notifyOnExit = notifyOnExit
        return copy
    }
}

extension CLRegion {
    /// The region as sent over the port.
    package var record: GeoRegion {
        GeoRegion(identifier: identifier, shape: shape, notifyOnEntry: notifyOnEntry, notifyOnExit: notifyOnExit)
    }

    /// Creates the framework's object for a region from its record.
    package static func make(_ record: GeoRegion) -> CLRegion {
        let region: CLRegion
        switch record.shape {
        case .circle(let center, let radius):
            region = CLCircularRegion(
                center: CLLocationCoordinate2D(center),
                radius: radius,
                identifier: record.identifier
            )
        case .beacon(let uuid, let major, let minor, let onDisplay):
            let beacon = CLBeaconRegion(
                record: UUID(uuidString: uuid) ?? UUID(),
                major: major,
                minor: minor,
                identifier: record.identifier
            )
            beacon.notifyEntryStateOnDisplay = onDisplay
            region = beacon
        }
        region.notifyOnEntry = record.notifyOnEntry
        region.notifyOnExit = record.notifyOnExit
        return region
    }

    private var shape: GeoRegion.Shape {
        if let beacon = self as? CLBeaconRegion {
            return .beacon(
                uuid: beacon.uuid.uuidString,
                major: beacon.major?.uint16Value,
                minor: beacon.minor?.uint16Value,
                onDisplay: beacon.notifyEntryStateOnDisplay
            )
        }
        return .circle(center: center.place, radius: radius)
    }
}
