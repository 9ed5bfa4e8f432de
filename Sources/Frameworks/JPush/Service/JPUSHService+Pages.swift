import Foundation

// In-app messages: notifications of pushes with `inapp_message`, shown by the SDK while the user has disabled
// notifications.

extension JPUSHService {
    /// Enters a page: in-app messages are shown from now on, including those that arrived before.
    public class func pageEnter(to pageName: String!) { client.enter(page: pageName ?? "") }

    /// Leaves a page: unless another one was entered, the visible message disappears, and the next waits for a page.
    public class func pageLeave(_ pageName: String!) { client.leave(page: pageName ?? "") }

    /// Sets a delegate for in-app messages, as `setNotiInMessageDelegate` does: called once each is shown, and when it
    /// is tapped.
    ///
    /// - Parameter delegate: held weakly.
    public class func setInAppMessageDelegate(_ delegate: (any JPUSHInAppMessageDelegate)!) {
        client.delegates.inApp = delegate
        client.review(delegate)
    }

    /// - Parameter delegate: held weakly.
    public class func setNotiInMessageDelegate(_ delegate: (any JPUSHNotiInMessageDelegate)!) {
        client.delegates.notiInApp = delegate
        client.review(delegate)
    }
}
