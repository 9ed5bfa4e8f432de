public import Foundation
import PushModel
import SystemPort

/// A stay at a place. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLVisit: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The arrival; in the distant past if it is unknown.
    open var arrivalDate: Date { arrival }
    /// The departure; in the distant future while the stay lasts.
    open var departureDate: Date { departure }
    /// The place of the visit.
    open var coordinate: CLLocationCoordinate2D { place }
    /// The radius of uncertainty of the place, in metres.
    open var horizontalAccuracy: CLLocationAccuracy { accuracy }

    private let arrival: Date
    private let departure: Date
    private let place: CLLocationCoordinate2D
    private let accuracy: CLLocationAccuracy

    init(_ record: VisitRecord) {
        arrival = record.arrival ?? .distantPast
        departure = record.departure ?? .distantFuture
        place = CLLocationCoordinate2D(record.place)
        accuracy = record.horizontalAccuracy
    }

    public required init?(coder: NSCoder) {
        guard let arrival = coder.decodeObject(of: NSDate.self, forKey: "arrival"),
            let departure = coder.decodeObject(of: NSDate.self, forKey: "departure")
        else { return nil }
        self.arrival = Date(timeIntervalSinceReferenceDate: arrival.timeIntervalSinceReferenceDate)
        self.departure = Date(timeIntervalSinceReferenceDate: departure.timeIntervalSinceReferenceDate)
        place = CLLocationCoordinate2DMake(
            coder.decodeDouble(forKey: "latitude"),
            coder.decodeDouble(forKey: "longitude")
        )
        accuracy = coder.decodeDouble(forKey: "accuracy")
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        let dates = [("arrival", arrival), ("departure", departure)]
        for (key, date) in dates {
            coder.encode(NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate), forKey: key)
        }
        coder.encode(place.latitude, forKey: "latitude")
        coder.encode(place.longitude, forKey: "longitude")
        coder.encode(accuracy, forKey: "accuracy")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}
