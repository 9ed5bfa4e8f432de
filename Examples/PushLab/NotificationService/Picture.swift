import Foundation
import UserNotifications

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// On an iPhone the files of Network are the extension's own.
#if canImport(PushLabNetwork)
import PushLabNetwork
#endif

/// A picture fetched for a push.
struct Picture: Sendable {
    /// The key in the payload.
    static let key = "image"
    /// The maximum size of a picture in a notification, in bytes. Source: Apple, `UNNotificationAttachment`.
    static let limit = 10_485_760

    /// The reason there is no picture.
    enum Problem: Error, Hashable {
        case noURL(String)
        case status(Int)
        case noPicture(type: String)
    }

    /// The path extensions by the server's media type.
    private static let extensions = ["image/png": "png", "image/jpeg": "jpg", "image/gif": "gif"]

    let attachment: UNNotificationAttachment

    /// Fetches the picture into a file of its own.
    ///
    /// - Throws: ``Problem``, ``BoundedFetch/TooLarge``, and errors of `fetch` and the system.
    init(of text: String, fetch: BoundedFetch.Function) async throws {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw Problem.noURL(text)
        }
        let (data, response) = try await fetch(URLRequest(url: url), Self.limit)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Problem.status(status) }
        let type = response.mimeType?.lowercased() ?? ""
        guard let ending = Self.extensions[type] else { throw Problem.noPicture(type: type) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(ending)")
        try data.write(to: file, options: .atomic)
        do {
            attachment = try UNNotificationAttachment(identifier: Self.key, url: file)
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw error
        }
    }

    /// Deletes the file after a push was shown without it: the system has not moved it.
    func discard() { try? FileManager.default.removeItem(at: attachment.url) }
}
