import DeviceLink
import Foundation
import PushModel

/// One thing that the gateway must know again after it has ended, however it has.
enum MailRecord: Hashable, Sendable {
    /// A token as it was made. Its place is the number by which all other records name it.
    struct Token: Hashable, Sendable {
        var token: DeviceToken
        var topic: String
        var environment: APNSEnvironment
        /// Nil for a token that belongs to no device.
        var device: String?
    }

    /// The end of a token.
    struct Death: Hashable, Sendable {
        var date: Date
        /// Of old age, and not with its app.
        var hasExpired: Bool
    }

    /// Everything about one token, as a checkpoint has it.
    struct Whole: Hashable, Sendable {
        var token: Token
        var death: Death?
        var mail: [Mailbox.Kept] = []
        /// The apns-ids by which a push that is sent again is recognised, oldest first.
        var recent: [PushID] = []
    }

    case token(place: Int, Token)
    case death(place: Int, Death)
    /// A push was taken in. `isRemembered`: its apns-id is the provider's and tells a repeat.
    case stored(place: Int, Mailbox.Kept, isRemembered: Bool)
    /// A push waits no more: it arrived, was coalesced, or is over.
    case gone(place: Int, PushID)
    /// In the place of all that was said of this token before.
    case whole(place: Int, Whole)
    case channel(ChannelRegistry.App, id: String, ChannelStorage)
    case channelGone(ChannelRegistry.App, id: String)
    /// The device with this id has the key with this digest.
    case device(String, keyDigest: [UInt8])
    /// A channel keeps this message for those who come later.
    case broadcast(ChannelRegistry.App, channel: String, Broadcast)
    /// In the place of all that was said of channels before.
    case noChannels
}
