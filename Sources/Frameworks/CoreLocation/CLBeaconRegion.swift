public import Foundation
import PushModel
import SystemPort

/// The surroundings of Bluetooth beacons: all of a UUID, or those with a major, or with a major and a minor number.
///
/// The device is inside while it hears one of them, and outside as soon as it hears none; a phone waits for some seconds before it
/// reports that a beacon is gone.
open class CLBeaconRegion: CLRegion {
    /// The UUID of the beacons.
    open var uuid: UUID { beaconIdentityConstraint.uuid }
    /// The major value of the beacons, 0 to 65,535; nil for any.
    open var major: NSNumber? { beacon.major.map { NSNumber(value: $0) } }
    /// The minor value of the beacons, 0 to 65,535; nil for any.
    open var minor: NSNumber? { beacon.minor.map { NSNumber(value: $0) } }
    /// Whether `locationManager(_:didDetermineState:for:)` also reports a beacon nearby each time the user turns on the display, here by
    /// unlocking the device.
    open var notifyEntryStateOnDisplay = false
    /// The beacons of the region, for ranging.
    open var beaconIdentityConstraint: CLBeaconIdentityConstraint { CLBeaconIdentityConstraint(beacon) }
    /// The UUID of the beacons, by its name before iOS 13.
    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "uuid")
    open var proximityUUID: UUID { uuid }

    private let beacon: BeaconConstraint

    /// Creates a region of all beacons with a UUID.
    public convenience init(uuid: UUID, identifier: String) {
        self.init(record: uuid, identifier: identifier)
    }

    /// Creates a region of all beacons with a UUID and a major value.
    public convenience init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
        self.init(record: uuid, major: major, identifier: identifier)
    }

    /// Creates a region of one beacon.
    public convenience init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String) {
        self.init(record: uuid, major: major, minor: minor, identifier: identifier)
    }

    /// Creates a region of the beacons that fulfil a constraint.
    public convenience init(beaconIdentityConstraint constraint: CLBeaconIdentityConstraint, identifier: String) {
        self.init(constraint.record, identifier: identifier)
    }

    /// Creates a region of all beacons with a UUID, by its spelling before iOS 13.
    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "init(uuid:identifier:)")
    public convenience init(proximityUUID: UUID, identifier: String) {
        self.init(record: proximityUUID, identifier: identifier)
    }

    /// Creates a region of all beacons with a UUID and a major value, by its spelling before iOS 13.
    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "init(uuid:major:identifier:)")
    public convenience init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
        self.init(record: proximityUUID, major: major, identifier: identifier)
    }

    /// Creates a region of one beacon, by its spelling before iOS 13.
    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "init(uuid:major:minor:identifier:)")
    public convenience init(
        proximityUUID: UUID,
        major: CLBeaconMajorValue,
        minor: CLBeaconMinorValue,
        identifier: String
    ) { self.init(record: proximityUUID, major: major, minor: minor, identifier: identifier) }

    convenience init(
        record uuid: UUID,
        major: CLBeaconMajorValue? = nil,
        minor: CLBeaconMinorValue? = nil,
        identifier: String
    ) {
        self.init(BeaconConstraint(uuid: uuid.uuidString, major: major, minor: minor), identifier: identifier)
    }

    private init(_ beacon: BeaconConstraint, identifier: String) {
        self.beacon = beacon
        super.init(identifier: identifier)
    }

    public required init?(coder: NSCoder) {
        guard let record: GeoRegion = RecordCoding.decode(from: coder),
            case .beacon(let uuid, let major, let minor, let onDisplay) = record.shape
        else { return nil }
        beacon = BeaconConstraint(uuid: uuid, major: major, minor: minor)
        super.init(coder: coder)
        notifyEntryStateOnDisplay = onDisplay
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLBeaconRegion(beacon, identifier: identifier)
        copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
        return sharingNotifications(copy)
    }
}
