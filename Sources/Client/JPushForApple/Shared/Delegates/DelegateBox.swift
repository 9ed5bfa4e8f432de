#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

/// The app's delegates in this process, held weakly.
///
/// `@unchecked Sendable`: an app's delegates need not be Sendable; the references are read and written under the lock,
/// and the delegates are called on the main thread only.
final class DelegateBox: @unchecked Sendable {
    private let lock = NSLock()
    private weak var heldRegister: (any JPUSHRegisterDelegate)?
    private weak var heldGeofence: (any JPUSHGeofenceDelegate)?
    private weak var heldInApp: (any JPUSHInAppMessageDelegate)?
    private weak var heldNotiInApp: (any JPUSHNotiInMessageDelegate)?

    var register: (any JPUSHRegisterDelegate)? {
        get { locked { heldRegister } }
        set { locked { heldRegister = newValue } }
    }

    var geofence: (any JPUSHGeofenceDelegate)? {
        get { locked { heldGeofence } }
        set { locked { heldGeofence = newValue } }
    }

    var inApp: (any JPUSHInAppMessageDelegate)? {
        get { locked { heldInApp } }
        set { locked { heldInApp = newValue } }
    }

    var notiInApp: (any JPUSHNotiInMessageDelegate)? {
        get { locked { heldNotiInApp } }
        set { locked { heldNotiInApp = newValue } }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}

#endif
