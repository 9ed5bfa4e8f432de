public import Foundation
public import PushModel

/// The reason a notification is delivered, as sent over the port.
public enum TriggerRecord: Hashable, Sendable, Codable {
    case push
    /// Counted from the time of scheduling, and if repeating from each delivery.
    case timeInterval(TimeInterval, repeats: Bool)
    /// The next date that matches the components; a missing calendar or zone is the device's at that time.
    case calendar(DateComponents, repeats: Bool)
    case location(GeoRegion, repeats: Bool)
    /// A date as in the API before iOS 10.
    case fireDate(FireDate)

    public var repeats: Bool {
        switch self {
        case .push: false
        case .timeInterval(_, let repeats), .calendar(_, let repeats), .location(_, let repeats): repeats
        case .fireDate(let date): date.repeats
        }
    }
}
