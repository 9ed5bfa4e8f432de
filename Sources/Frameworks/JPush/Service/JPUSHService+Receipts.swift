import DeviceLink
import Foundation

extension JPUSHService {
    /// Reports that the app has a push, or that the person has opened it: what came before the person touched its
    /// notification is received, what comes after is opened.
    ///
    /// Once for each push and event, however many callbacks carry it. A payload without `_j_msgid` is not the service's.
    public class func handleRemoteNotification(_ remoteInfo: [AnyHashable: Any]!) {
        guard let remoteInfo, let id = PayloadMessageID.read(remoteInfo) else { return }
        client.report(id, client.isOpened(id) ? .opened : .received)
    }

    /// Reports that the app has a VoIP push.
    public class func handleVoipNotification(_ remoteInfo: [AnyHashable: Any]!) {
        guard let remoteInfo, let id = PayloadMessageID.read(remoteInfo) else { return }
        client.report(id, .received)
    }
}
