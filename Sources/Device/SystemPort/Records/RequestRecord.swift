import PushModel

/// A notification request, as sent over the port.
public struct RequestRecord: Hashable, Sendable, Codable {
    /// The identifier that the app chose.
    public var identifier: String
    /// The content of the notification.
    public var content: ContentRecord
    /// The trigger; nil delivers at once.
    public var trigger: TriggerRecord?

    /// Creates a request.
    public init(identifier: String, content: ContentRecord, trigger: TriggerRecord?) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}
