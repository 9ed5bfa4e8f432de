public import Foundation
import PushModel
import SystemPort

/// A condition that a monitor watches.
public protocol CLCondition: Sendable {}

/// Monitors conditions of an app (iOS 17 and later), also while the app is not running.
///
/// Conditions belong to the monitor's name and outlive the app's process. An app that is launched for one creates the monitor again
/// and awaits its ``events``.
public actor CLMonitor {
    public nonisolated let name: String
    private let port: any SystemPort

    public init(_ name: String) async {
        self.name = name
        port = CurrentPort.find()
    }

    /// The names of all conditions, in the order in which they were added.
    public var identifiers: [String] { conditions.map(\.region.identifier) }

    /// The changes of state from now on, and those that nobody has awaited yet.
    ///
    /// Since iOS 18 awaiting them asks the user for access while in use, if nothing has asked yet.
    public var events: Events {
        CurrentPort.with(port) { AccessRequest.implicit(of: CLLocationManager(), on: port) }
        return Events(base: MonitorHub.of(port).events(of: name))
    }

    /// Monitors a condition in place of one with the same identifier.
    public func add(_ condition: any CLCondition, identifier: String) {
        add(condition, identifier: identifier, assuming: .unknown)
    }

    /// Monitors a condition in place of one with the same identifier.
    ///
    /// - Parameters:
    ///   - condition: a ``CircularGeographicCondition`` or a ``BeaconIdentityCondition``.
    ///   - identifier: the name of the condition.
    ///   - state: the state that the app assumes; an event follows if it is wrong.
    public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
        guard let condition = condition as? any RecordedCondition else { return }
        let region = GeoRegion(identifier: identifier, shape: condition.shape)
        port.call(.location(.addCondition(region, state: state.record, monitor: name))) { _ in }
    }

    public func remove(_ identifier: String) {
        port.call(.location(.removeCondition(identifier: identifier, monitor: name))) { _ in }
    }

    /// Returns a condition and its last event; nil for an unknown identifier.
    public func record(for identifier: String) -> Record? {
        conditions.first { $0.region.identifier == identifier }.map { condition in
            Record(condition: MonitorHub.condition(condition.region), lastEvent: Event(condition))
        }
    }

    private var conditions: [ConditionRecord] {
        // Reading waits for the calls before it, which a copy of the facts may not reflect yet.
        guard case .facts(let facts) = port.read(.facts) else { return port.facts.location.monitors[name] ?? [] }
        return facts.location.monitors[name] ?? []
    }

    /// A circle on the Earth.
    public struct CircularGeographicCondition: CLCondition, RecordedCondition {
        public let center: CLLocationCoordinate2D
        public let radius: CLLocationDistance

        public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
            self.center = center
            self.radius = radius
        }

        var shape: GeoRegion.Shape { .circle(center: center.place, radius: radius) }
    }

    /// A beacon nearby.
    public struct BeaconIdentityCondition: CLCondition, RecordedCondition {
        public let uuid: UUID
        public let major: CLBeaconMajorValue?
        public let minor: CLBeaconMinorValue?

        public init(uuid: UUID) { self.init(anyOf: uuid) }
        public init(uuid: UUID, major: CLBeaconMajorValue) { self.init(anyOf: uuid, major: major) }

        public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
            self.init(anyOf: uuid, major: major, minor: minor)
        }

        init(anyOf uuid: UUID, major: CLBeaconMajorValue? = nil, minor: CLBeaconMinorValue? = nil) {
            self.uuid = uuid
            self.major = major
            self.minor = minor
        }

        var shape: GeoRegion.Shape { .beacon(uuid: uuid.uuidString, major: major, minor: minor, onDisplay: false) }
    }

    /// A condition and its last event.
    public struct Record: Sendable {
        public let condition: any CLCondition
        public let lastEvent: Event
    }

    /// A change of a condition's state.
    public struct Event: Sendable {
        public let identifier: String
        /// The condition itself.
        public let refinement: (any CLCondition)?
        public let state: State
        public let date: Date
        /// Whether the app already monitors 20 conditions.
        public let conditionLimitExceeded: Bool

        public enum State: UInt, Sendable {
            case unknown = 0
            case satisfied, unsatisfied
            /// Not monitored, as there are too many conditions.
            case unmonitored
        }
    }

    /// Changes of state, as they occur.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Event
        let base: AsyncStream<Event>

        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncStream<Event>.Iterator

            public mutating func next() async throws -> Event? { await base.next() }
        }

        public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }
    }
}

protocol RecordedCondition: CLCondition {
    var shape: GeoRegion.Shape { get }
}

extension CLMonitor.Event {
    init(_ condition: ConditionRecord) {
        identifier = condition.region.identifier
        refinement = MonitorHub.condition(condition.region)
        date = condition.date
        conditionLimitExceeded = condition.isRefused
        state =
            switch condition.state {
            case _ where condition.isRefused: .unmonitored
            case .unknown: .unknown
            case .inside: .satisfied
            case .outside: .unsatisfied
            }
    }
}

extension CLMonitor.Event.State {
    fileprivate var record: RegionWatch.State {
        switch self {
        case .unknown, .unmonitored: .unknown
        case .satisfied: .inside
        case .unsatisfied: .outside
        }
    }
}
