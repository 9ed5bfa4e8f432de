public import Foundation
import SystemPort

/// The beacons that an app asks for: all of a UUID, or those with a major, or with a major and a minor number.
///
/// `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The UUID of the beacons.
    open var uuid: UUID { UUID(uuidString: record.uuid) ?? .zero }
    /// The major value of the beacons; nil for any.
    open var major: CLBeaconMajorValue? { record.major }
    /// The minor value of the beacons; nil for any.
    open var minor: CLBeaconMinorValue? { record.minor }

    let record: BeaconConstraint

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

    init(_ record: BeaconConstraint) { self.record = record }

    public required init?(coder: NSCoder) {
        guard let record: BeaconConstraint = RecordCoding.decode(from: coder) else { return nil }
        self.record = record
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CLBeaconIdentityConstraint)?.record == record }

    open override var hash: Int { record.hashValue }
}
