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

/// Receives events about in-app messages. Every method is optional, with `!` or without.
@preconcurrency public protocol JPUSHInAppMessageDelegate: NSObjectProtocol {
    /// The view of an in-app message is on the screen.
    func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage)
    /// The view of an in-app message is on the screen; the spelling with an implicitly unwrapped type.
    func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage!)
    /// The user tapped an in-app message.
    func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage)
    /// The user tapped an in-app message; the spelling with an implicitly unwrapped type.
    func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage!)
}

extension JPUSHInAppMessageDelegate {
    public func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage) {
        let next: (JPushInAppMessage?) -> Void = jPush(inAppMessageDidShow:)
        next(inAppMessage)
    }

    public func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage!) {}

    public func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage) {
        let next: (JPushInAppMessage?) -> Void = jPush(inAppMessageDidClick:)
        next(inAppMessage)
    }

    public func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage!) {}
}

/// Receives events about banners that the SDK shows instead of the system's. Every method is optional, with `!` or
/// without.
@preconcurrency public protocol JPUSHNotiInMessageDelegate: NSObjectProtocol {
    func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any])
    /// An in-app message is on the screen; the spelling with an implicitly unwrapped type.
    func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any]!)
    /// The user tapped an in-app message, which has the payload that the notification would have had.
    func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any])
    /// The user tapped an in-app message; the spelling with an implicitly unwrapped type.
    func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any]!)
}

extension JPUSHNotiInMessageDelegate {
    public func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any]) {
        let next: ([AnyHashable: Any]?) -> Void = jPushNotiInMessageDidShow(withContent:)
        next(content)
    }

    public func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any]!) {}

    public func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any]) {
        let next: ([AnyHashable: Any]?) -> Void = jPushNotiInMessageDidClick(withContent:)
        next(content)
    }

    public func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any]!) {}
}

#endif
