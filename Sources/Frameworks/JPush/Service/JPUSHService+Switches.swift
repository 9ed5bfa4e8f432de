import DeviceLink
import Foundation
import SystemPort

extension JPUSHService {
    // MARK: Push

    /// Off: neither notifications nor custom messages come, and other operations give 6012. The completion has the
    /// result code.
    public class func setPushEnable(_ isEnable: Bool, completion: ((_ iResCode: Int) -> Void)!) {
        let operation = JPushState.Operation(request: .pushSwitch(isEnable), ignoresSwitch: true)
        client.request(operation) { completion?($0.code) }
    }

    /// - Parameter completion: the result code, and whether the push service is stopped; that means something with 0.
    public class func getPushStatus(_ completion: ((_ iResCode: Int, _ isStopped: Bool) -> Void)!) {
        let operation = JPushState.Operation(request: .pushStatus, ignoresSwitch: true)
        client.request(operation) { completion?($0.code, !($0.isOn ?? true)) }
    }

    // MARK: The link

    /// Whether the link stays open while the app is not in front; call it before `setup`. Without it custom messages
    /// come in front only.
    public class func setBackgroundEnable(_ enable: Bool) {
        client.update { state, effects in state.stayInBackground(enable, &effects) }
    }

    /// 30 to 290 seconds; call it before `setup`. Links that open from now on say that often that the app lives. Without it
    /// the app answers the service, which asks every 30 seconds, and that it does in any case.
    public class func setHeartBeatTimeInterval(_ interval: Int) {
        guard 30...290 ~= interval else {
            return client.complain("a heartbeat comes every 30 to 290 seconds, not every \(interval)")
        }
        client.update { state, _ in state.heartbeat = .seconds(interval) }
    }

    // MARK: The log

    /// Says all that there is to say.
    public class func setDebugMode() { client.log.set(.debug) }

    /// Says warnings and errors only.
    public class func setLogOFF() { client.log.set(.warning) }

    /// Posthorn collects no crashes.
    public class func crashLogON() {}

    // MARK: What Posthorn has not

    /// Nothing of it is read from the device.
    public class func setCollectControl(_ control: JPushCollectControl!) {}
    /// The service pushes when it is told to.
    public class func setSmartPushEnable(_ isEnable: Bool) {}
    /// Posthorn collects nothing.
    public class func setDataInsightsEnable(_ isEnable: Bool) {}

    // MARK: Permission

    /// Tells what the person allows; asks nobody.
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
