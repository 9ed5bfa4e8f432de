public import Foundation
public import PushModel

/// Why a notification is delivered, as it crosses the port.
public enum TriggerRecord: Hashable, Sendable, Codable {
    case push
    /// Counted from the moment of scheduling, and when repeating from each delivery.
    case timeInterval(TimeInterval, repeats: Bool)
    /// The next moment that matches the components; a missing calendar or zone is the device's at that moment.
    case calendar(DateComponents, repeats: Bool)
    case location(GeoRegion, repeats: Bool)
    /// As apps wrote it before iOS 10.
    case fireDate(FireDate)

    public var repeats: Bool {
        switch self {
        case .push: false
        case .timeInterval(_, let repeats), .calendar(_, let repeats), .location(_, let repeats): repeats
        case .fireDate(let date): date.repeats
        }
    }
}
