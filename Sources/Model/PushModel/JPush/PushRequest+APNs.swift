package import Foundation

// The push that the service sends to APNs for a request, for `posthorn explain` too.

extension APNSHeaders {
    /// The headers of a push to an app, but the expiration, which depends on the time of the request.
    package init(_ request: PushRequest, bundleID: String) {
        let type: APNSPushType =
            if request.liveActivity != nil {
                .liveactivity
            } else if request.isVoIPAlone {
                .voip
            } else {
                request.notification.isSilent ? .background : .alert
            }
        self.init(
            topic: type.topic(of: bundleID),
            pushType: type,
            priority: type == .background || request.liveActivity?.priority == 5 ? 5 : 10,
            collapseID: request.options.collapseID
        )
    }
}

extension PayloadTemplate {
    /// The payload of a request that is accepted at `date`, with the plain alert.
    package init(_ request: PushRequest, messageID: MessageID, at date: Date, takingBack other: MessageID? = nil) {
        if let live = request.liveActivity {
            self.init(aps: live.aps(at: Int64(date.timeIntervalSince1970)))
        } else if let voip = request.voip, request.isVoIPAlone {
            self.init(unchanged: voip)
        } else {
            self.init(request.notification, messageID: messageID, takingBack: other)
        }
    }
}
