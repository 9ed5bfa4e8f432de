#if os(Linux) && canImport(UIKit) && !canImport(ObjectiveC)

public import Foundation

/// Receives events about geofences that the service manages. Every method is optional, and may be written with `?` or
/// `!`.
@preconcurrency public protocol JPUSHGeofenceDelegate: JPUSHImplicitGeofenceSpellings, JPUSHOptionalGeofenceSpellings {
    /// A fence was entered, by the spelling before SDK 5.2. The service has no geofences; never called.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use jpushGeofenceRegion(_:error:).")
    func jpushGeofenceIdentifer(_ geofenceId: String, didEnterRegion userInfo: [AnyHashable: Any]?, error: (any Error)?)

    /// A fence was left, by the spelling before SDK 5.2. The service has no geofences; never called.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use jpushGeofenceRegion(_:error:).")
    func jpushGeofenceIdentifer(_ geofenceId: String, didExitRegion userInfo: [AnyHashable: Any]?, error: (any Error)?)

    // The same, for sources written before SDK 5.2.
    /// A fence was entered, by the spelling before SDK 5.2. The service has no geofences; never called.
    func jpushGeofenceIdentifer(
        _ geofenceId: String!,
        didEnterRegion userInfo: [AnyHashable: Any]!,
        error: (any Error)!
    )

    /// A fence was left, by the spelling before SDK 5.2. The service has no geofences; never called.
    func jpushGeofenceIdentifer(_ geofenceId: String!, didExitRegion userInfo: [AnyHashable: Any]!, error: (any Error)!)
}

/// The methods of ``JPUSHGeofenceDelegate`` that may be written with `?`.
@preconcurrency public protocol JPUSHOptionalGeofenceSpellings: NSObjectProtocol {
    /// A geofence has changed, or an operation on one failed: code 7000 if it has expired, 7001 if its id is not known.
    func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]?, error: (any Error)?)

    /// The geofences that the service manages.
    func jpushCallbackGeofenceReceived(_ geofenceList: [[AnyHashable: Any]]?)
}

/// The methods of ``JPUSHGeofenceDelegate`` that may be written with `!`.
@preconcurrency public protocol JPUSHImplicitGeofenceSpellings: NSObjectProtocol {
    /// The same method of ``JPUSHGeofenceDelegate``, with implicitly unwrapped types.
    func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]!, error: (any Error)!)
    /// The same method of ``JPUSHGeofenceDelegate``, with implicitly unwrapped types.
    func jpushCallbackGeofenceReceived(_ geofenceList: [[AnyHashable: Any]]!)
}

extension JPUSHOptionalGeofenceSpellings {
    public func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]?, error: (any Error)?) {
        guard let next = self as? any JPUSHImplicitGeofenceSpellings else { return }
        next.jpushGeofenceRegion(geofence, error: error)
    }

    public func jpushCallbackGeofenceReceived(_ geofenceList: [[AnyHashable: Any]]?) {
        guard let next = self as? any JPUSHImplicitGeofenceSpellings else { return }
        next.jpushCallbackGeofenceReceived(geofenceList)
    }
}

extension JPUSHImplicitGeofenceSpellings {
    public func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]!, error: (any Error)!) {}
    public func jpushCallbackGeofenceReceived(_ geofenceList: [[AnyHashable: Any]]!) {}
}

extension JPUSHGeofenceDelegate {
    public func jpushGeofenceIdentifer(
        _ geofenceId: String,
        didEnterRegion userInfo: [AnyHashable: Any]?,
        error: (any Error)?
    ) {}

    public func jpushGeofenceIdentifer(
        _ geofenceId: String,
        didExitRegion userInfo: [AnyHashable: Any]?,
        error: (any Error)?
    ) {}

    public func jpushGeofenceIdentifer(
        _ geofenceId: String!,
        didEnterRegion userInfo: [AnyHashable: Any]!,
        error: (any Error)!
    ) {}

    public func jpushGeofenceIdentifer(
        _ geofenceId: String!,
        didExitRegion userInfo: [AnyHashable: Any]!,
        error: (any Error)!
    ) {}
}

#endif
