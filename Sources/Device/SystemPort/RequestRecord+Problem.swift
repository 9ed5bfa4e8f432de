package import Foundation
import PushClock

extension RequestRecord {
    /// Returns why no system schedules the request, whatever the user's settings; nil if one does.
    package func problem(at date: Date, in zone: TimeZone) -> SystemError? {
        // The frameworks check it too, but a port may be used without them.
        if case .timeInterval(let interval, let repeats) = trigger {
            do { _ = try RepeatingInterval(seconds: interval, repeats: repeats) } catch {
                return .notifications(1400, error.description)
            }
        }
        // Before iOS 10 a notification could be for the app alone.
        if content.legacy != nil { return nil }
        guard content.hasText || content.sound != nil || content.badge != nil || !content.attachments.isEmpty else {
            return .notifications(1401, "The notification should have user-facing content but has none")
        }
        if let trigger, case .calendar = trigger, TriggerDates.next(of: trigger, after: date, in: zone) == nil {
            return .notifications(1400, "The notification should have a date but has none")
        }
        return nil
    }
}

extension SystemError {
    /// Returns an error of `UNErrorDomain`.
    package static func notifications(_ code: Int, _ text: String) -> SystemError {
        SystemError(domain: "UNErrorDomain", code: code, text: text)
    }

    /// The refusal of a request without permission.
    package static let notificationsNotAllowed = notifications(1, "Notifications are not allowed for this application")
}
