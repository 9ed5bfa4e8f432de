import Foundation
import UserNotifications

/// Receives what the user does with a reminder. The desktop starts the program for it if it does not run.
final class Answers: NSObject, UNUserNotificationCenterDelegate {
    private let (lines, handled) = AsyncStream.makeStream(of: String.self)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        let request = response.notification.request
        guard response.actionIdentifier == Reminders.snooze else {
            handled.yield("\(request.content.title): done")
            return
        }
        do {
            try await Reminders().snooze(request)
            handled.yield("\(request.content.title): again in \(Int(Reminders.snoozeTime / 60)) minutes")
        } catch {
            handled.yield("\(request.content.title): \(error.localizedDescription)")
        }
    }

    /// Waits for one answer.
    ///
    /// - Parameter seconds: the longest time to wait.
    /// - Returns: what was done; nil if nobody has answered.
    func next(within seconds: Double) async -> String? {
        let handled = handled
        let limit = Task {
            try await Task.sleep(for: .seconds(seconds))
            handled.finish()
        }
        defer { limit.cancel() }
        for await line in lines { return line }
        return nil
    }
}
