package import PushModel

/// How a push ended, or why it waits, where it is not simply sent: counts of devices by reason.
package struct MessageOutcomes: Sendable {
    /// The devices that share an outcome.
    package struct Outcome: Sendable {
        package var event: JourneyEvent.Kind
        /// Whether the outcome is that of a VoIP push.
        package var isVoIP = false
        package var devices: Int
        /// The first of the devices, at most ``MessageOutcomes/named``.
        package var first: [DeviceOrdinal]
    }

    /// The number of devices that are named for an outcome.
    package static let named = 100
    /// The number of stored events that are read for a push: some hundredths of a second.
    package static let readEvents = 20_000

    /// The ones of the most devices first.
    package private(set) var outcomes: [Outcome] = []
    /// Whether all of the push's stored events were read.
    package private(set) var isComplete: Bool

    private var places: [JourneyEvent.Kind: Int] = [:]

    /// Counts the devices of a push's chunks, and those with an event of their own.
    ///
    /// A device that has reported several things, such as a sound that was missing and a banner that was off, is in each of them. Of an
    /// order to remove a notification it is also told which devices it waits for.
    package init(_ chunks: [Chunk], _ exceptions: MessageExceptions, isOrder: Bool = false) {
        isComplete = exceptions.isComplete
        for chunk in chunks where !chunk.kind.isForLinks { add(chunk) }
        // The pushes of a batch share their events; each is for one device.
        let devices = chunks.map(\.ordinals.ordinals)
        let only = devices.allSatisfy { $0.count == 1 } ? devices.first?.first : nil
        var seen: Set<Pair> = []
        for exception in exceptions.events where exception.event.isOutcome || isOrder && exception.event == .stored {
            let fresh = exception.ordinals.filter { ordinal in
                (only ?? ordinal) == ordinal && seen.insert(Pair(event: exception.event, ordinal: ordinal)).inserted
            }
            add(exception.event, fresh)
        }
        outcomes.sort { $0.devices > $1.devices }
    }

    /// Notes that all outcomes are those of a VoIP push.
    mutating func isForVoIP() {
        for place in outcomes.indices { outcomes[place].isVoIP = true }
    }

    /// Adds the outcomes of the VoIP push beside the notification.
    mutating func add(ofVoIPPush voip: MessageOutcomes) {
        var voip = voip
        voip.isForVoIP()
        outcomes += voip.outcomes
        outcomes.sort { $0.devices > $1.devices }
        isComplete = isComplete && voip.isComplete
    }

    private struct Pair: Hashable {
        var event: JourneyEvent.Kind
        var ordinal: DeviceOrdinal
    }

    private mutating func add(_ chunk: Chunk) {
        guard chunk.kind.isForAPNs else {
            if let event = chunk.kind.opening.last { add(event, chunk.ordinals.ordinals) }
            return
        }
        if let problem = chunk.problem { add(problem, chunk.rest) }
    }

    private mutating func add(_ event: JourneyEvent.Kind, _ ordinals: [DeviceOrdinal]) {
        guard !ordinals.isEmpty else { return }
        let place = places[event] ?? outcomes.count
        if place == outcomes.count {
            outcomes.append(Outcome(event: event, devices: 0, first: []))
            places[event] = place
        }
        outcomes[place].devices += ordinals.count
        outcomes[place].first += ordinals.prefix(Self.named - outcomes[place].first.count)
    }
}

extension JourneyEvent.Kind {
    /// Whether the event tells how the push ended on a device, other than well. What only delayed it is known by its chunk.
    fileprivate var isOutcome: Bool {
        switch self {
        case .refused, .withdrawn, .coalesced, .expired, .crashed, .suppressed, .quietHours(_, isHeld: false): true
        default: false
        }
    }
}
