import PushModel
import Synchronization
import SystemPort

/// Keeps the most recent events and passes new ones to listeners; a slow listener does not delay the device.
final class DeviceEventFeed: Sendable {
    static let memory = 1000

    /// An event of the device, or of the journey of a notification.
    enum Observation: Sendable {
        case event(DeviceEvent)
        case journey(JourneyEvent, JourneySubject)
    }

    private struct State {
        /// When full, a ring buffer that begins at `oldest`: nothing is moved.
        var ring: [DeviceEvent] = []
        var oldest = 0
        var listeners = Listeners<DeviceEvent>()
        /// Called with each observation, on the device's own thread, before it does anything else.
        var observers: [@Sendable (Observation) -> Void] = []

        var recent: [DeviceEvent] { Array(ring[oldest...] + ring[..<oldest]) }

        mutating func append(_ deviceEvent: DeviceEvent) {
            guard ring.count == DeviceEventFeed.memory else { return ring.append(deviceEvent) }
            ring[oldest] = deviceEvent
            oldest = (oldest + 1) % DeviceEventFeed.memory
        }
    }

    private let state = Mutex(State())

    var recent: [DeviceEvent] { state.withLock(\.recent) }

    func add(_ deviceEvent: DeviceEvent) {
        let observers = state.withLock { state in
            state.append(deviceEvent)
            state.listeners.pass(deviceEvent)
            return state.observers
        }
        for observe in observers { observe(.event(deviceEvent)) }
    }

    /// Passes an event of a journey to the observers.
    func pass(_ event: JourneyEvent, of subject: JourneySubject) {
        for observe in state.withLock(\.observers) { observe(.journey(event, subject)) }
    }

    /// Calls `body` with everything that happens from now on.
    func observe(_ body: @escaping @Sendable (Observation) -> Void) { state.withLock { $0.observers.append(body) } }

    func listen(replaying: Bool) -> AsyncStream<DeviceEvent> {
        state.withLock { state in
            state.listeners.add(bufferingPolicy: .bufferingNewest(Self.memory), after: replaying ? state.recent : [])
                .stream
        }
    }

    func finish() { state.withLock { $0.listeners.finish() } }
}

extension Device {
    /// Returns the first past or future event that `matches`; nil if the device is switched off before.
    public func first(where matches: @Sendable (DeviceEvent) -> Bool) async -> DeviceEvent? {
        for await deviceEvent in deviceEvents(replaying: true) where matches(deviceEvent) { return deviceEvent }
        return nil
    }
}
