/// The connection with the service, as the app hears of it.
struct NetworkState: Hashable, Sendable {
    private enum Phase: Hashable, Sendable {
        case closed
        case connecting
        case connected
        case loggedIn
    }

    private var phase = Phase.closed
    private var hasComplained = false

    /// The client calls the service, or opens a link.
    mutating func tries() -> [NetworkEvent] {
        guard phase == .closed else { return [] }
        phase = .connecting
        return [.connecting]
    }

    /// The service has answered.
    mutating func reached() -> [NetworkEvent] {
        guard phase == .closed || phase == .connecting else { return [] }
        let events = tries() + [.connected]
        phase = .connected
        hasComplained = false
        return events
    }

    /// The service has taken the device's credentials.
    mutating func entered() -> [NetworkEvent] {
        guard phase != .loggedIn else { return [] }
        let events = reached() + [.loggedIn]
        phase = .loggedIn
        return events
    }

    /// The service does not know the device any more.
    mutating func forgot() { if phase == .loggedIn { phase = .connected } }

    /// A link has ended.
    mutating func ended() -> [NetworkEvent] {
        guard phase == .connected || phase == .loggedIn else { return [] }
        phase = .closed
        return [.closed]
    }

    /// The service could not be reached.
    mutating func failed(_ error: PosthornError) -> [NetworkEvent] {
        let events = ended()
        phase = .closed
        guard events.isEmpty, !hasComplained else { return events }
        hasComplained = true
        return [.unreachable(error)]
    }
}
