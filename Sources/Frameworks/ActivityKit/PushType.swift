/// The way in which pushes change a Live Activity.
@available(iOS 16.1, *)
public struct PushType: Hashable, Sendable {
    let channelID: String?

    /// Pushes to a token of the activity's own.
    public static let token = PushType(channelID: nil)

    /// Messages of a broadcast channel.
    ///
    /// - Parameter channelID: the id of the channel, as APNs issued it.
    /// - Returns: the push type.
    @available(iOS 18.0, *)
    public static func channel(_ channelID: String) -> PushType { PushType(channelID: channelID) }
}
