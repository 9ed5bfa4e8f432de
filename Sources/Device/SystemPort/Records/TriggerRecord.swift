public import Foundation
public import PushModel

/// The reason a notification is delivered, as sent over the port.
public enum TriggerRecord: Hashable, Sendable, Codable {
    /// A push.
    case push
    /// Counted from the time of scheduling, and if repeating from each delivery.
    case timeInterval(TimeInterval, repeats: Bool)
    /// The next date that matches the components; a missing calendar or zone is the device's at that time.
    case calendar(DateComponents, repeats: Bool)
    /// The device crosses the border of the region.
    case location(GeoRegion, repeats: Bool)
    /// A date as in the API before iOS 10.
    case fireDate(FireDate)

    /// Whether it fires again and again; never for a push.
    public var repeats: Bool {
        switch self {
        case .push: false
        case .timeInterval(_, let repeats), .calendar(_, let repeats), .location(_, let repeats): repeats
        case .fireDate(let date): date.repeats
        }
    }
}
