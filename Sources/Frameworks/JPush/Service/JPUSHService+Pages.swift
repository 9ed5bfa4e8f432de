import Foundation

// Pages say where an in-app message may be shown. Posthorn's service sends none, so they change nothing.

extension JPUSHService {
    public class func pageEnter(to pageName: String!) {}
    public class func pageLeave(_ pageName: String!) {}

    /// - Parameter delegate: held weakly.
    public class func setInAppMessageDelegate(_ delegate: (any JPUSHInAppMessageDelegate)!) {
        client.delegates.inApp = delegate
    }

    /// - Parameter delegate: held weakly.
    public class func setNotiInMessageDelegate(_ delegate: (any JPUSHNotiInMessageDelegate)!) {
        client.delegates.notiInApp = delegate
    }

    // MARK: Page statistics, dead since core 1.1.8

    public class func startLogPageView(_ pageName: String!) {}
    public class func stopLogPageView(_ pageName: String!) {}
    public class func beginLogPageView(_ pageName: String!, duration seconds: Int32) {}
}
