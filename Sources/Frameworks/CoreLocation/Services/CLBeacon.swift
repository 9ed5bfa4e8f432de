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
open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The UUID of the beacon's owner.
    open var uuid: UUID { UUID(uuidString: sighting.beacon.uuid) ?? .zero }
    /// The UUID of the beacon's owner, by its name before iOS 13.
    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "uuid")
    open var proximityUUID: UUID { uuid }
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
    open var timestamp: Date { sighting.date }

    private struct Sighting: Codable {
        var beacon: NearbyBeacon
        var date: Date
    }

    private let sighting: Sighting
    private var beacon: NearbyBeacon { sighting.beacon }

    /// Creates a beacon at an unknown distance, for subclasses in tests.
    public override init() {
        let beacon = NearbyBeacon(uuid: .zero, major: 0, minor: 0, distance: -1)
        sighting = Sighting(beacon: beacon, date: .distantPast)
    }

    init(_ beacon: NearbyBeacon, at date: Date) { sighting = Sighting(beacon: beacon, date: date) }

    public required init?(coder: NSCoder) {
        guard let sighting: Sighting = RecordCoding.decode(from: coder) else { return nil }
        self.sighting = sighting
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(sighting, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension UUID {
    /// The UUID whose octets are 0.
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
