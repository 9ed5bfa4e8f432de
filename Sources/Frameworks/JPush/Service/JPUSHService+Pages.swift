import Foundation

// In-app messages: notifications of pushes with `inapp_message`, shown by the SDK where the person has switched
// notifications off.

extension JPUSHService {
    /// In-app messages are shown from now on; those that came before wait for it.
    public class func pageEnter(to pageName: String!) { client.enter(page: pageName ?? "") }

    /// Where no other page was entered, what is shown goes, and the next waits for a page.
    public class func pageLeave(_ pageName: String!) { client.leave(page: pageName ?? "") }

    /// Hears of in-app messages, as `setNotiInMessageDelegate` does: once each is shown, and when it is tapped.
    ///
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
