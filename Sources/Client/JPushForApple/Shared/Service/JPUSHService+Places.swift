#if os(iOS) || os(Linux) && canImport(UIKit)

public import CoreLocation
import Foundation

// Geofences are sent by the service, and Posthorn's sends none: their format is not documented. Locations that an app
// reports are discarded.

extension JPUSHService {
    /// Sets the geofence delegate, held weakly. Call it before `setup`.
    public class func registerLbsGeofenceDelegate(
        _ delegate: (any JPUSHGeofenceDelegate)!,
        withLaunchOptions launchOptions: [AnyHashable: Any]!
    ) {
        client.delegates.geofence = delegate
        client.review(delegate)
    }

    /// Reports 7001 to the delegate: there is no geofence with this id.
    public class func removeGeofence(withIdentifier geofenceId: String!) {
        let (client, name) = (client, geofenceId ?? "")
        client.onMain {
            client.delegates.notify(ofGeofence: name, ResultError.make(ResultCode.geofenceUnknown))
        }
    }

    /// Sets the number of geofences monitored at a time: 10 by default and at most 20, the system's limit.
    public class func setGeofeneceMaxCount(_ count: Int) {
        if 1...20 ~= count { return }
        client.complain("1 to 20 geofences can be monitored, not \(count)")
    }

    /// The name before SDK 3.7.
    public class func setGeofenecMaxCount(_ count: Int) { setGeofeneceMaxCount(count) }

    /// Sets the seconds between reports from inside.
    public class func setGeofenecePeriodForInside(_ period: Int) {}

    /// Does nothing: the location is not sent to the service.
    public class func setLatitude(_ latitude: Double, longitude: Double) {}
    /// Does nothing: the location is not sent to the service.
    public class func setLocation(_ location: CLLocation!) {}
    /// Does nothing: the location is not sent to the service. The spelling is the SDK's.
    public class func setLocationEanable(_ isEanble: Bool) {}
}

#endif
