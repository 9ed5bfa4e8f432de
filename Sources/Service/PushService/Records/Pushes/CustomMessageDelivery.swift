import PushModel

/// The content at one position of the custom message log: one message, or the messages of a batch.
struct CustomMessageDelivery: Sendable {
    /// A message to one device.
    struct Direct: Sendable {
        var device: DeviceOrdinal
        var message: MessageID
        var content: CustomMessage
    }

    enum Content: Sendable {
        /// One message and its audience, as ascending lists.
        case same(CustomMessage, [OrdinalList])
        /// Messages to different devices.
        case each([Direct])
        /// The in-app message of a push and its audience. Each device may get another one, or none.
        ///
        /// Indirect, because a request is large, and values with a content are copied at each accept.
        indirect case inApp(PushRequest, [OrdinalList])

        /// Makes the content of a push to the devices in its chunks for SDK links; nil if it has none.
        init?(_ request: PushRequest, of message: MessageID, in chunks: [Chunk]) {
            self.init(request, of: message, to: chunks.filter(\.kind.isForLinks).map(\.ordinals))
        }

        /// Makes the content of a push to an audience; nil if it has none.
        init?(_ request: PushRequest, of message: MessageID, to audience: [OrdinalList]) {
            guard let content = request.linkMessage else { return nil }
            if content.isInApp {
                self = .inApp(request, audience)
            } else {
                self.init(content, of: message, to: audience)
            }
        }

        /// Makes the content of a message that is the same for an audience.
        init(_ content: CustomMessage, of message: MessageID, to audience: [OrdinalList]) {
            if audience.count == 1, audience[0].ordinals.count == 1 {
                self = .each([Direct(device: audience[0].ordinals[0], message: message, content: content)])
            } else {
                self = .same(content, audience)
            }
        }
    }

    var position: Int64
    var app: App.ID
    /// The id under which the log stores it.
    var logged: MessageID
    var content: Content

    /// The push whose in-app message it is, and its audience.
    var inApp: (PushRequest, [OrdinalList])? {
        if case .inApp(let request, let audience) = content { (request, audience) } else { nil }
    }

    /// The memory it takes, in units of one direct message; an audience list takes four bytes per device.
    var weight: Int {
        switch content {
        case .each(let messages): messages.count
        case .same(_, let lists), .inApp(_, let lists): 1 + lists.reduce(0) { $0 + $1.ordinals.count } / 32
        }
    }
}
