package import Foundation
package import PushModel

/// What has become of a chunk since its last checkpoint.
package struct ChunkProgress: Sendable {
    package var id: Chunk.ID
    /// Of the lease under which it was done.
    package var fence: Int64
    /// The places to which APNs answered 200 since.
    package var sent = PlaceSet()
    /// The places that are over since, without a 200.
    package var settled = PlaceSet()
    /// The places that could not be decided, or are held back, by when and why they are tried again. Of a retry they stay its own.
    package var undecided: [Undecided] = []
    /// All devices before this place are dealt with.
    package var cursor: Int
    package var ending = Ending.goesOn
    package var problem: JourneyEvent.Kind?
    package var date: Date

    package enum Ending: Hashable, Sendable {
        /// The worker keeps its lease.
        case goesOn
        /// The lease is given back; the rest is due then.
        case released(dueAt: Date)
        case done
    }

    package struct Undecided: Hashable, Sendable {
        package var places: [Int]
        package var ordinals: [DeviceOrdinal]
        package var dueAt: Date
        package var attempt: Int
        package var problem: JourneyEvent.Kind

        package init(
            places: [Int],
            ordinals: [DeviceOrdinal],
            dueAt: Date,
            attempt: Int,
            problem: JourneyEvent.Kind
        ) {
            self.places = places
            self.ordinals = ordinals
            self.dueAt = dueAt
            self.attempt = attempt
            self.problem = problem
        }
    }

    package init(_ chunk: Chunk, cursor: Int, at date: Date) {
        id = chunk.id
        fence = chunk.fence
        self.cursor = cursor
        self.date = date
    }
}

/// The same event of a message for several devices, in one row.
package struct StepEvent: Hashable, Sendable {
    /// The message that has the chunk: the first of a batch.
    package var message: MessageID
    package var event: JourneyEvent
    /// In rising order.
    package var ordinals: [DeviceOrdinal]

    package init(message: MessageID, event: JourneyEvent, ordinals: [DeviceOrdinal]) {
        self.message = message
        self.event = event
        self.ordinals = ordinals
    }
}

/// What a worker tells the store at one time: it is kept in one transaction.
package struct Checkpoint: Sendable {
    package var chunks: [ChunkProgress] = []
    package var exceptions: [JourneyException] = []
    package var stepEvents: [StepEvent] = []
    package var refusedTokens: [RefusedToken] = []
    /// Nothing more is leased for ``destination`` until it ends.
    package var pause: Pause?
    package let destination: Destination

    package init(_ destination: Destination) { self.destination = destination }

    package var isEmpty: Bool {
        chunks.isEmpty && exceptions.isEmpty && stepEvents.isEmpty && refusedTokens.isEmpty && pause == nil
    }
}

/// What a checkpoint has found.
package struct CheckpointResult: Sendable {
    /// Every device that lost its token, or whose token was refused.
    package var devices: [Device]
    /// By chunk, for those about which there is something to know.
    package var findings: [Chunk.ID: Finding]

    package enum Finding: Hashable, Sendable {
        /// The message was withdrawn meanwhile: the chunk is done, whatever its worker said.
        case withdrawn
        /// Of a batch: the places that are over, those among them that were withdrawn meanwhile.
        case settled(PlaceSet)
        /// The lease is another's by now: nothing of what its worker said was kept.
        case lost
    }

    package init(devices: [Device] = [], findings: [Chunk.ID: Finding] = [:]) {
        self.devices = devices
        self.findings = findings
    }
}
