public import SystemPort

// What the device's sensors notice besides its location, and the accuracy that the user allows.

extension Device {
    /// Turns the device: apps that follow the heading are notified.
    ///
    /// - Parameter degrees: the direction in which the top of the device points, clockwise from north; initially 0.
    public func turn(to degrees: Double) { update { $0.turn(to: degrees) } }

    /// Sets the beacons near the device, initially none: apps that range them, and the conditions of their monitors, notice.
    public func setBeacons(_ beacons: [NearbyBeacon]) { update { $0.set(beacons: beacons) } }

    /// Sets "Precise Location" of an app in Settings (iOS 14 and later), initially on, unless the app's Info.plist has
    /// `NSLocationDefaultAccuracyReduced`. While it is off, the app gets an approximate location.
    public func setPreciseLocation(of bundleID: String, allowed: Bool) { update { $0.setPrecise(bundleID, allowed) } }

    /// Returns the conditions of an app's monitor (`CLMonitor`), by its name, in the order in which the app added them.
    public func conditions(ofMonitor name: String, in bundleID: String) -> [ConditionRecord] {
        read { $0.apps[bundleID]?.location.monitors[name] ?? [] }
    }
}
