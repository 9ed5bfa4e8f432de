import DeviceLink
import PushModel

// The device's end of broadcast channels. A Live Activity's half has two joints: it calls ``DeviceState/subscribe(to:)`` with all
// channels of its activities whenever they change, and takes the message in ``DeviceState/receiveBroadcast(_:)``.

/// A Live Activity's subscription to a broadcast channel.
struct ChannelSubscription: Hashable, Sendable {
    /// The app of the activity.
    var bundleID: String
    /// The channel id of `PushType.channel(_:)`.
    var channel: String
}

extension DeviceState {
    /// Keeps the courier subscribed to exactly these channels, over reconnects and restarts of the gateway.
    ///
    /// - Parameter wanted: the channels of all activities; those of apps that are not installed are left out. A channel is one of
    ///   the environment that its app was built for.
    mutating func subscribe(to wanted: Set<ChannelSubscription>) {
        let channels = wanted.compactMap { wanted in
            apps[wanted.bundleID].map { record in
                CourierChannel(topic: wanted.bundleID, environment: record.app.environment, id: wanted.channel)
            }
        }
        perform(courier.setChannels(Set(channels)))
    }

    /// Ends the subscriptions of an app that is removed.
    mutating func endSubscriptions(of bundleID: String) {
        perform(courier.setChannels(courier.channels.filter { $0.topic != bundleID }))
    }

    /// Handles a channel message, which the courier delivers once.
    mutating func receiveBroadcast(_ push: CourierPush) {
        let subject = JourneySubject.push(apnsID: push.apnsID)
        guard let record = apps[push.topic] else { return report(.suppressed(.notInstalled), of: subject) }
        guard record.app.environment == push.environment else {
            return report(.suppressed(.environment), of: subject)
        }
        // The joint: an activity with this channel takes the message before this line.
        report(.suppressed(.noSubscribedActivity), of: subject)
    }

    /// Handles the end of a channel: it was deleted, or has never existed. The courier has ended the subscription.
    mutating func channelEnded(_ channel: CourierChannel) {
        emit(.changed("broadcast channel \(channel.id) does not exist"), app: channel.topic)
    }
}

extension Device {
    /// Keeps the device subscribed to exactly these channels of an app; those of other apps stay as they are.
    package func subscribe(_ bundleID: String, toChannels channels: Set<String>) {
        update { state in
            let others = state.courier.channels.filter { $0.topic != bundleID }
                .map { ChannelSubscription(bundleID: $0.topic, channel: $0.id) }
            let own = channels.map { ChannelSubscription(bundleID: bundleID, channel: $0) }
            state.subscribe(to: Set(others + own))
        }
    }
}
