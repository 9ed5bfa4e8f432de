public import Foundation
package import SystemPort

/// The domain of ``CLError``.
public let kCLErrorDomain = "kCLErrorDomain"

/// An error of this framework. Codes: Apple, `CLError.Code`.
public struct CLError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { kCLErrorDomain }
    public static var errorDomain: String { kCLErrorDomain }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CLError

        /// The device does not know its location.
        case locationUnknown = 0
        /// The app may not use the location.
        case denied = 1
        /// The network was not available, or there is no map: the error of each request to ``CLGeocoder`` here.
        case network = 2
        /// The heading cannot be determined.
        case headingFailure = 3
        /// The app may not use the location, so its region is not monitored for now.
        case regionMonitoringDenied = 4
        /// The region cannot be monitored: its centre is invalid, or there are too many.
        case regionMonitoringFailure = 5
        /// Monitoring begins later, and its events arrive later. Neither occurs here.
        case regionMonitoringSetupDelayed, regionMonitoringResponseDelayed
        /// No place was found, one was found in part, and the request was cancelled. None of them occurs here.
        case geocodeFoundNoResult, geocodeFoundPartialResult, geocodeCanceled
        /// Deferred updates failed, need updates, and need a better accuracy. None of them occurs here.
        case deferredFailed, deferredNotUpdatingLocation, deferredAccuracyTooLow
        /// Deferred updates allow no distance filter, and were cancelled. Neither occurs here.
        case deferredDistanceFiltered, deferredCanceled
        /// Ranging is not available: Bluetooth or the location services are off.
        case rangingUnavailable = 16
        /// Ranging failed. It never occurs here.
        case rangingFailure = 17
        /// The user declined, or was not asked.
        case promptDeclined = 18
        /// Past locations are not available. It never occurs here.
        case historicalLocationError = 19
    }

    /// The code ``Code/locationUnknown``.
    public static var locationUnknown: Code { .locationUnknown }
    /// The code ``Code/denied``.
    public static var denied: Code { .denied }
    /// The code ``Code/network``.
    public static var network: Code { .network }
    /// The code ``Code/headingFailure``.
    public static var headingFailure: Code { .headingFailure }
    /// The code ``Code/regionMonitoringDenied``.
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    /// The code ``Code/regionMonitoringFailure``.
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    /// The code ``Code/regionMonitoringSetupDelayed``.
    public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
    /// The code ``Code/regionMonitoringResponseDelayed``.
    public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
    /// The code ``Code/geocodeFoundNoResult``.
    public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
    /// The code ``Code/geocodeFoundPartialResult``.
    public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
    /// The code ``Code/geocodeCanceled``.
    public static var geocodeCanceled: Code { .geocodeCanceled }
    /// The code ``Code/deferredFailed``.
    public static var deferredFailed: Code { .deferredFailed }
    /// The code ``Code/deferredNotUpdatingLocation``.
    public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
    /// The code ``Code/deferredAccuracyTooLow``.
    public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
    /// The code ``Code/deferredDistanceFiltered``.
    public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
    /// The code ``Code/deferredCanceled``.
    public static var deferredCanceled: Code { .deferredCanceled }
    /// The code ``Code/rangingUnavailable``.
    public static var rangingUnavailable: Code { .rangingUnavailable }
    /// The code ``Code/rangingFailure``.
    public static var rangingFailure: Code { .rangingFailure }
    /// The code ``Code/promptDeclined``.
    public static var promptDeclined: Code { .promptDeclined }
    /// The code ``Code/historicalLocationError``.
    public static var historicalLocationError: Code { .historicalLocationError }
}

extension CLError {
    /// The error as sent over the port; errors without a matching code become the general `network`.
    package init(_ error: SystemError) {
        self.init(Code(rawValue: error.code) ?? .network, userInfo: [NSLocalizedDescriptionKey: error.text])
    }
}
