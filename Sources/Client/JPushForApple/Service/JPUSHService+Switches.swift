#if os(iOS) || os(Linux) && canImport(UIKit)

import CoreLocation
import Foundation
import PosthornClient

extension JPUSHService {
    // MARK: The push switch

    /// Switches pushes to this device on or off.
    public class func setPushEnable(_ isEnable: Bool, completion: ((_ iResCode: Int) -> Void)!) {
        PushCore.shared.perform(.setPush(isEnable)) { code, _ in completion?(code) }
    }

    /// Asks whether pushes are switched off; the second value counts if the code is 0.
    public class func getPushStatus(_ completion: ((_ iResCode: Int, _ isStopped: Bool) -> Void)!) {
        PushCore.shared.perform(.getPush) { code, answer in completion?(code, !(answer.isOn ?? true)) }
    }

    // MARK: Tokens

    /// Registers the PushKit token.
    public class func registerVoipToken(_ voipToken: Data!) {
        guard let voipToken, !voipToken.isEmpty else { return }
        PushCore.shared.withClient { $0.setVoIPToken(voipToken) }
    }

    /// Registers the token of a Live Activity; call it again when the token changes, and with nil when the activity has ended.
    /// `completion` gets 0 once the token is stored on the device, which sends it.
    public class func registerLiveActivity(
        _ liveActivityId: String!,
        pushToken: Data?,
        completion: JPUSHLiveActivityTokenCompletion!,
        seq: Int
    ) {
        guard let name = liveActivityId, !name.isEmpty else {
            return MainCall(completion).call { $0?(ResultCode.nothingToSet, nil, pushToken, seq) }
        }
        PushCore.shared.withClient { $0.setActivityToken(pushToken, for: name) }
        MainCall(completion).call { $0?(0, name, pushToken, seq) }
    }

    /// Registers the token with which a push starts a Live Activity of this attributes type.
    public class func registerLiveActivity(
        _ activityAttributes: String!,
        pushToStartToken: Data?,
        completion: JPUSHLiveActivityTokenCompletion!,
        seq: Int
    ) {
        guard let name = activityAttributes, !name.isEmpty else {
            return MainCall(completion).call { $0?(ResultCode.nothingToSet, nil, pushToStartToken, seq) }
        }
        PushCore.shared.withClient { $0.setActivityStartToken(pushToStartToken, for: name) }
        MainCall(completion).call { $0?(0, name, pushToStartToken, seq) }
    }

    // MARK: Connection and log

    /// Lets the SDK fetch custom messages in the background too, while the app runs there.
    public class func setBackgroundEnable(_ isEnable: Bool) { PushCore.shared.stayInBackground(isEnable) }

    /// No effect: there is no connection of the SDK's own to keep.
    public class func setHeartBeatTimeInterval(_ timeInterval: Int) {}

    /// Logs everything.
    public class func setDebugMode() { PushCore.shared.setLog(isQuiet: false) }

    /// Logs errors only.
    public class func setLogOFF() { PushCore.shared.setLog(isQuiet: true) }

    /// No effect: the SDK collects no crashes.
    public class func crashLogON() {}

    /// No effect: the SDK reads none of these data.
    public class func setCollectControl(_ control: JPushCollectControl!) {}

    /// No effect: the service sends pushes when it is asked to.
    public class func setSmartPushEnable(_ isEnable: Bool) {}

    /// No effect: the SDK collects nothing.
    public class func setDataInsightsEnable(_ isEnable: Bool) {}

    // MARK: In-app messages and pages, which this layer does not show

    /// No effect: this layer shows no in-app messages.
    public class func pageEnter(to pageName: String!) {}

    /// No effect: this layer shows no in-app messages.
    public class func pageLeave(_ pageName: String!) {}

    /// No effect: this layer shows no in-app messages.
    public class func setInAppMessageDelegate(_ delegate: (any JPUSHInAppMessageDelegate)!) {}

    /// No effect: this layer shows no banners of its own.
    public class func setNotiInMessageDelegate(_ delegate: (any JPUSHNotiInMessageDelegate)!) {}

    /// No effect: the SDK collects no page views.
    public class func startLogPageView(_ pageName: String!) {}

    /// No effect: the SDK collects no page views.
    public class func stopLogPageView(_ pageName: String!) {}

    /// No effect: the SDK collects no page views.
    public class func beginLogPageView(_ pageName: String!, duration seconds: Int32) {}

    // MARK: Places, which the service does not have

    /// Sets the geofence delegate, held weakly.
    public class func registerLbsGeofenceDelegate(
        _ delegate: (any JPUSHGeofenceDelegate)!,
        withLaunchOptions launchOptions: [AnyHashable: Any]!
    ) {
        PushCore.shared.delegates.geofence = delegate
    }

    /// Reports 7001 to the delegate: there is no geofence with this id.
    public class func removeGeofence(withIdentifier geofenceId: String!) {
        let name = geofenceId ?? ""
        onMain {
            let error = ResultCode.error(ResultCode.geofenceUnknown)
            guard let delegate = PushCore.shared.delegates.geofence else { return }
            #if canImport(ObjectiveC)
            delegate.jpushGeofenceRegion?(["geofence_id": name], error: error)
            #else
            delegate.jpushGeofenceRegion(["geofence_id": name], error: error)
            #endif
        }
    }

    /// No effect: the service has no geofences.
    public class func setGeofeneceMaxCount(_ count: Int) {}

    /// No effect: the service has no geofences.
    public class func setGeofenecePeriodForInside(_ period: Int) {}

    /// No effect: the location is not sent to the service.
    public class func setLatitude(_ latitude: Double, longitude: Double) {}

    /// No effect: the location is not sent to the service.
    public class func setLocation(_ location: CLLocation!) {}

    /// No effect: the location is not sent to the service. The spelling is the SDK's.
    public class func setLocationEanable(_ isEanble: Bool) {}
}

#endif
