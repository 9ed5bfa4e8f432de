import Foundation
import UserNotifications

/// The app's service extension: attaches the picture of a note, and names its author.
public final class PictureService: UNNotificationServiceExtension {
    public override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        if let author = content.userInfo["author"] as? String { content.title = "\(author) wrote" }
        if let base64 = content.userInfo["picture"] as? String, let data = Data(base64Encoded: base64) {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
            if (try? data.write(to: file)) != nil,
                let picture = try? UNNotificationAttachment(identifier: "picture", url: file)
            {
                content.attachments = [picture]
            }
        }
        contentHandler(content)
    }
}
