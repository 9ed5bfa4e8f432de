#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

#if canImport(ObjectiveC)

/// Receives events about in-app messages. This layer shows none, so none of them is called.
@objc(JPUSHInAppMessageDelegate)
public protocol JPUSHInAppMessageDelegate: NSObjectProtocol {
    /// An in-app message is on the screen.
    @objc(jPushInAppMessageDidShow:)
    optional func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage)
    /// The user tapped an in-app message.
    @objc(jPushInAppMessageDidClick:)
    optional func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage)
}

/// Receives events about banners that the SDK shows. This layer shows none, so none of them is called.
@objc(JPUSHNotiInMessageDelegate)
public protocol JPUSHNotiInMessageDelegate: NSObjectProtocol {
    /// A banner is on the screen.
    @objc(jPushNotiInMessageDidShowWithContent:)
    optional func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any])
    /// The user tapped a banner.
    @objc(jPushNotiInMessageDidClickWithContent:)
    optional func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any])
}

/// Receives events about geofences, of which the service has none.
@objc(JPUSHGeofenceDelegate)
public protocol JPUSHGeofenceDelegate: NSObjectProtocol {
    /// An operation on a geofence failed, with code 7001: its id is not known.
    @objc(jpushGeofenceRegion:error:)
    optional func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]?, error: (any Error)?)
    /// The geofences of the service. Never called.
    @objc(jpushCallbackGeofenceReceived:)
    optional func jpushCallbackGeofenceReceived(_ geofenceList: [[AnyHashable: Any]]?)
}

#else

/// Receives events about in-app messages. This layer shows none, so none of them is called.
@preconcurrency public protocol JPUSHInAppMessageDelegate: NSObjectProtocol {
    /// An in-app message is on the screen.
    func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage)
    /// The user tapped an in-app message.
    func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage)
}

extension JPUSHInAppMessageDelegate {
    public func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage) {}
    public func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage) {}
}

/// Receives events about banners that the SDK shows. This layer shows none, so none of them is called.
@preconcurrency public protocol JPUSHNotiInMessageDelegate: NSObjectProtocol {
    /// A banner is on the screen.
    func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any])
    /// The user tapped a banner.
    func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any])
}

extension JPUSHNotiInMessageDelegate {
    public func jPushNotiInMessageDidShow(withContent content: [AnyHashable: Any]) {}
    public func jPushNotiInMessageDidClick(withContent content: [AnyHashable: Any]) {}
}

/// Receives events about geofences, of which the service has none.
@preconcurrency public protocol JPUSHGeofenceDelegate: NSObjectProtocol {
    /// An operation on a geofence failed, with code 7001: its id is not known.
    func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]?, error: (any Error)?)
    /// The geofences of the service. Never called.
    func jpushCallbackGeofenceReceived(_ geofenceList: [[AnyHashable: Any]]?)
}

extension JPUSHGeofenceDelegate {
    public func jpushGeofenceRegion(_ geofence: [AnyHashable: Any]?, error: (any Error)?) {}
    public func jpushCallbackGeofenceReceived(_ geofenceList: [[AnyHashable: Any]]?) {}
}

#endif

#endif
