// Properties as imported from the header: `!` where an app may read and write either way.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if os(iOS) || os(Linux) && canImport(UIKit)

public import CoreLocation
public import Foundation
import UserNotifications

#if canImport(ObjectiveC)
@objc(JPushNotificationTrigger) @objcMembers
#endif
/// The trigger of a local notification. If several conditions are set, one counts: the region before the date
/// components, these before the interval. Without any the request is refused since iOS 10, and delivered at once before. A request without a
/// trigger is delivered at once.
open class JPushNotificationTrigger: NSObject, NSCopying, NSSecureCoding {
    /// Whether the trigger repeats.
    open var `repeat` = false
    /// The only trigger by time before iOS 10; ignored later.
    open var fireDate: Date!
    /// The region whose border fires it; nil for none.
    open var region: CLRegion!
    /// The components of the date that fires it; nil for none.
    open var dateComponents: DateComponents!
    /// The interval in seconds; at least 60 if it repeats.
    open var timeInterval: TimeInterval = 0

    private struct Coded: Codable {
        var repeats: Bool
        var fireDate: Date?
        var dateComponents: DateComponents?
        var timeInterval: TimeInterval
    }

    public override init() { super.init() }

    public required convenience init?(coder: NSCoder) {
        guard let coded: Coded = RecordCoding.decode(from: coder) else { return nil }
        self.init()
        self.repeat = coded.repeats
        fireDate = coded.fireDate
        dateComponents = coded.dateComponents
        timeInterval = coded.timeInterval
        region = coder.decodeObject(of: [CLCircularRegion.self, CLBeaconRegion.self], forKey: "region") as? CLRegion
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        let coded = Coded(
            repeats: self.repeat,
            fireDate: fireDate,
            dateComponents: dateComponents,
            timeInterval: timeInterval
        )
        RecordCoding.encode(coded, with: coder)
        coder.encode(region, forKey: "region")
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = JPushNotificationTrigger()
        copy.repeat = self.repeat
        copy.fireDate = fireDate
        copy.region = region?.copy() as? CLRegion
        copy.dateComponents = dateComponents
        copy.timeInterval = timeInterval
        return copy
    }
}

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
