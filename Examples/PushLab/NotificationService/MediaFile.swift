import Foundation
import UserNotifications

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// On an iPhone the files of Network are the extension's own.
#if canImport(PushLabNetwork)
import PushLabNetwork
#endif

/// A picture, sound or video fetched for a push.
struct MediaFile: Sendable {
    /// The reason there is no file.
    enum Problem: Error, Hashable {
        case noURL(String)
        case status(Int)
        /// The server's media type is not one of the kind.
        case wrongType(String)
    }

    let attachment: UNNotificationAttachment

    /// Fetches the file into one of its own.
    ///
    /// - Throws: ``Problem``, ``BoundedFetch/TooLarge``, and errors of `fetch` and the system.
    init(_ kind: MediaKind, of text: String, fetch: BoundedFetch.Function) async throws {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw Problem.noURL(text)
        }
        let (data, response) = try await fetch(URLRequest(url: url), kind.limit)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Problem.status(status) }
        let type = response.mimeType?.lowercased() ?? ""
        guard let ending = kind.extensions[type] else { throw Problem.wrongType(type) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(ending)")
        try data.write(to: file, options: .atomic)
        do {
            attachment = try UNNotificationAttachment(identifier: kind.rawValue, url: file)
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw error
        }
    }

    /// Deletes the file after a push was shown without it: the system has not moved it.
    func discard() { try? FileManager.default.removeItem(at: attachment.url) }
}
