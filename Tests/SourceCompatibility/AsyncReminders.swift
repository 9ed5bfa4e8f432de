import Foundation
import UserNotifications

// The async style of today.
struct AsyncReminders {
    var center = UNUserNotificationCenter.current()

    enum Failure: Error { case denied }

    func schedule(in seconds: TimeInterval, title: String, repeats: Bool = false) async throws -> String {
        guard try await center.requestAuthorization(options: [.alert, .sound]) else { throw Failure.denied }
        let content = UNMutableNotificationContent()
        content.title = title
        content.interruptionLevel = .timeSensitive
        content.relevanceScore = 0.8
        let id = UUID().uuidString
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats)
        try await center.add(UNNotificationRequest(identifier: id, content: content, trigger: trigger))
        return id
    }

    func nextDates() async -> [Date] {
        await center.pendingNotificationRequests().compactMap { request in
            switch request.trigger {
            case let trigger as UNCalendarNotificationTrigger: trigger.nextTriggerDate()
            case let trigger as UNTimeIntervalNotificationTrigger: trigger.nextTriggerDate()
            default: nil
            }
        }
    }

    func clear() async {
        center.removeAllPendingNotificationRequests()
        center.removeAllDeliveredNotifications()
        try? await center.setBadgeCount(0)
    }

    func describe(_ body: @Sendable () async throws -> Void) async -> String {
        do {
            try await body()
            return "ok"
        } catch UNError.notificationsNotAllowed {
            return "not allowed"
        } catch let error as UNError {
            return "code \(error.code.rawValue)"
        } catch {
            return "other"
        }
    }
}
