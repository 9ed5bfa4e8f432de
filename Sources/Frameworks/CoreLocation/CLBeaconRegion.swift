public import Foundation

/// A beacon region, identified by name only: an emulated device detects no beacons, so a trigger on it never fires.
open class CLBeaconRegion: CLRegion {
    open var uuid: UUID { beacon.uuid }
    open var major: NSNumber? { beacon.major.map { NSNumber(value: $0) } }
    open var minor: NSNumber? { beacon.minor.map { NSNumber(value: $0) } }
    open var notifyEntryStateOnDisplay = false

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
