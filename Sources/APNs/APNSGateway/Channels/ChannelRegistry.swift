import DeviceLink
package import Foundation
package import PushModel

/// The storage policy of a channel for devices that connect later. The policy of a channel never changes.
package enum ChannelStorage: Int64, Hashable, Sendable {
    case nothing = 0
    /// The newest message, for eight hours at most.
    case newest = 1
}

/// A message to all that listen to a channel.
package struct Broadcast: Hashable, Sendable {
    /// The value of `apns-request-id`, or a generated id.
    package var id: APNSID
    /// The bytes that the provider sent.
    package var payload: [UInt8]
    /// The priority: 10, 5 or 1.
    package var priority: Int
    /// The date until which it is kept.
    package var expiration: Date
    /// Its place among all channel messages; 0 for one that an older version has stored.
    var number: UInt32 = 0

    /// The push that the gateway sends to the subscribed devices; a stored one says until when a device may act on it.
    func courierPush(_ channel: CourierChannel, isStored: Bool) -> CourierPush {
        CourierPush(
            apnsID: id.text,
            topic: channel.topic,
            environment: channel.environment,
            pushType: .liveactivity,
            priority: priority,
            collapseID: nil,
            payload: payload,
            channel: channel.id,
            expiration: isStored ? .at(expiration) : nil
        )
    }
}

/// The broadcast channels of all apps as a state machine. Time arrives as a value.
///
/// Source: Apple, "Sending channel management requests to APNs" and "Sending broadcast push notification requests to APNs",
/// read October 2026.
struct ChannelRegistry: Sendable {
    /// An app in one environment. Channels are not shared between environments.
    struct App: Hashable, Sendable {
        var bundleID: String
        var environment: APNSEnvironment

        func channel(_ id: String) -> CourierChannel {
            CourierChannel(topic: bundleID, environment: environment, id: id)
        }
    }

    enum Effect: Hashable, Sendable {
        case stored(APNSID)
        case coalesced(APNSID, by: APNSID)
        case expired(APNSID)
        /// Its channel was deleted.
        case deleted(APNSID)
    }

    private struct Channel {
        var storage: ChannelStorage
        var kept: Broadcast?
    }

    /// The largest number of channels of an app.
    static let limit = 10_000
    /// The longest time that a message is stored.
    static let longestStorage: TimeInterval = 8 * 3600

    private let limit: Int
    private var channels: [CourierChannel: Channel] = [:]
    /// The channels of each app in order of creation.
    private var order: [App: [CourierChannel]] = [:]

    init(limit: Int = ChannelRegistry.limit) { self.limit = limit }

    /// - Returns: false if the app has reached its limit of channels.
    mutating func create(_ channel: CourierChannel, _ storage: ChannelStorage) -> Bool {
        guard order[channel.app, default: []].count < limit else { return false }
        channels[channel] = Channel(storage: storage)
        order[channel.app, default: []].append(channel)
        return true
    }

    func storage(of channel: CourierChannel) -> ChannelStorage? { channels[channel]?.storage }

    /// The ids of an app's channels.
    func list(of app: App) -> [String] { order[app, default: []].map(\.id) }

    func storedBroadcast(in channel: CourierChannel, at now: Date) -> Broadcast? {
        channels[channel]?.kept.flatMap { $0.expiration > now ? $0 : nil }
    }

    /// Deletes a channel and its stored message. Apple says that stored messages may still arrive; here they do not, our
    /// choice.
    ///
    /// - Returns: nil if there is no such channel.
    mutating func delete(_ channel: CourierChannel) -> [Effect]? {
        guard let old = channels.removeValue(forKey: channel) else { return nil }
        order[channel.app]?.removeAll { $0 == channel }
        return old.kept.map { [.deleted($0.id)] } ?? []
    }

    /// Stores a message by the channel's policy. A message that is not stored ends at once if no subscribed device is linked.
    ///
    /// - Returns: nil if there is no such channel.
    mutating func publish(
        _ message: Broadcast,
        to place: CourierChannel,
        isHeard: Bool = false,
        at now: Date
    ) -> [Effect]? {
        guard let channel = channels[place] else { return nil }
        guard channel.storage == .newest, message.expiration > now else { return isHeard ? [] : [.expired(message.id)] }
        var message = message
        message.expiration = min(message.expiration, now.addingTimeInterval(Self.longestStorage))
        channels[place]?.kept = message
        return [channel.kept.map { .coalesced($0.id, by: message.id) }, .stored(message.id)].compactMap(\.self)
    }

    // MARK: - On disk

    /// The stored messages of all channels.
    var storedBroadcasts: [(channel: CourierChannel, message: Broadcast)] {
        channels.compactMap { channel, state in state.kept.map { (channel, $0) } }
    }

    /// Restores the stored message of a channel.
    mutating func restore(_ message: Broadcast, to channel: CourierChannel) { channels[channel]?.kept = message }

    /// The records that describe all channels.
    var records: [MailRecord] {
        order.values.joined().flatMap { channel -> [MailRecord] in
            guard let state = channels[channel] else { return [] }
            return [.channel(channel, state.storage)] + (state.kept.map { [.broadcast(channel, $0)] } ?? [])
        }
    }

    // MARK: - Time

    /// Drops expired messages.
    mutating func expire(at now: Date) -> [Effect] {
        var effects: [Effect] = []
        for channel in order.values.joined() {
            guard let kept = channels[channel]?.kept, kept.expiration <= now else { continue }
            channels[channel]?.kept = nil
            effects.append(.expired(kept.id))
        }
        return effects
    }

    /// The date when ``expire(at:)`` next has something to do.
    var nextExpiration: Date? { channels.values.lazy.compactMap(\.kept?.expiration).min() }
}

extension CourierChannel {
    /// The app that owns the channel.
    var app: ChannelRegistry.App { ChannelRegistry.App(bundleID: topic, environment: environment) }
}
