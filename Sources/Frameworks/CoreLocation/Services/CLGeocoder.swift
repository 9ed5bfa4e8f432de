public import Foundation

public typealias CLGeocodeCompletionHandler = @Sendable ([CLPlacemark]?, (any Error)?) -> Void

/// Finds addresses of places and places of addresses, which needs a map service: on Linux every request fails with
/// ``CLError/Code/network``.
open class CLGeocoder: NSObject {
    open private(set) var isGeocoding = false

    open func cancelGeocode() {}

    open func reverseGeocodeLocation(_ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler) {
        fail(completionHandler)
    }

    open func reverseGeocodeLocation(
        _ location: CLLocation,
        preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) { fail(completionHandler) }

    open func geocodeAddressString(
        _ addressString: String,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) { fail(completionHandler) }

    open func geocodeAddressString(
        _ addressString: String,
        in region: CLRegion?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) { fail(completionHandler) }

    nonisolated(nonsending) open func reverseGeocodeLocation(
        _ location: CLLocation
    ) async throws -> [CLPlacemark] { throw Self.failure }

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
    open var location: CLLocation? { nil }
    open var region: CLRegion? { nil }
    open var timeZone: TimeZone? { nil }
    open var name: String? { nil }
    open var thoroughfare: String? { nil }
    open var subThoroughfare: String? { nil }
    open var locality: String? { nil }
    open var subLocality: String? { nil }
    open var administrativeArea: String? { nil }
    open var subAdministrativeArea: String? { nil }
    open var postalCode: String? { nil }
    open var isoCountryCode: String? { nil }
    open var country: String? { nil }
    open var inlandWater: String? { nil }
    open var ocean: String? { nil }
    open var areasOfInterest: [String]? { nil }

    public init(placemark: CLPlacemark) {}

    open func copy(with zone: NSZone? = nil) -> Any { self }
}
