package import Foundation
package import PushModel

extension JourneyEvent {
    /// An event that the service reports.
    package static func service(_ kind: Kind, at date: Date) -> JourneyEvent {
        JourneyEvent(date: date, station: .service, kind: kind)
    }

    /// An event that the receipt of an app reports.
    static func device(_ kind: Kind, at date: Date) -> JourneyEvent {
        JourneyEvent(date: date, station: .device, kind: kind)
    }
}
