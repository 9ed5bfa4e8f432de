import UIKit
import UserNotifications

// The options of an attachment.
enum ThumbnailOptions {
    /// A picture whose name has no extension, such as a download: the hint says what it is.
    static func picture(at url: URL) throws -> UNNotificationAttachment {
        let options: [AnyHashable: Any] = [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
        return try UNNotificationAttachment(identifier: "picture", url: url, options: options)
    }

    /// Only in the expanded notification.
    static func hidden(at url: URL) throws -> UNNotificationAttachment {
        let options: [AnyHashable: Any] = [UNNotificationAttachmentOptionsThumbnailHiddenKey: true]
        return try UNNotificationAttachment(identifier: "hidden", url: url, options: options)
    }

    /// The lower right quarter of the picture.
    static func corner(of url: URL) throws -> UNNotificationAttachment {
        let part = CGRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
        let options: [AnyHashable: Any] = [
            UNNotificationAttachmentOptionsThumbnailClippingRectKey: part.dictionaryRepresentation
        ]
        return try UNNotificationAttachment(identifier: "corner", url: url, options: options)
    }

    /// The film as it is after two seconds.
    static func moment(of url: URL) throws -> UNNotificationAttachment {
        let options: [AnyHashable: Any] = [UNNotificationAttachmentOptionsThumbnailTimeKey: 2]
        return try UNNotificationAttachment(identifier: "film", url: url, options: options)
    }
}
