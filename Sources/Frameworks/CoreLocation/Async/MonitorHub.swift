import Foundation
import PushModel
import Synchronization
import SystemPort

/// Passes the events of an app's monitors, by name, and keeps those that nobody awaits yet.
final class MonitorHub: Sendable {
    private struct Monitor {
        var held: [CLMonitor.Event] = []
        var listeners: [Int: AsyncStream<CLMonitor.Event>.Continuation] = [:]
        var lastListener = 0
    }

    private let monitors = Mutex<[String: Monitor]>([:])

    static func of(_ port: any SystemPort) -> MonitorHub { port.slots.slot { MonitorHub() } }

    func pass(_ condition: ConditionRecord, to name: String) {
        let event = CLMonitor.Event(condition)
        let listeners = monitors.withLock { monitors in
            let listeners = monitors[name]?.listeners ?? [:]
            if listeners.isEmpty { monitors[name, default: Monitor()].held.append(event) }
            return listeners
        }
        for listener in listeners.values { listener.yield(event) }
    }

    /// Returns the events that nobody has awaited, and those that follow.
    func events(of name: String) -> AsyncStream<CLMonitor.Event> {
        let (stream, continuation) = AsyncStream<CLMonitor.Event>.makeStream()
        let (number, held) = monitors.withLock { monitors in
            var monitor = monitors[name] ?? Monitor()
            let held = monitor.held
            monitor.held = []
            monitor.lastListener += 1
            monitor.listeners[monitor.lastListener] = continuation
            monitors[name] = monitor
            return (monitor.lastListener, held)
        }
        continuation.onTermination = { [weak self] _ in
            self?.monitors.withLock { $0[name]?.listeners[number] = nil }
        }
        for event in held { continuation.yield(event) }
        return stream
    }

    static func condition(_ region: GeoRegion) -> any CLCondition {
        switch region.shape {
        case .circle(let center, let radius):
            CLMonitor.CircularGeographicCondition(center: CLLocationCoordinate2D(center), radius: radius)
        case .beacon(let uuid, let major, let minor, _):
            CLMonitor.BeaconIdentityCondition(anyOf: UUID(uuidString: uuid) ?? UUID(), major: major, minor: minor)
        }
    }
}
