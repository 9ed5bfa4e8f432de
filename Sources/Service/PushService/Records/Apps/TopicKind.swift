package import PushModel

/// The kind of an app's topics at APNs. Each can need a credential of its own, and is paused by itself.
///
/// The raw value is part of a lane's number in the store.
package enum TopicKind: Int, Hashable, Sendable, CaseIterable {
    /// The bundle id itself: alerts and background pushes.
    case notification = 0
    /// Calls over PushKit.
    case voip = 1
    case liveActivity = 2

    /// The name in answers.
    package var name: String {
        switch self {
        case .notification: "notification"
        case .voip: "voip"
        case .liveActivity: "live_activity"
        }
    }

    /// The value of `apns-push-type` for a push that shows something.
    package var pushType: APNSPushType {
        switch self {
        case .notification: .alert
        case .voip: .voip
        case .liveActivity: .liveactivity
        }
    }

    /// Returns the topic of an app, the value of `apns-topic`.
    package func topic(of bundleID: String) -> String { pushType.topic(of: bundleID) }
}

extension TopicKind {
    /// The topic of a push.
    init(of request: PushRequest) {
        switch request.channelKey?.channel {
        case nil: self = .notification
        case .voip: self = .voip
        case .activity, .activityStart: self = .liveActivity
        }
    }
}
