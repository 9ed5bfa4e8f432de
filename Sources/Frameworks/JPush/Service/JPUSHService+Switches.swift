import DeviceLink
import Foundation
import SystemPort

extension JPUSHService {
    // MARK: Push

    /// Sets the push switch. While off, neither notifications nor custom messages arrive, and other operations return
    /// 6012. The completion receives the result code.
    public class func setPushEnable(_ isEnable: Bool, completion: ((_ iResCode: Int) -> Void)!) {
        let operation = JPushState.Operation(request: .pushSwitch(isEnable), ignoresSwitch: true)
        client.request(operation) { completion?($0.code) }
    }

    /// - Parameter completion: receives the result code, and whether the push service is stopped, which is valid only
    ///   with code 0.
    public class func getPushStatus(_ completion: ((_ iResCode: Int, _ isStopped: Bool) -> Void)!) {
        let operation = JPushState.Operation(request: .pushStatus, ignoresSwitch: true)
        client.request(operation) { completion?($0.code, !($0.isOn ?? true)) }
    }

    // MARK: The link

    /// Sets whether the link stays open in the background; call it before `setup`. Otherwise custom messages arrive in
    /// the foreground only.
    public class func setBackgroundEnable(_ enable: Bool) {
        client.update { $0.stayInBackground(enable) }
    }

    /// Sets the heartbeat interval, 30 to 290 seconds; call it before `setup`. It applies to links opened from now on.
    /// Without it the app only answers the service's pings, sent every 30 seconds, which it does in any case.
    public class func setHeartBeatTimeInterval(_ interval: Int) {
        guard 30...290 ~= interval else {
            return client.complain("the heartbeat interval is 30 to 290 seconds, not \(interval)")
        }
        client.update { $0.heartbeat = .seconds(interval) }
    }

    // MARK: The log

    /// Logs everything.
    public class func setDebugMode() { client.log.set(.debug) }

    /// Logs warnings and errors only.
    public class func setLogOFF() { client.log.set(.warning) }

    /// No effect: Posthorn collects no crashes.
    public class func crashLogON() {}

    // MARK: Not supported by Posthorn

    /// No effect: none of this data is read from the device.
    public class func setCollectControl(_ control: JPushCollectControl!) {}
    /// No effect: the service pushes only on request.
    public class func setSmartPushEnable(_ isEnable: Bool) {}
    /// No effect: Posthorn collects nothing.
    public class func setDataInsightsEnable(_ isEnable: Bool) {}

    // MARK: Permission

    /// Returns the authorization status without a prompt.
    public class func requestNotificationAuthorization(_ completion: ((_ status: JPAuthorizationStatus) -> Void)!) {
        guard let completion else { return }
        client.status(completion)
    }

    /// Opens the app's page in the system's settings.
    public class func openSettings(forNotification completionHandler: ((_ success: Bool) -> Void)!) {
        let client = client
        let handler = completionHandler
        client.openSettings { isOpen in handler?(isOpen) }
    }
}
