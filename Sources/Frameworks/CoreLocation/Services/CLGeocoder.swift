public import Foundation

/// Receives the places found, or the error; here always the error.
public typealias CLGeocodeCompletionHandler = @Sendable ([CLPlacemark]?, (any Error)?) -> Void

/// Finds addresses of places and places of addresses, which needs a map service: on Linux every request fails with
/// ``CLError/Code/network``.
open class CLGeocoder: NSObject {
    /// Always false: requests fail at once.
    open private(set) var isGeocoding = false

    /// Does nothing: requests fail at once.
    open func cancelGeocode() {}

    /// Fails with ``CLError/network``: the device has no map.
    open func reverseGeocodeLocation(_ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler) {
        fail(completionHandler)
    }

    /// Fails with ``CLError/network``: the device has no map.
    open func reverseGeocodeLocation(
        _ location: CLLocation,
        preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) { fail(completionHandler) }

    /// Fails with ``CLError/network``: the device has no map.
    open func geocodeAddressString(
        _ addressString: String,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) { fail(completionHandler) }

    /// Fails with ``CLError/network``: the device has no map.
    open func geocodeAddressString(
        _ addressString: String,
        in region: CLRegion?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) { fail(completionHandler) }

    /// Fails with ``CLError/network``: the device has no map.
    nonisolated(nonsending) open func reverseGeocodeLocation(
        _ location: CLLocation
    ) async throws -> [CLPlacemark] { throw Self.failure }

    /// Fails with ``CLError/network``: the device has no map.
    nonisolated(nonsending) open func geocodeAddressString(
        _ addressString: String
    ) async throws -> [CLPlacemark] { throw Self.failure }

    private static var failure: CLError {
        let text = "An emulated device has no map service, so it finds no addresses."
        return CLError(.network, userInfo: [NSLocalizedDescriptionKey: text])
    }

    private func fail(_ completion: @escaping CLGeocodeCompletionHandler) {
        DispatchQueue.main.async { completion(nil, Self.failure) }
    }
}

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
