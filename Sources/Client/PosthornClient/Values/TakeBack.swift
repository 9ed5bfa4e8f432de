/// The service's order to remove a push's notification: its sender has taken it back.
public struct TakeBack: Hashable, Sendable {
    /// The id of the order, which the receipt names.
    public let id: Int64
    /// `_j_msgid` of the notification to remove.
    public let messageID: Int64

    /// Reads an order of a frame or an answer.
    init?(_ members: [String: Any]) {
        guard let id = CustomMessage.integer(members["id"]),
            let messageID = CustomMessage.integer(members["message"] ?? members["msg_id"])
        else { return nil }
        self.id = id
        self.messageID = messageID
    }

    /// Reads the order of a silent push; nil for any other push.
    ///
    /// - Parameter userInfo: the push's payload.
    public init?(userInfo: [AnyHashable: Any]) {
        guard let other = userInfo["_j_undo"], let id = PosthornClient.messageID(in: userInfo),
            let messageID = PosthornClient.messageID(in: ["_j_msgid": other])
        else { return nil }
        self.id = id
        self.messageID = messageID
    }
}
