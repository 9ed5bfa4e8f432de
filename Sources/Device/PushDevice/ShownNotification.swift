public import Foundation
public import PushModel
public import SystemPort

/// A notification that the user sees and can act on.
public struct ShownNotification: Hashable, Sendable {
    /// The bundle id of the app.
    public var bundleID: String
    /// The name of the app, as the notification shows it.
    public var appName: String
    /// The subject of its journey.
    public var subject: JourneySubject
    /// The notification with its whole content.
    public var notification: NotificationRecord
    /// The text that replaces the body while previews are hidden.
    var placeholder: String?
    var hidesTitle = false
    var hidesSubtitle = false

    /// The id used by user actions: the apns-id of a push; app and request of a local notification.
    public var id: String { subject.id }
    /// The apns-id of the push; nil for a local notification.
    public var apnsID: String? { if case .push(let apnsID) = subject { apnsID } else { nil } }

    /// The title as it is shown: of a communication notification the sender's name; empty while previews are hidden.
    public var title: String { hidesTitle ? "" : notification.content.sender?.name ?? notification.content.title }
    /// The subtitle as it is shown: of a communication notification in a group the group's name; empty while previews are hidden.
    public var subtitle: String {
        hidesSubtitle ? "" : notification.content.sender?.group ?? notification.content.subtitle
    }
    /// The picture of the sender or the group, as its file has it; nil for none, and while the title is hidden.
    public var picture: Data? { hidesTitle ? nil : notification.content.sender?.picture }
    /// The body as displayed: `%%` becomes `%`.
    public var body: String { placeholder ?? notification.content.body.replacing("%%", with: "%") }
    /// The attachments, in their order; none while previews are hidden.
    public var attachments: [AttachmentRecord] { placeholder == nil ? notification.content.attachments : [] }
    /// The thumbnail of the first attachment that provides one; nil while previews are hidden.
    public var thumbnail: Thumbnail? { attachments.lazy.compactMap(Thumbnail.init).first }
}
