public import Foundation
import SystemPort

/// A stay at a place. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLVisit: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The arrival; in the distant past if it is unknown.
    open var arrivalDate: Date { record.arrival ?? .distantPast }
    /// The departure; in the distant future while the stay lasts.
    open var departureDate: Date { record.departure ?? .distantFuture }
    /// The place of the visit.
    open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(record.place) }
    /// The radius of uncertainty of the place, in metres.
    open var horizontalAccuracy: CLLocationAccuracy { record.horizontalAccuracy }

    private let record: VisitRecord

    /// Creates a visit at 0° N 0° E without dates, for subclasses in tests.
    public override init() {
        record = VisitRecord(place: CLLocationCoordinate2D().place, horizontalAccuracy: 0, arrival: nil, departure: nil)
    }

    init(_ record: VisitRecord) { self.record = record }

    public required init?(coder: NSCoder) {
        guard let record: VisitRecord = RecordCoding.decode(from: coder) else { return nil }
        self.record = record
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
