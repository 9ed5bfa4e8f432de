import Foundation
import UserNotifications

/// Delivers a push once, with the content available at that time.
///
/// The work and the system's timeout warning meet here, each on its own thread.
final class Delivery: Sendable {
    /// The key with which a push asks for the times at which the extension was called: the app records them.
    static let calibrationKey = "calibration"

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

    /// Adds the time of a call to the notification, if it asks for it.
    func note() {
        lock.withLock {
            guard let times = content.userInfo[Self.calibrationKey] else { return }
            let now = Date().timeIntervalSinceReferenceDate
            content.userInfo[Self.calibrationKey] = (times as? [Double] ?? []) + [now]
            // Without text a notification is not shown, and the app would not find it.
            if content.body.isEmpty { content.body = "The service extension ran." }
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
