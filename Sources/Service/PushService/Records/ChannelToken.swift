package import PushModel

/// A token of a device for another channel of APNs than notifications.
package struct ChannelToken: Hashable, Sendable {
    package enum Channel: String, Hashable, Sendable {
        /// PushKit.
        case voip
        /// A Live Activity that runs.
        case activity
        /// With which a push starts Live Activities of one attributes type.
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
