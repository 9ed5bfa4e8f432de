#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

extension JPUSHService {
    /// Lets the SDK fetch custom messages in the background too, while the app runs there.
    public class func setBackgroundEnable(_ isEnable: Bool) { client.stayInBackground(isEnable) }

    /// No effect: there is no connection of the SDK's own to keep.
    public class func setHeartBeatTimeInterval(_ timeInterval: Int) {}

    /// Logs everything.
    public class func setDebugMode() { client.setLog(isQuiet: false) }

    /// Logs errors only.
    public class func setLogOFF() { client.setLog(isQuiet: true) }

    // MARK: In-app messages, which this layer does not show

    /// No effect: this layer shows no in-app messages.
    public class func pageEnter(to pageName: String!) {}

    /// No effect: this layer shows no in-app messages.
    public class func pageLeave(_ pageName: String!) {}

    /// No effect: this layer shows no in-app messages.
    public class func setInAppMessageDelegate(_ delegate: (any JPUSHInAppMessageDelegate)!) {}

    /// No effect: this layer shows no banners of its own.
    public class func setNotiInMessageDelegate(_ delegate: (any JPUSHNotiInMessageDelegate)!) {}
}

#endif
