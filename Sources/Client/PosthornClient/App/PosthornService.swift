#if canImport(Darwin) && !os(tvOS)

import Foundation
import UserNotifications

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The work of a notification service extension.
///
/// ```swift
/// final class NotificationService: UNNotificationServiceExtension {
///     override func didReceive(_ request: UNNotificationRequest, withContentHandler handler: @escaping (UNNotificationContent) -> Void) {
///         PosthornService.deliver(request, handler)
///     }
/// }
/// ```
///
/// The extension's Info.plist has the same `PosthornService`, `PosthornAppKey` and `PosthornAppGroup` as the app's.
public enum PosthornService {
    /// The seconds after which a push is shown as it is; the system waits for about 30.
    private static let limit = 25.0

    /// Reports that the push has arrived, sets the number on the icon that it asks for under `badge`, fetches the picture, sound or video that
    /// it names under `image`, `audio` or `video`, and calls the handler once, within 25 seconds.
    public static func deliver(_ request: UNNotificationRequest, _ handler: @escaping (UNNotificationContent) -> Void) {
        let payload = request.content.userInfo
        let shown = Guarded((request.content, handler))
        let change: @Sendable (@Sendable (UNMutableNotificationContent) -> Void) -> Void = { body in
            shown.with { shown in
                guard let content = shown.0.mutableCopy() as? UNMutableNotificationContent else { return }
                body(content)
                shown.0 = content
            }
        }
        let configuration = Self.configuration
        let badge = configuration.flatMap { PushBadge(store: $0.store).next(payload) }
        if let badge { change { $0.badge = NSNumber(value: badge) } }
        let gathering = Gathering(of: 2) {
            let (content, handler) = shown.with { $0 }
            handler(content)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit) { gathering.ends(2) }
        if let configuration, let id = PosthornClient.messageID(in: payload) {
            ReceiptReporter(configuration).report(.received, of: id, within: limit) { _ in gathering.ends() }
        } else {
            gathering.ends()
        }
        guard let media = PushMedia(payload) else { return gathering.ends() }
        fetch(media) { file in
            change { content in
                guard let file,
                    let attachment = try? UNNotificationAttachment(identifier: media.kind.rawValue, url: file)
                else { return }
                content.attachments.append(attachment)
            }
            gathering.ends()
        }
    }

    /// The settings of the app; nil if they cannot be used.
    private static var configuration: PosthornConfiguration? {
        do {
            var configuration = try PosthornConfiguration.app()
            configuration.log = SystemActivity.write
            return configuration
        } catch {
            SystemActivity.write("The push is not reported: \(error)")
            return nil
        }
    }

    /// Fetches a file, under a name by which the system knows its type; nil if there is none, or it is too large.
    private static func fetch(_ media: PushMedia, _ completion: @escaping @Sendable (URL?) -> Void) {
        let task = URLSession.shared.downloadTask(with: media.url) { place, response, _ in
            guard let place, (response as? HTTPURLResponse)?.statusCode == 200,
                let ending = media.ending(of: response?.mimeType),
                let size = try? place.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= media.limit
            else { return completion(nil) }
            let file = place.appendingPathExtension(ending)
            completion((try? FileManager.default.moveItem(at: place, to: file)).map { file })
        }
        task.resume()
    }
}

#endif
