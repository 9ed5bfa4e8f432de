// Properties are as the importer made them of the header: `!` where an app may read and write either way.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import CoreLocation
public import Foundation
import UserNotifications

/// When a local notification is delivered. Of several conditions one counts: the region before the date components,
/// these before the interval; none is at once.
open class JPushNotificationTrigger: NSObject, NSCopying, NSSecureCoding {
    /// Whether what counts comes again.
    open var `repeat` = false
    /// The only time before iOS 10; later it says nothing.
    open var fireDate: Date!
    open var region: CLRegion!
    open var dateComponents: DateComponents!
    /// Seconds; at least 60 where it repeats.
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
