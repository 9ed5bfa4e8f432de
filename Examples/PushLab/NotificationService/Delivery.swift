import Foundation
import UserNotifications

/// Delivers a push once, with the content available at that time.
///
/// The work and the system's timeout warning meet here, each on its own thread.
final class Delivery: Sendable {
    private let lock = NSLock()
    // Read and written under the lock.
    nonisolated(unsafe) private var content: UNMutableNotificationContent
    nonisolated(unsafe) private var handler: ((UNNotificationContent) -> Void)?

    init(_ content: UNMutableNotificationContent, _ handler: @escaping (UNNotificationContent) -> Void) {
        self.content = content
        self.handler = handler
    }

    func attach(_ file: MediaFile) {
        lock.withLock {
            guard handler != nil else { return file.discard() }
            content.attachments.append(file.attachment)
        }
    }

    func finish() {
        let (handler, content) = lock.withLock {
            defer { self.handler = nil }
            return (self.handler, self.content)
        }
        handler?(content)
    }
}
