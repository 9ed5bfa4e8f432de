package import Foundation

/// What is kept for the SDK link beside the devices themselves.
package protocol LinkStore: Sendable {
    /// Keeps a token in the place of the one before of its channel and name. Of Live Activities those noted last stay, `limit`
    /// a channel.
    func setChannelToken(_ token: ChannelToken, of device: DeviceID, limit: Int, at date: Date) async throws
    func removeChannelToken(_ channel: ChannelToken.Channel, name: String, of device: DeviceID) async throws
    /// In the order of channel and name.
    func channelTokens(of device: DeviceID) async throws -> [ChannelToken]
}
