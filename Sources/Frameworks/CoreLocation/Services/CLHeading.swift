public import Foundation
import SystemPort

/// The direction in which the device points. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The degrees clockwise from magnetic north.
    open var magneticHeading: CLLocationDirection { record.degrees }
    /// The degrees clockwise from true north; -1 while the device does not know its location. On the emulated Earth both norths are
    /// the same.
    open var trueHeading: CLLocationDirection { record.isTrueKnown ? record.degrees : -1 }
    /// The greatest error in degrees.
    open var headingAccuracy: CLLocationDirection { 5 }
    /// The magnetic field in microteslas; the emulated device has no magnetometer, so its parts are 0.
    open var x: CLHeadingComponentValue { 0 }
    /// The part of the magnetic field along the device's second axis; always 0 here.
    open var y: CLHeadingComponentValue { 0 }
    /// The part of the magnetic field along the device's third axis; always 0 here.
    open var z: CLHeadingComponentValue { 0 }
    /// The date of the measurement, on the device's clock.
    open var timestamp: Date { record.date }

    private let record: HeadingRecord

    /// Creates a heading to the north without a date, for subclasses in tests.
    public override init() { record = HeadingRecord(degrees: 0, isTrueKnown: false, date: .distantPast) }

    init(_ record: HeadingRecord) { self.record = record }

    public required init?(coder: NSCoder) {
        guard let record: HeadingRecord = RecordCoding.decode(from: coder) else { return nil }
        self.record = record
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var description: String {
        "magneticHeading \(magneticHeading) trueHeading \(trueHeading) accuracy \(headingAccuracy)"
    }
}
