public import Foundation
import PushClock
import PushModel
package import SystemPort

/// A location of the device at a time. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Latitude and longitude.
    open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(values.place) }
    /// The metres above sea level.
    open var altitude: CLLocationDistance { values.altitude }
    /// The radius of uncertainty of the coordinate, in metres; negative if the coordinate is unknown.
    open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
    /// The uncertainty of the altitude, in metres; negative if the altitude is unknown.
    open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
    /// The direction of movement, in degrees clockwise from north; negative if unknown.
    open var course: CLLocationDirection { values.course }
    /// The speed in metres a second; negative if unknown.
    open var speed: CLLocationSpeed { values.speed }
    /// The date of the measurement, on the device's clock.
    open var timestamp: Date { values.timestamp }
    /// The uncertainty of the course, in degrees; negative if unknown, as in each location that the system reports.
    open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy ?? -1 }
    /// The uncertainty of the speed, in metres a second; negative if unknown, as in each location that the system reports.
    open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy ?? -1 }
    /// The same as ``altitude``: the emulated Earth is an ellipsoid.
    open var ellipsoidalAltitude: CLLocationDistance { values.altitude }
    /// The floor of the building; nil if unknown.
    open var floor: CLFloor? { values.level.map { CLFloor(level: $0) } }
    /// The origin of a location; nil for one that an app created without it.
    open var sourceInformation: CLLocationSourceInformation? {
        values.isSimulated.map {
            CLLocationSourceInformation(
                softwareSimulationState: $0,
                andExternalAccessoryState: values.isOfAccessory == true
            )
        }
    }

    private struct Values: Codable, Sendable {
        var place: Coordinate
        var altitude: CLLocationDistance
        var horizontalAccuracy: CLLocationAccuracy
        var verticalAccuracy: CLLocationAccuracy
        var course: CLLocationDirection = -1
        var courseAccuracy: CLLocationDirectionAccuracy?
        var speed: CLLocationSpeed = -1
        var speedAccuracy: CLLocationSpeedAccuracy?
        var timestamp: Date
        var level: Int?
        var isSimulated: Bool?
        var isOfAccessory: Bool?
    }

    private let values: Values

    /// Creates a location at the current time of the device's clock, without an altitude. Outside of any app, with
    /// several running, the system clock is used.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2DMake(latitude, longitude),
            altitude: 0,
            horizontalAccuracy: 0,
            verticalAccuracy: -1,
            timestamp: CurrentPort.clock.date
        )
    }

    /// Creates a location with its accuracies, and without course and speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate,
            altitude: altitude,
            horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy,
            course: -1,
            speed: -1,
            timestamp: timestamp
        )
    }

    /// Creates a location with course and speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        speed: CLLocationSpeed,
        timestamp: Date
    ) {
        self.init(
            Values(
                place: coordinate.place,
                altitude: altitude,
                horizontalAccuracy: hAccuracy,
                verticalAccuracy: vAccuracy,
                course: course,
                speed: speed,
                timestamp: timestamp
            )
        )
    }

    /// Creates a location with course and speed, and with their accuracies.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date
    ) {
        self.init(
            Values(
                place: coordinate.place,
                altitude: altitude,
                horizontalAccuracy: hAccuracy,
                verticalAccuracy: vAccuracy,
                course: course,
                courseAccuracy: courseAccuracy,
                speed: speed,
                speedAccuracy: speedAccuracy,
                timestamp: timestamp
            )
        )
    }

    /// Creates a location with course, speed and their accuracies, and with its origin.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date,
        sourceInfo: CLLocationSourceInformation
    ) {
        self.init(
            Values(
                place: coordinate.place,
                altitude: altitude,
                horizontalAccuracy: hAccuracy,
                verticalAccuracy: vAccuracy,
                course: course,
                courseAccuracy: courseAccuracy,
                speed: speed,
                speedAccuracy: speedAccuracy,
                timestamp: timestamp,
                isSimulated: sourceInfo.isSimulatedBySoftware,
                isOfAccessory: sourceInfo.isProducedByAccessory
            )
        )
    }

    /// Creates a location from its record, without an altitude.
    package convenience init(_ record: LocationRecord) {
        self.init(
            Values(
                place: record.place,
                altitude: 0,
                horizontalAccuracy: record.horizontalAccuracy,
                verticalAccuracy: -1,
                timestamp: record.date,
                level: record.floor,
                isSimulated: true
            )
        )
    }

    private init(_ values: Values) { self.values = values }

    /// The shortest distance along the ground, in metres; NaN if one of the two locations is invalid.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        values.place.distance(to: location.coordinate.place)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Coding

    public required init?(coder: NSCoder) {
        guard let values: Values = RecordCoding.decode(from: coder) else { return nil }
        self.values = values
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(values, with: coder) }
}
