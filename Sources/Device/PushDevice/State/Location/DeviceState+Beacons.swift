import PushModel
import SystemPort

// Monitored beacon regions.

extension DeviceState {
    /// Reports the beacons nearby that apps monitor with `notifyEntryStateOnDisplay`, starting the apps if necessary.
    ///
    /// Source: Apple, `CLBeaconRegion.notifyEntryStateOnDisplay`: the location manager sends beacon notifications when the user turns
    /// on the display and the device is already inside the region, and the system launches an app for them.
    mutating func displayTurnedOn() {
        for bundleID in apps.keys.sorted() {
            guard let record = apps[bundleID], !isReduced(record) else { continue }
            for watch in record.location.watches where watch.state == .inside && watch.region.isReportedOnDisplay {
                guard mayTell(bundleID, news: "presence in region '\(watch.region.identifier)'") else { continue }
                launchForLocation(bundleID)
                sendLocation(.state(watch.region, .inside), to: bundleID)
            }
        }
    }
}

extension GeoRegion {
    fileprivate var isReportedOnDisplay: Bool {
        if case .beacon(_, _, _, onDisplay: true) = shape { true } else { false }
    }
}
