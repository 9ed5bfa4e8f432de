import Foundation
import SystemPort
import UserNotifications

extension JPushNotificationTrigger {
    /// The problem with a trigger that would raise an exception in the notification centre, or never fire.
    struct Refusal: Error {
        var reason: String
    }

    /// Returns the condition that counts, as the notification centre takes it; nil delivers at once.
    ///
    /// - Throws: the problem with it.
    func systemTrigger() throws(Refusal) -> UNNotificationTrigger? {
        if let region { return UNLocationNotificationTrigger(region: region, repeats: self.repeat) }
        if let dateComponents {
            return UNCalendarNotificationTrigger(dateMatching: dateComponents, repeats: self.repeat)
        }
        if timeInterval == 0 { return nil }
        guard timeInterval > 0 else { throw Refusal(reason: "the interval \(timeInterval) is not above 0") }
        guard !self.repeat || timeInterval >= 60 else {
            throw Refusal(reason: "a repeating interval is at least 60 seconds, not \(timeInterval)")
        }
        return UNTimeIntervalNotificationTrigger(timeInterval: timeInterval, repeats: self.repeat)
    }
}
