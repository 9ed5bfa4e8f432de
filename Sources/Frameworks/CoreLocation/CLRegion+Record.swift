package import PushModel

extension CLRegion {
    /// The region as sent over the port.
    package var record: GeoRegion {
        GeoRegion(identifier: identifier, shape: shape, notifyOnEntry: notifyOnEntry, notifyOnExit: notifyOnExit)
    }

    /// Creates the framework's object for a region from its record.
    package static func make(_ record: GeoRegion) -> CLRegion {
        let region: CLRegion
        switch record.shape {
        case .circle(let center, let radius):
            region = CLCircularRegion(
                center: CLLocationCoordinate2D(center),
                radius: radius,
                identifier: record.identifier
            )
        case .beacon(let uuid, let major, let minor, let onDisplay):
            let beacon = CLBeaconRegion(
                record: UUID(uuidString: uuid) ?? UUID(),
                major: major,
                minor: minor,
                identifier: record.identifier
            )
            beacon.notifyEntryStateOnDisplay = onDisplay
            region = beacon
        }
        region.notifyOnEntry = record.notifyOnEntry
        region.notifyOnExit = record.notifyOnExit
        return region
    }

    private var shape: GeoRegion.Shape {
        if let beacon = self as? CLBeaconRegion {
            return .beacon(
                uuid: beacon.uuid.uuidString,
                major: beacon.major?.uint16Value,
                minor: beacon.minor?.uint16Value,
                onDisplay: beacon.notifyEntryStateOnDisplay
            )
        }
        return .circle(center: center.place, radius: radius)
    }
}
