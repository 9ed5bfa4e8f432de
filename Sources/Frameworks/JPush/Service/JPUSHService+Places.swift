public import CoreLocation
import Foundation

// Geofences are the service's to send, and Posthorn's sends none: no source tells what one is made of. What an app says
// about its place goes nowhere.

extension JPUSHService {
    /// Call it before `setup`. The delegate is held weakly.
    public class func registerLbsGeofenceDelegate(
        _ delegate: (any JPUSHGeofenceDelegate)!,
        withLaunchOptions launchOptions: [AnyHashable: Any]!
    ) {
        client.delegates.geofence = delegate
    }

    /// The delegate hears 7001: there is none of this id.
    public class func removeGeofence(withIdentifier geofenceId: String!) {
        let client = client
        client.onMain {
            let error = JPushError.make(ResultCode.geofenceUnknown)
            guard let delegate: any JPUSHOptionalGeofenceSpellings = client.delegates.geofence else { return }
            delegate.jpushGeofenceRegion(["geofence_id": geofenceId ?? ""], error: error)
        }
    }

    /// How many are watched at a time: 10, and 20 at most, for the system watches no more.
    public class func setGeofeneceMaxCount(_ count: Int) {
        if 1...20 ~= count { return }
        client.complain("between 1 and 20 geofences can be watched, not \(count)")
    }

    /// The name of before SDK 3.7.
    public class func setGeofenecMaxCount(_ count: Int) { setGeofeneceMaxCount(count) }

    /// Seconds between reports from inside.
    public class func setGeofenecePeriodForInside(_ period: Int) {}

    public class func setLatitude(_ latitude: Double, longitude: Double) {}
    public class func setLocation(_ location: CLLocation!) {}
    public class func setLocationEanable(_ isEanble: Bool) {}
}
