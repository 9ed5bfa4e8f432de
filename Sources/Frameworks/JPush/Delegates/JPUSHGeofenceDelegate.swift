public import Foundation

/// Hears of geofences that the service keeps for the app. Every method is optional, and may be written with `?` or `!`.
@preconcurrency public protocol JPUSHGeofenceDelegate: JPUSHImplicitGeofenceSpellings, JPUSHOptionalGeofenceSpellings {
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use jpushGeofenceRegion(_:error:).")
    func jpushGeofenceIdentifer(
        _ geofenceId: String,
        didEnterRegion userInfo: [AnyHashable: Any]?,
        error: (any Error)?
    )

    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use jpushGeofenceRegion(_:error:).")
    func jpushGeofenceIdentifer(
        _ geofenceId: String,
        didExitRegion userInfo: [AnyHashable: Any]?,
        error: (any Error)?
    )

    // The same for sources of before SDK 5.2.
    func jpushGeofenceIdentifer(
        _ geofenceId: String!,
        didEnterRegion userInfo: [AnyHashable: Any]!,
        error: (any Error)!
    )

    func jpushGeofenceIdentifer(
        _ geofenceId: String!,
        didExitRegion userInfo: [AnyHashable: Any]!,
        error: (any Error)!
    )
}

/// What ``JPUSHGeofenceDelegate`` may write with `?`.
@preconcurrency public protocol JPUSHOptionalGeofenceSpellings: NSObjectProtocol {
    /// A geofence has changed, or an operation on one failed: code 7000 it has expired, 7001 its id is not known.
    func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]?, error: (any Error)?)

    /// The geofences that the service keeps.
    func jpushCallbackGeofenceReceived(_ geofenceList: [[AnyHashable: Any]]?)
}

/// What ``JPUSHGeofenceDelegate`` may write with `!`.
@preconcurrency public protocol JPUSHImplicitGeofenceSpellings: NSObjectProtocol {
    func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]!, error: (any Error)!)
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
