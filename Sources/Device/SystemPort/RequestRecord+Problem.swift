package import Foundation
import PushClock

extension RequestRecord {
    /// Returns why no system schedules the request, whatever the user's settings; nil if one does.
    package func problem(at date: Date, in zone: TimeZone) -> SystemError? {
        // The frameworks check it too, but a port may be used without them.
        if case .timeInterval(let interval, let repeats) = trigger {
            do { _ = try RepeatingInterval(seconds: interval, repeats: repeats) } catch {
                return .notifications(.invalidNoDate, error.description)
            }
        }
        // Before iOS 10 a notification could be for the app alone.
        if content.legacy != nil { return nil }
        guard content.hasText || content.sound != nil || content.badge != nil || !content.attachments.isEmpty else {
            return .notifications(.invalidNoContent, "The notification should have user-facing content but has none")
        }
        if let trigger, case .calendar = trigger, TriggerDates.next(of: trigger, after: date, in: zone) == nil {
            return .notifications(.invalidNoDate, "The notification should have a date but has none")
        }
        return nil
    }
}

extension SystemError {
    /// The codes of `UNError` that a device gives.
    package enum NotificationCode: Int {
        case notificationsNotAllowed = 1
        case attachmentInvalidURL = 100
        case attachmentNotInDataStore = 103
        case attachmentMoveIntoDataStoreFailed = 104
        case attachmentCorrupt = 105
        case invalidNoDate = 1400
        case invalidNoContent = 1401
        case badgeInputInvalid = 1600
    }

    /// Returns an error of `UNErrorDomain`.
    package static func notifications(_ code: NotificationCode, _ text: String) -> SystemError {
        SystemError(domain: "UNErrorDomain", code: code.rawValue, text: text)
    }

    /// The refusal of a request without permission.
    package static let notificationsNotAllowed = notifications(
        .notificationsNotAllowed,
        "Notifications are not allowed for this application"
    )
}
