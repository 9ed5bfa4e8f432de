import DeviceLink
import Foundation
import PushModel

/// A fact that the gateway must know again after a restart or a crash.
enum MailRecord: Hashable, Sendable {
    /// A new token. All other records refer to it by its index.
    struct Token: Hashable, Sendable {
        var token: DeviceToken
        var topic: String
        var environment: APNSEnvironment
        /// The device id; nil for a token without a device.
        var device: String?
    }

    /// The end of a token.
    struct Death: Hashable, Sendable {
        var date: Date
        /// Whether it died of old age, and not with its app.
        var hasExpired: Bool
    }

    /// The complete state of one token, for a checkpoint.
    struct Whole: Hashable, Sendable {
        var token: Token
        var death: Death?
        var mail: [Mailbox.Kept] = []
        /// The apns-ids by which a repeated push is recognised, oldest first.
        var recent: [APNSID] = []
    }

    /// A device's subscription to a channel.
    struct Subscription: Hashable, Sendable {
        var device: String
        var channel: CourierChannel
        /// The number of the newest channel message when it began.
        var since: UInt32
        /// The number of the newest stored message that the device has acknowledged; 0 if there is none.
        var through: UInt32
    }

    case token(index: Int, Token)
    case death(index: Int, Death)
    /// A push was taken in. `isRemembered`: its apns-id is the provider's and identifies a repeat.
    case stored(index: Int, Mailbox.Kept, isRemembered: Bool)
    /// A push no longer waits: it arrived, was coalesced, or has expired.
    case gone(index: Int, APNSID)
    /// Replaces everything recorded about this token before.
    case whole(index: Int, Whole)
    case channel(CourierChannel, ChannelStorage)
    case channelGone(CourierChannel)
    /// The device with this id has the key with this digest.
    case device(String, keyDigest: [UInt8])
    /// A channel stores this message for devices that connect later.
    case broadcast(CourierChannel, Broadcast)
    /// A device has subscribed to a channel. Later records refer to the subscription by its index.
    case subscribed(index: Int, Subscription)
    case unsubscribed(index: Int)
    /// The device of a subscription has acknowledged the stored message with this number.
    case heard(index: Int, number: UInt32)
    /// Replaces everything recorded about channels before, but not their subscriptions.
    case noChannels
}
