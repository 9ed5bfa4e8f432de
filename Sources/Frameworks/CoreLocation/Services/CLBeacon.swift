public import Foundation
import SystemPort

/// The distance of a beacon, roughly.
public enum CLProximity: Int, Sendable {
    /// Not known: the beacon is too faint.
    case unknown = 0
    /// Less than half a metre.
    case immediate
    /// Less than three metres.
    case near
    /// Within about ten metres or more.
    case far
}

/// A beacon near the device. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLBeacon: NSObject, NSCopying, @unchecked Sendable {
    /// The UUID of the beacon's owner.
    open var uuid: UUID { owner }
    /// The major value, 0 to 65,535.
    open var major: NSNumber { NSNumber(value: beacon.major) }
    /// The minor value, 0 to 65,535.
    open var minor: NSNumber { NSNumber(value: beacon.minor) }
    /// The distance in three steps. Apple documents no distances for them; these are the ones in common use.
    open var proximity: CLProximity {
        switch beacon.distance {
        case ..<0: .unknown
        case ..<0.5: .immediate
        case ..<3: .near
        default: .far
        }
    }
    /// The distance in metres.
    open var accuracy: CLLocationAccuracy { beacon.distance }
    /// The strength of the signal in decibels: that of a beacon of -59 at one metre, in free space.
    open var rssi: Int { Int((-59 - 20 * log10(max(beacon.distance, 0.01))).rounded()) }
    /// The date of the measurement, on the device's clock.
    open var timestamp: Date { date }

    private let beacon: NearbyBeacon
    private let owner: UUID
    private let date: Date

    init(_ beacon: NearbyBeacon, at date: Date) {
        self.beacon = beacon
        owner = UUID(uuidString: beacon.uuid) ?? UUID()
        self.date = date
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The beacons that an app asks for: all of a UUID, or those with a major, or with a major and a minor number.
///
/// `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The UUID of the beacons.
    open var uuid: UUID { owner }
    /// The major value of the beacons; nil for any.
    open var major: CLBeaconMajorValue? { record.major }
    /// The minor value of the beacons; nil for any.
    open var minor: CLBeaconMinorValue? { record.minor }

    let record: BeaconConstraint
    private let owner: UUID

    /// Creates a constraint that all beacons with the UUID fulfil.
    public convenience init(uuid: UUID) { self.init(BeaconConstraint(uuid: uuid.uuidString)) }

    /// Creates a constraint that all beacons with the UUID and major value fulfil.
    public convenience init(uuid: UUID, major: CLBeaconMajorValue) {
        self.init(BeaconConstraint(uuid: uuid.uuidString, major: major))
    }

    /// Creates a constraint that one beacon fulfils.
    public convenience init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
        self.init(BeaconConstraint(uuid: uuid.uuidString, major: major, minor: minor))
    }

    init(_ record: BeaconConstraint) {
        self.record = record
        owner = UUID(uuidString: record.uuid) ?? UUID()
    }

    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
            let uuid = UUID(uuidString: String(text))
        else { return nil }
        owner = uuid
        record = BeaconConstraint(
            uuid: uuid.uuidString,
            major: coder.beaconNumber(forKey: "major"),
            minor: coder.beaconNumber(forKey: "minor")
        )
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: record.uuid), forKey: "uuid")
        if let major { coder.encode(NSNumber(value: major), forKey: "major") }
        if let minor { coder.encode(NSNumber(value: minor), forKey: "minor") }
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLBeaconIdentityConstraint)?.record == record
    }

    open override var hash: Int { record.hashValue }
}

extension NSCoder {
    /// Decodes a major or minor number; nil if there is none.
    func beaconNumber(forKey key: String) -> UInt16? {
        containsValue(forKey: key) ? decodeObject(of: NSNumber.self, forKey: key)?.uint16Value : nil
    }
}
