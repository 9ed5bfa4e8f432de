import Foundation
import PushModel
import SystemPort

/// Passes the events of an app's monitors, by name, and keeps those that nobody awaits yet.
final class MonitorHub: PortSlot {
    private let streams = KeyedStreams<CLMonitor.Event>(holding: true)

    func pass(_ condition: ConditionRecord, to name: String) { streams.pass(CLMonitor.Event(condition), to: name) }

    /// Returns the events that nobody has awaited, and those that follow.
    func events(of name: String) -> AsyncStream<CLMonitor.Event> { streams.stream(of: name) }

    static func condition(_ region: GeoRegion) -> any CLCondition {
        switch region.shape {
        case .circle(let center, let radius):
            CLMonitor.CircularGeographicCondition(center: CLLocationCoordinate2D(center), radius: radius)
        case .beacon(let uuid, let major, let minor, _):
            CLMonitor.BeaconIdentityCondition(anyOf: UUID(uuidString: uuid) ?? UUID(), major: major, minor: minor)
        }
    }
}
