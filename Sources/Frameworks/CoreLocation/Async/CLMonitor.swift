public import Foundation
import PushModel
import SystemPort

/// A condition that a monitor watches.
public protocol CLCondition: Decodable, Encodable, Sendable {}

/// Monitors conditions of an app (iOS 17 and later), also while the app is not running.
///
/// Conditions belong to the monitor's name and outlive the app's process. An app that is launched for one creates the monitor again
/// and awaits its ``events``.
public actor CLMonitor {
    /// The name of the monitor, by which its conditions are kept over launches.
    private let name: String
    private let port: any SystemPort

    /// Opens the monitor with this name; one that is open already is shared.
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
        port.call(.location(.addCondition(region, state: state.record, monitor: name)))
    }

    /// Stops watching a condition; nothing happens if the identifier is unknown.
    public func remove(_ identifier: String) {
        port.call(.location(.removeCondition(identifier: identifier, monitor: name)))
    }

    /// Returns a condition and its last event; nil for an unknown identifier.
    public func record(for identifier: String) -> Record? {
        conditions.first { $0.region.identifier == identifier }.map { condition in
            Record(condition: MonitorHub.condition(condition.region), lastEvent: Event(condition))
        }
    }

    private var conditions: [ConditionRecord] { port.currentLocationFacts.monitors[name] ?? [] }

    /// A circle on the Earth.
    public struct CircularGeographicCondition: CLCondition, RecordedCondition {
        /// The centre of the circle.
        public let center: CLLocationCoordinate2D
        /// The radius, in metres.
        public let radius: CLLocationDistance

        /// Creates a condition that is satisfied within a circle, with the radius in metres.
        public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
            self.center = center
            self.radius = radius
        }

        private enum Key: CodingKey { case latitude, longitude, radius }

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            let latitude = try values.decode(Double.self, forKey: .latitude)
            let longitude = try values.decode(Double.self, forKey: .longitude)
            center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
            radius = try values.decode(Double.self, forKey: .radius)
        }

        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(center.latitude, forKey: .latitude)
            try values.encode(center.longitude, forKey: .longitude)
            try values.encode(radius, forKey: .radius)
        }

        var shape: GeoRegion.Shape { .circle(center: center.place, radius: radius) }
    }

    /// A beacon nearby.
    public struct BeaconIdentityCondition: CLCondition, RecordedCondition {
        /// The UUID of the beacons.
        public let uuid: UUID
        /// The major value of the beacons; nil for any.
        public let major: CLBeaconMajorValue?
        /// The minor value of the beacons; nil for any.
        public let minor: CLBeaconMinorValue?

        /// Creates a condition that is satisfied near any beacon with this UUID.
        public init(uuid: UUID) { self.init(anyOf: uuid) }
        /// Creates a condition that is satisfied near any beacon with this UUID and major value.
        public init(uuid: UUID, major: CLBeaconMajorValue) { self.init(anyOf: uuid, major: major) }

        /// Creates a condition that is satisfied near the beacon with these values.
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
        /// The condition that is watched.
        public let condition: any CLCondition
        /// The last change of the condition.
        public let lastEvent: Event
    }

    /// A change of a condition's state.
    public struct Event: Sendable {
        /// The identifier of the condition.
        public let identifier: String
        /// The condition itself.
        public let refinement: (any CLCondition)?
        /// The state of the condition after the event.
        public let state: State
        /// The date of the event.
        public let date: Date
        /// Whether the app already monitors 20 conditions.
        public let conditionLimitExceeded: Bool

        /// Whether a condition is satisfied.
        public enum State: UInt, Sendable {
            /// Not known yet.
            case unknown = 0
            /// The condition is satisfied, or is not.
            case satisfied, unsatisfied
            /// Not monitored, as there are too many conditions.
            case unmonitored
        }
    }

    /// Changes of state, as they occur.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = Event
        let base: AsyncStream<Event>

        /// Gives the events one by one.
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
