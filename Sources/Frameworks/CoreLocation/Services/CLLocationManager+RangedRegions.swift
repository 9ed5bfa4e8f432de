import SystemPort

// Ranging in the spelling before iOS 13: by regions.

extension CLLocationManager {
    /// The regions that this manager ranges with ``startRangingBeacons(in:)``.
    @available(iOS, introduced: 7.0, deprecated: 13.0, message: "Use rangedBeaconConstraints.")
    public var rangedRegions: Set<CLRegion> {
        Set(LocationSlot.of(CurrentPort.find()).read(self).rangedRegions.values)
    }

    /// Reports the beacons of a region now and at each change, while the app is in the foreground, to
    /// `locationManager(_:didRangeBeacons:in:)`.
    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "startRangingBeacons(satisfying:)")
    public func startRangingBeacons(in region: CLBeaconRegion) {
        let constraint = region.beaconIdentityConstraint.record
        LocationSlot.of(CurrentPort.find()).change(self) { $0.rangedRegions[constraint] = region }
        send(.startRanging(constraint))
    }

    /// Ends the reports of the beacons of a region, by the spelling before iOS 13.
    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "stopRangingBeacons(satisfying:)")
    public func stopRangingBeacons(in region: CLBeaconRegion) {
        let constraint = region.beaconIdentityConstraint.record
        let use = LocationSlot.of(CurrentPort.find()).change(self) { $0.rangedRegions[constraint] = nil }
        if !use.ranged.contains(constraint) { send(.stopRanging(constraint)) }
    }
}
