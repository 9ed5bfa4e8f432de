import Foundation
import UserNotifications

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Modifies a push with `mutable-content` before it is shown: decrypts a sealed body, and fetches a picture, a sound and
/// a video.
///
/// An app has one service extension; the payload determines what it does. `"sealed"` is the encrypted body
/// (``SealedBody``); `"image"`, `"audio"` and `"video"` are URLs of files. A push may have all of them.
public final class NotificationService: UNNotificationServiceExtension {
    /// The text shown instead of a body that cannot be decrypted.
    public static let placeholder = "A message that this phone cannot open"

    private var settings = ServiceSettings.main
    private var delivery: Delivery?
    private var download: Task<Void, Never>?

    /// Creates the extension with other settings than those of its Info.plist.
    public convenience init(settings: ServiceSettings) {
        self.init()
        self.settings = settings
    }

    public override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        if let sealed = content.userInfo[SealedBody.key] as? String { content.body = open(sealed) }
        let delivery = Delivery(content, contentHandler)
        self.delivery = delivery
        delivery.note()
        // A row of the callback matrix in which the extension does not answer before its time expires.
        guard request.content.userInfo[Delivery.calibrationKey] as? String != "slow" else { return }
        let files = MediaKind.allCases.compactMap { kind in
            (content.userInfo[kind.rawValue] as? String).map { (kind, $0) }
        }
        guard !files.isEmpty else { return delivery.finish() }
        // Not awaited: it ends with the delivery, or is cancelled when its time expires.
        download = Task { [settings] in
            for (kind, text) in files {
                do {
                    delivery.attach(try await MediaFile(kind, of: text, fetch: settings.fetch))
                } catch {
                    settings.log("The \(kind) of a push could not be fetched: \(error)")
                }
            }
            delivery.finish()
        }
    }

    /// Delivers the push with the content available so far.
    public override func serviceExtensionTimeWillExpire() {
        settings.log("The files of a push took too long.")
        download?.cancel()
        delivery?.note()
        delivery?.finish()
    }

    private func open(_ sealed: String) -> String {
        do {
            return try SealedBody(sealed).open(with: settings.bodyKey)
        } catch {
            settings.log("The body of a push cannot be decrypted: \(error)")
            return Self.placeholder
        }
    }
}
