#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

extension DelegateBox {
    /// Tells the app's delegate what the user has answered.
    func notify(_ status: JPAuthorizationStatus) {
        #if canImport(ObjectiveC)
        self.register?.jpushNotificationAuthorization?(status, withInfo: nil)
        #else
        let delegate: (any JPUSHOptionalSpellings)? = self.register
        delegate?.jpushNotificationAuthorization(status, withInfo: nil)
        #endif
    }

    /// Tells the app's delegate that an operation on a geofence has failed.
    func notify(ofGeofence id: String, _ error: any Error) {
        #if canImport(ObjectiveC)
        self.geofence?.jpushGeofenceRegion?(["geofence_id": id], error: error)
        #else
        let delegate: (any JPUSHOptionalGeofenceSpellings)? = self.geofence
        delegate?.jpushGeofenceRegion(["geofence_id": id], error: error)
        #endif
    }
}

/// The app's delegates in this process, held weakly.
///
/// `@unchecked Sendable`: an app's delegates need not be Sendable; the references are read and written under the lock,
/// and the delegates are called on the main thread only.
@dynamicMemberLookup
final class DelegateBox: @unchecked Sendable {
    struct Held {
        weak var register: (any JPUSHRegisterDelegate)?
        weak var geofence: (any JPUSHGeofenceDelegate)?
        weak var inApp: (any JPUSHInAppMessageDelegate)?
        weak var notiInApp: (any JPUSHNotiInMessageDelegate)?
    }

    private let lock = NSLock()
    private var held = Held()

    subscript<Delegate>(dynamicMember path: WritableKeyPath<Held, Delegate>) -> Delegate {
        get {
            lock.lock()
            defer { lock.unlock() }
            return held[keyPath: path]
        }
        set {
            lock.lock()
            defer { lock.unlock() }
            held[keyPath: path] = newValue
        }
    }
}

#endif
