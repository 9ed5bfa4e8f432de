package import PushModel

/// The tokens that a push to Live Activities or a VoIP push is sent to.
package struct ChannelKey: Hashable, Sendable {
    package var channel: ChannelToken.Channel
    /// The app's id of the Live Activity, or the attributes type; empty for VoIP.
    package var name: String
}

/// A token of a device for an APNs channel other than notifications.
package struct ChannelToken: Hashable, Codable, Sendable {
    package enum Channel: String, Hashable, CaseIterable, Codable, Sendable {
        /// PushKit.
        case voip
        /// A running Live Activity.
        case activity
        /// The token for starting Live Activities of one attributes type by push.
        case activityStart
    }

    package var channel: Channel
    /// The app's id of the Live Activity, or the attributes type; empty for VoIP.
    package var name: String
    package var token: DeviceToken
    package var environment: APNSEnvironment

    package init(channel: Channel, name: String, token: DeviceToken, environment: APNSEnvironment) {
        self.channel = channel
        self.name = name
        self.token = token
        self.environment = environment
    }
}
