import DeviceLink
import Foundation

extension JPUSHService {
    /// Reports that the app has received a push, or that the user has opened it: before the user acts on its
    /// notification it counts as received, afterwards as opened.
    ///
    /// Counted once for each push and event, however many callbacks carry it. A payload without `_j_msgid` is not from
    /// the service.
    public class func handleRemoteNotification(_ remoteInfo: [AnyHashable: Any]!) {
        guard let remoteInfo, let id = PayloadMessageID.read(remoteInfo) else { return }
        client.report(id, client.isOpened(id) ? .opened : .received)
    }

    /// Reports that the app has received a VoIP push.
    public class func handleVoipNotification(_ remoteInfo: [AnyHashable: Any]!) {
        guard let remoteInfo, let id = PayloadMessageID.read(remoteInfo) else { return }
        client.report(id, .received)
    }
}
