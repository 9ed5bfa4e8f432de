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
