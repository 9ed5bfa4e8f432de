public import Foundation

/// The person who wrote the message of a communication notification, and the conversation.
///
/// Source: Apple, "Implementing communication notifications": such a notification "features prominent avatars and group names".
public struct MessageSenderRecord: Hashable, Sendable, Codable {
    /// The name that stands in the place of the title.
    public var name: String
    /// The name of the group, in the place of the subtitle; nil for a conversation of two.
    public var group: String?
    /// The app's identifier of the conversation; nil for none.
    public var conversation: String?
    /// The picture, as its file has it: the group's if it has one, else the person's; nil for none.
    public var picture: Data?

    /// A person with a name.
    public init(name: String) { self.name = name }
}
