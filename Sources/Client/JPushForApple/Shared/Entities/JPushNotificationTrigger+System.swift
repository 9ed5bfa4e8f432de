#if os(iOS) || os(Linux) && canImport(UIKit)

import CoreLocation
import Foundation
import UserNotifications

extension JPushNotificationTrigger {
    /// The problem with a trigger that would raise an exception in the notification centre, or never fire.
    struct Refusal: Error, CustomStringConvertible {
        var reason: String
        var description: String { reason }
    }

    /// Returns the condition that counts, as the notification centre takes it.
    ///
    /// Source for a trigger without a condition: jpush-flutter-plugin #27, jpush-react-native #422.
    ///
    /// - Returns: the trigger.
    /// - Throws: the ``Refusal``.
    func systemTrigger() throws -> UNNotificationTrigger {
        #if !targetEnvironment(macCatalyst)
        if let region { return UNLocationNotificationTrigger(region: region, repeats: self.repeat) }
        #endif
        if let dateComponents {
            return UNCalendarNotificationTrigger(dateMatching: dateComponents, repeats: self.repeat)
        }
        guard timeInterval != 0 else {
            throw Refusal(
                reason: """
                    its trigger has no condition; set timeInterval, dateComponents or region (fireDate counts before iOS 10 only), or \
                    leave the request's trigger nil to show it at once
                    """
            )
        }
        guard timeInterval > 0 else { throw Refusal(reason: "the interval \(timeInterval) is not above 0") }
        guard !self.repeat || timeInterval >= 60 else {
            throw Refusal(reason: "a repeating interval is at least 60 seconds, not \(timeInterval)")
        }
        return UNTimeIntervalNotificationTrigger(timeInterval: timeInterval, repeats: self.repeat)
    }
}

#endif
