import DeviceLink
import PushModel
import SystemPort

// The device's end of broadcast channels: the courier is subscribed to those of the ongoing Live Activities, over reconnects and
// restarts of the gateway. What a channel sends arrives with `receiveBroadcast(_:)`.

extension DeviceState {
    /// The broadcast channels that the ongoing activities of all apps listen to, each in the environment that its app was built for.
    private var wantedChannels: Set<CourierChannel> {
        var channels: Set<CourierChannel> = []
        for (bundleID, record) in apps {
            for activity in record.activities.list where activity.record.isOngoing {
                guard let id = activity.record.channel else { continue }
                channels.insert(CourierChannel(topic: bundleID, environment: record.app.environment, id: id))
            }
        }
        return channels
    }

    /// Subscribes to the channels that are new, and ends the subscriptions that no activity needs any more.
    mutating func channelsChanged() {
        let wanted = wantedChannels
        if wanted != courier.channels { perform(courier.setChannels(wanted)) }
    }

    /// Handles the end of a channel: it was deleted, or has never existed. The courier has ended the subscription.
    mutating func channelEnded(_ channel: CourierChannel) {
        emit(.changed("broadcast channel \(channel.id) does not exist"), app: channel.topic)
    }
}
