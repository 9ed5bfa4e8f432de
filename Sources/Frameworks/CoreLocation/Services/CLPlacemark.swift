public import Foundation

/// The address of a place. Only copies of an app's own exist, as there is no map service.
///
/// `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLPlacemark: NSObject, NSCopying, @unchecked Sendable {
    /// Always nil: no placemark has content here.
    open var location: CLLocation? { nil }
    /// Always nil: no placemark has content here.
    open var region: CLRegion? { nil }
    /// Always nil: no placemark has content here.
    open var timeZone: TimeZone? { nil }
    /// Always nil: no placemark has content here.
    open var name: String? { nil }
    /// The street; always nil here.
    open var thoroughfare: String? { nil }
    /// The house number; always nil here.
    open var subThoroughfare: String? { nil }
    /// The town; always nil here.
    open var locality: String? { nil }
    /// The district of the town; always nil here.
    open var subLocality: String? { nil }
    /// The state or province; always nil here.
    open var administrativeArea: String? { nil }
    /// The county; always nil here.
    open var subAdministrativeArea: String? { nil }
    /// The postal code; always nil here.
    open var postalCode: String? { nil }
    /// The country's code in ISO 3166; always nil here.
    open var isoCountryCode: String? { nil }
    /// The country; always nil here.
    open var country: String? { nil }
    /// The lake or river; always nil here.
    open var inlandWater: String? { nil }
    /// The ocean; always nil here.
    open var ocean: String? { nil }
    /// Well-known places nearby; always nil here.
    open var areasOfInterest: [String]? { nil }

    /// Copies a placemark.
    public init(placemark: CLPlacemark) {}

    open func copy(with zone: NSZone? = nil) -> Any { self }
}
