public import Foundation
import SystemPort

/// The surroundings of Bluetooth beacons: all of a UUID, or those with a major, or with a major and a minor number.
///
/// The device is inside while it hears one of them, and outside as soon as it hears none; a phone waits for some seconds before it
/// reports that a beacon is gone.
open class CLBeaconRegion: CLRegion {
    open var uuid: UUID { beacon.uuid }
    open var major: NSNumber? { beacon.major.map { NSNumber(value: $0) } }
    open var minor: NSNumber? { beacon.minor.map { NSNumber(value: $0) } }
    /// Whether `locationManager(_:didDetermineState:for:)` also reports a beacon nearby each time the user turns on the display, here by
    /// unlocking the device.
    open var notifyEntryStateOnDisplay = false
    open var beaconIdentityConstraint: CLBeaconIdentityConstraint {
        CLBeaconIdentityConstraint(
            BeaconConstraint(uuid: uuid.uuidString, major: beacon.major, minor: beacon.minor)
        )
    }
    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "uuid")
    open var proximityUUID: UUID { beacon.uuid }

    private struct Beacon {
        var uuid: UUID
        var major: CLBeaconMajorValue?
        var minor: CLBeaconMinorValue?
    }

    private let beacon: Beacon

    public convenience init(uuid: UUID, identifier: String) {
        self.init(Beacon(uuid: uuid), identifier: identifier)
    }

    public convenience init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
        self.init(Beacon(uuid: uuid, major: major), identifier: identifier)
    }

    public convenience init(
        uuid: UUID,
        major: CLBeaconMajorValue,
        minor: CLBeaconMinorValue,
        identifier: String
    ) {
        self.init(Beacon(uuid: uuid, major: major, minor: minor), identifier: identifier)
    }

    public convenience init(beaconIdentityConstraint constraint: CLBeaconIdentityConstraint, identifier: String) {
        self.init(
            Beacon(uuid: constraint.uuid, major: constraint.major, minor: constraint.minor),
            identifier: identifier
        )
    }

    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "init(uuid:identifier:)")
    public convenience init(proximityUUID: UUID, identifier: String) {
        self.init(Beacon(uuid: proximityUUID), identifier: identifier)
    }

    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "init(uuid:major:identifier:)")
    public convenience init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
        self.init(Beacon(uuid: proximityUUID, major: major), identifier: identifier)
    }

    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "init(uuid:major:minor:identifier:)")
    public convenience init(
        proximityUUID: UUID,
        major: CLBeaconMajorValue,
        minor: CLBeaconMinorValue,
        identifier: String
    ) {
        self.init(Beacon(uuid: proximityUUID, major: major, minor: minor), identifier: identifier)
    }

    convenience init(
        record uuid: UUID,
        major: CLBeaconMajorValue?,
        minor: CLBeaconMinorValue?,
        identifier: String
    ) {
        self.init(Beacon(uuid: uuid, major: major, minor: minor), identifier: identifier)
    }

    private init(_ beacon: Beacon, identifier: String) {
        self.beacon = beacon
        super.init(identifier: identifier)
    }

    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
            let uuid = UUID(uuidString: String(text))
        else { return nil }
        beacon = Beacon(
            uuid: uuid,
            major: coder.beaconNumber(forKey: "major"),
            minor: coder.beaconNumber(forKey: "minor")
        )
        super.init(coder: coder)
        notifyEntryStateOnDisplay = coder.decodeBool(forKey: "notifyEntryStateOnDisplay")
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(NSString(string: uuid.uuidString), forKey: "uuid")
        if let major { coder.encode(major, forKey: "major") }
        if let minor { coder.encode(minor, forKey: "minor") }
        coder.encode(notifyEntryStateOnDisplay, forKey: "notifyEntryStateOnDisplay")
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLBeaconRegion(beacon, identifier: identifier)
        copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
        return sharingNotifications(copy)
    }
}
