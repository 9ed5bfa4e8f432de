import Foundation
import PosthornStack
import PushAPI
import PushModel
import PushService

/// The form in which commands print times: in the time zone of the service, with its offset from UTC.
struct ServiceTimes {
    let zone: TimeZone

    /// Asks the service for its zone. If it does not tell it, as earlier versions do not, times are in UTC.
    init(of client: APIClient) async {
        let app: AppAnswer? = try? await client.get("/posthorn/v1/app").read()
        zone = app?.timeZone.flatMap { TimeZone(identifier: $0) } ?? .gmt
    }

    private init(zone: TimeZone) { self.zone = zone }

    /// For commands of operators, which may run without a service: the zone that `serve` would read from `POSTHORN_TIME_ZONE`, or its
    /// default.
    static let ofOperators = ServiceTimes(
        zone: EnvironmentSettings["POSTHORN_TIME_ZONE"].flatMap { TimeZone(iana: $0) } ?? .china
    )

    func text(_ date: Date) -> String { date.text(in: zone) }

    /// The zone at a date: `+08:00`, after the name of a zone that has one: `Europe/Berlin (+01:00)`.
    func zone(at date: Date) -> String {
        let offset = zone.offset(at: date)
        return zone.identifier.hasPrefix("GMT") ? offset : "\(zone.identifier) (\(offset))"
    }
}
