import Foundation

extension JPUSHService {
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
}
