import Foundation

/// The app's other delegates in this process, held weakly.
///
/// `@unchecked Sendable`: an app's delegates need not be Sendable; the references are read and written under the lock,
/// and the delegates are called on the main thread only.
final class DelegateBox: @unchecked Sendable {
    private let lock = NSLock()
    private weak var heldGeofence: (any JPUSHGeofenceDelegate)?
    private weak var heldInApp: (any JPUSHInAppMessageDelegate)?
    private weak var heldNotiInApp: (any JPUSHNotiInMessageDelegate)?

    var geofence: (any JPUSHGeofenceDelegate)? {
        get { lock.withLock { heldGeofence } }
        set { lock.withLock { heldGeofence = newValue } }
    }

    var inApp: (any JPUSHInAppMessageDelegate)? {
        get { lock.withLock { heldInApp } }
        set { lock.withLock { heldInApp = newValue } }
    }

    var notiInApp: (any JPUSHNotiInMessageDelegate)? {
        get { lock.withLock { heldNotiInApp } }
        set { lock.withLock { heldNotiInApp = newValue } }
    }
}
