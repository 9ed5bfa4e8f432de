package import Foundation
package import PushModel

/// The progress of a chunk since its last checkpoint.
package struct ChunkProgress: Sendable {
    package var id: Chunk.ID
    /// The fencing number of the lease under which the work was done.
    package var fence: Int64
    /// The places for which APNs has answered 200 since.
    package var sent = PlaceSet()
    /// The places that have finished since without a 200.
    package var settled = PlaceSet()
    /// The places that are undecided or held back, with the time and reason of the next attempt. In a retry they stay with the
    /// chunk.
    package var undecided: [Undecided] = []
    /// The place before which all devices are finished.
    package var cursor: Int
    package var ending = Ending.goesOn
    package var problem: JourneyEvent.Kind?
    package var date: Date

    package enum Ending: Hashable, Sendable {
        /// The worker keeps its lease.
        case goesOn
        /// The worker releases its lease; the rest is due then.
        case released(dueAt: Date)
        case done
    }

    package struct Undecided: Hashable, Sendable {
        package var places: [Int]
        package var ordinals: [DeviceOrdinal]
        package var dueAt: Date
        package var attempt: Int
        package var problem: JourneyEvent.Kind

        package init(places: [Int], ordinals: [DeviceOrdinal], dueAt: Date, attempt: Int, problem: JourneyEvent.Kind) {
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

/// The same event of a message for several devices, stored in one row.
package struct StepEvent: Hashable, Sendable {
    /// The message that owns the chunk: the first of a batch.
    package var message: MessageID
    package var event: JourneyEvent
    /// In ascending order.
    package var ordinals: [DeviceOrdinal]
}

/// A worker's report to the store, stored in one transaction.
package struct Checkpoint: Sendable {
    /// A random number from 1: a store recognises by it a checkpoint that is repeated because nobody knows whether it was written.
    package let id = Int64.random(in: 1...Int64.max)
    package var chunks: [ChunkProgress] = []
    /// The events of single devices.
    package var deviceEvents: [JourneyEntry] = []
    /// The events that several devices share.
    package var stepEvents: [StepEvent] = []
    package var refusedTokens: [RefusedToken] = []
    /// A pause; nothing more is leased for ``destination`` until it ends.
    package var pause: Pause?
    package let destination: Destination

    package init(_ destination: Destination) { self.destination = destination }

    package var isEmpty: Bool {
        chunks.isEmpty && deviceEvents.isEmpty && stepEvents.isEmpty && refusedTokens.isEmpty && pause == nil
    }
}

/// The result of a checkpoint.
package struct CheckpointResult: Sendable {
    /// The devices that lost their token, or whose token was refused.
    package var devices: [RegisteredDevice]
    /// The findings by chunk, if there are any.
    package var findings: [Chunk.ID: Finding]

    package enum Finding: Hashable, Sendable {
        /// The message was withdrawn meanwhile: the chunk is done, whatever its worker reported.
        case withdrawn
        /// For a batch, the finished places, including those of messages that were withdrawn meanwhile.
        case settled(PlaceSet)
        /// Another owner has the lease: nothing from this worker was stored.
        case lost
    }

    package init(devices: [RegisteredDevice] = [], findings: [Chunk.ID: Finding] = [:]) {
        self.devices = devices
        self.findings = findings
    }
}

/// The badge of a device that a step has changed.
package struct StoredBadge: Sendable {
    package var ordinal: DeviceOrdinal
    package var badge: Int
    /// The version of the device with this badge.
    package var version: UInt32

    package init(_ ordinal: DeviceOrdinal, badge: Int, version: UInt32) {
        self.ordinal = ordinal
        self.badge = badge
        self.version = version
    }
}

/// The badges for the devices of one chunk, stored before sending.
package struct BadgeUpdate: Sendable {
    package var chunk: Chunk.ID
    /// The fencing number of the lease; under another one nothing is written.
    package var fence: Int64
    package var badges: [(DeviceOrdinal, Int)]
    /// The place before which all badges are then in the registry.
    package var prepared: Int

    package init(_ chunk: Chunk, badges: [(DeviceOrdinal, Int)], prepared: Int) {
        self.chunk = chunk.id
        fence = chunk.fence
        self.badges = badges
        self.prepared = prepared
    }
}
