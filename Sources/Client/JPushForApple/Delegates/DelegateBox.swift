#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

/// The app's delegates, held weakly.
///
/// `@unchecked Sendable`: an app's delegates need not be Sendable; the references are read and changed under the lock, and the
/// delegates are called on the main thread.
final class DelegateBox: @unchecked Sendable {
    private let lock = NSLock()
    private weak var heldRegister: (any JPUSHRegisterDelegate)?
    private weak var heldGeofence: (any JPUSHGeofenceDelegate)?

    var register: (any JPUSHRegisterDelegate)? {
        get { locked { heldRegister } }
        set { locked { heldRegister = newValue } }
    }

    var geofence: (any JPUSHGeofenceDelegate)? {
        get { locked { heldGeofence } }
        set { locked { heldGeofence = newValue } }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}

#endif
