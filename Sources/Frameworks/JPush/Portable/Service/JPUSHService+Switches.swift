#if os(iOS) || os(Linux) && canImport(UIKit)

public import CoreLocation
import Foundation

extension JPUSHService {
    // MARK: Push

    /// Sets the push switch. While off, neither notifications nor custom messages arrive, and other operations return
    /// 6012. The completion receives the result code.
    public class func setPushEnable(_ isEnable: Bool, completion: ((_ iResCode: Int) -> Void)!) {
        client.request(.setPush(isEnable)) { completion?($0.code) }
    }

    /// - Parameter completion: receives the result code, and whether the push service is stopped, which is valid only
    ///   with code 0.
    public class func getPushStatus(_ completion: ((_ iResCode: Int, _ isStopped: Bool) -> Void)!) {
        client.request(.getPush) { completion?($0.code, !($0.isOn ?? true)) }
    }

    /// Stops the push service (UPS), as ``setPushEnable(_:completion:)`` does with false, until ``turnOnPush()``; also after a relaunch.
    ///
    /// Source: the vendor's Flutter plug-in 3.5.7, `turnOffPush`, which calls the SDK of 6.2.2. The vendor's SDK also gives up the
    /// registration; here the device keeps its registration id.
    public class func turnOffPush(_ completion: ((_ iResCode: Int) -> Void)!) {
        setPushEnable(false, completion: completion)
    }

    /// Resumes the push service; the result is not reported.
    public class func turnOnPush() { setPushEnable(true) { _ in } }

    // MARK: Tokens

    /// Registers the PushKit token.
    public class func registerVoipToken(_ voipToken: Data!) {
        guard let voipToken, !voipToken.isEmpty else { return }
        client.setVoIPToken(voipToken)
    }

    /// Registers the token of a Live Activity; call it again when the token changes.
    ///
    /// - Parameters:
    ///   - liveActivityId: the app's id for the activity.
    ///   - pushToken: the token; nil unregisters it, as an activity that has ended does.
    ///   - completion: receives the result code, id, token and `seq` of the call.
    ///   - seq: returned to the completion.
    public class func registerLiveActivity(
        _ liveActivityId: String!,
        pushToken: Data?,
        completion: JPUSHLiveActivityTokenCompletion!,
        seq: Int
    ) {
        register(liveActivityId, token: pushToken, isStart: false, completion: completion, seq: seq)
    }

    /// Registers the token with which a push starts a Live Activity of this attributes type; nil unregisters it.
    public class func registerLiveActivity(
        _ activityAttributes: String!,
        pushToStartToken: Data?,
        completion: JPUSHLiveActivityTokenCompletion!,
        seq: Int
    ) {
        register(activityAttributes, token: pushToStartToken, isStart: true, completion: completion, seq: seq)
    }

    private class func register(
        _ name: String?,
        token: Data?,
        isStart: Bool,
        completion: JPUSHLiveActivityTokenCompletion?,
        seq: Int
    ) {
        guard let name, !name.isEmpty else {
            return client.onMain { completion?(ResultCode.nothingToSet, name, token, seq) }
        }
        let known = token.flatMap { $0.isEmpty ? nil : $0 }
        client.setActivityToken(known, of: name, isStart: isStart) { completion?($0, name, token, seq) }
    }

    // MARK: Permission

    /// Returns the authorization status without a prompt.
    public class func requestNotificationAuthorization(_ completion: ((_ status: JPAuthorizationStatus) -> Void)!) {
        guard let completion else { return }
        client.status(completion)
    }

    /// Opens the app's page in the system's settings.
    public class func openSettings(forNotification completionHandler: ((_ success: Bool) -> Void)!) {
        let handler = completionHandler
        client.openSettings { isOpen in handler?(isOpen) }
    }

    // MARK: Without effect

    /// No effect: Posthorn collects no crashes.
    public class func crashLogON() {}
    /// No effect: none of this data is read from the device.
    public class func setCollectControl(_ control: JPushCollectControl!) {}
    /// No effect: the service pushes only on request.
    public class func setSmartPushEnable(_ isEnable: Bool) {}
    /// No effect: Posthorn collects nothing.
    public class func setDataInsightsEnable(_ isEnable: Bool) {}
    /// Does nothing: Posthorn collects no page views.
    public class func startLogPageView(_ pageName: String!) {}
    /// Does nothing: Posthorn collects no page views.
    public class func stopLogPageView(_ pageName: String!) {}
    /// Does nothing: Posthorn collects no page views.
    public class func beginLogPageView(_ pageName: String!, duration seconds: Int32) {}
}

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
        let client = client
        let name = geofenceId ?? ""
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
