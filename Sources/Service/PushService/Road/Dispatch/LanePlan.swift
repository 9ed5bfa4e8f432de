import DequeModule
import Foundation
import PushModel

/// The leased chunks of a lane and their progress: decides which step begins next and collects what to store. It has no access to
/// a clock or a store.
package struct LanePlan {
    /// The maximum number of devices in a step.
    package static let stepSize = 500
    /// The maximum number of devices with pushes in progress or outcomes not yet stored. A crash repeats at most this many pushes
    /// per lane.
    package static let window = 2000

    /// Devices of one or several chunks whose pushes are handed to APNs together.
    struct Step: Sendable {
        struct Part: Sendable {
            var leased: LeasedChunk
            var places: [Int]
            /// The place before which all places have been handed out.
            var end: Int
            /// The tokens to send to, if they are not those for notifications.
            var channelTokens: [DeviceOrdinal: DeviceToken]?
            /// The attributes of the devices at the places; none if the push has no variables.
            var attributes = AttributeValues()
            /// The devices that do not get the push because of its topic; nil for a push without one.
            var held: [DeviceOrdinal: SuppressionReason]?

            /// The devices at the places.
            var ordinals: [DeviceOrdinal] { places.map { leased.chunk.ordinals.ordinals[$0] } }
        }

        var parts: [Part]
        var count: Int
    }

    private(set) var isTrial: Bool
    /// The pause found by a step: APNs has refused the app, or somebody has to intervene. Nothing more is sent.
    private(set) var pause: Pause?
    private var chunks: [Chunk.ID: LeasedChunk] = [:]
    /// The chunks with devices not yet handed out, in the order of the lease; may include chunks that have ended.
    private var line: Deque<Chunk.ID> = []
    private var checkpoint: Checkpoint
    /// The indices in ``checkpoint`` of progress that can be merged with that of a later step, by chunk.
    private var progressIndices: [Chunk.ID: Int] = [:]
    private var events: [(StepReport.Push, JourneyEvent.Kind, Date)] = []
    /// The pushes that the checkpoint leaves undecided.
    private var undecided: [Chunk.ID: [StepReport.Push]] = [:]
    /// The number of devices in steps in progress or not yet stored.
    private var underWay = 0
    private var finished = 0
    private var isTrialBegun = false

    init(_ destination: Destination, isTrial: Bool) {
        self.isTrial = isTrial
        checkpoint = Checkpoint(destination)
    }

    /// The devices of all leased chunks.
    var devices: [OrdinalList] { chunks.values.map(\.ordinals) }
    var isEmpty: Bool { chunks.isEmpty }
    /// The number of devices not yet handed to a step.
    private(set) var devicesLeft = 0

    mutating func add(_ chunk: LeasedChunk) {
        forget(chunk.chunk.id)
        chunks[chunk.chunk.id] = chunk
        devicesLeft += chunk.devicesLeft
        line.append(chunk.chunk.id)
    }

    /// Changes a chunk in place.
    @discardableResult
    private mutating func change<Result>(_ id: Chunk.ID, _ body: (inout LeasedChunk) -> Result) -> Result? {
        guard let index = chunks.index(forKey: id) else { return nil }
        let before = chunks.values[index].devicesLeft
        let result = body(&chunks.values[index])
        devicesLeft += chunks.values[index].devicesLeft - before
        return result
    }

    /// Ends a chunk without sending it.
    mutating func close(_ item: Lease.Item, as kind: JourneyEvent.Kind, at now: Date) {
        var progress = ChunkProgress(item.chunk, cursor: item.chunk.cursor, at: now)
        progress.problem = kind
        progress.ending = .done
        checkpoint.chunks.append(progress)
        events += rest(of: item.chunk, item.message).map { ($0, kind, now) }
    }

    /// Returns the next step, without messages that their senders have withdrawn meanwhile, and with those at a rate that
    /// may continue; nil if there is no room or nothing to send.
    mutating func nextStep(without withdrawn: Set<MessageID> = [], _ rates: SendRates, at now: Date) -> Step? {
        guard pause == nil, !(isTrial && isTrialBegun) else { return nil }
        let room = min(Self.stepSize, Self.window - underWay)
        // A lane with much to do sends full steps.
        guard room == Self.stepSize || room > 0 && underWay == 0 else { return nil }
        var step = Step(parts: [], count: 0)
        var limit = isTrial ? 1 : room
        while limit > 0, let id = line.first {
            dropWithdrawn(of: id, withdrawn, at: now)
            guard let part = takePart(of: id, limit, rates, at: now) else {
                line.removeFirst()
                continue
            }
            limit -= part.places.count
            step.count += part.places.count
            step.parts.append(part)
        }
        guard step.count > 0 else { return nil }
        isTrialBegun = true
        underWay += step.count
        return step
    }

    /// Drops withdrawn pushes, which are already finished in the store.
    private mutating func dropWithdrawn(of id: Chunk.ID, _ withdrawn: Set<MessageID>, at now: Date) {
        guard !withdrawn.isEmpty, let chunk = chunks[id], !chunk.isClosed else { return }
        let isBatch = chunk.message.batch != nil
        guard isBatch || withdrawn.contains(id.message) else { return }
        let places = chunk.chunk.placesLeft.filter {
            $0 >= chunk.next && (!isBatch || withdrawn.contains(chunk.content.messageID(at: chunk.contentPlace($0))))
        }
        guard !places.isEmpty else { return }
        events += pushes(at: places, of: chunk.chunk, chunk.message).map { ($0, .withdrawn, now) }
        change(id) { chunk in
            if isBatch { chunk.settle(PlaceSet(places)) } else { chunk.close(as: .withdrawn) }
        }
    }

    private mutating func takePart(of id: Chunk.ID, _ limit: Int, _ rates: SendRates, at now: Date) -> Step.Part? {
        guard let chunk = chunks[id] else { return nil }
        var most = limit
        if let rate = chunk.content.rate, !chunk.isHandedOut {
            most = min(limit, SendRates.step(rate))
            if let date = rates.wait(of: id.message, at: now) {
                change(id) { $0.release(at: date) }
                endIfOver(id, at: now)
                return nil
            }
        }
        guard let (places, end) = change(id, { $0.nextPlaces(most) }) ?? nil else {
            endIfOver(id, at: now)
            return nil
        }
        if let rate = chunk.content.rate {
            let date = rates.add(places.count, to: id.message, rate: rate, at: now)
            change(id) { $0.release(at: date) }
        }
        return chunks[id].map { Step.Part(leased: $0, places: places, end: end) }
    }

    /// Records that the badges of a step are on disk.
    mutating func storedBadges(of step: Step) {
        for part in step.parts { change(part.leased.chunk.id) { $0.prepared(through: part.end) } }
    }

    /// Applies the report of a step.
    mutating func finish(_ step: Step, _ report: StepReport) {
        finished += step.count
        for part in report.parts {
            if let chunk = chunks[part.chunk], !part.undecided.isEmpty {
                let places = part.undecided.flatMap(\.places)
                undecided[part.chunk, default: []] += pushes(at: places, of: chunk.chunk, chunk.message)
            }
            guard let progress = change(part.chunk, { $0.finish(part, at: report.now) }) else { continue }
            queue(progress)
            if progress.ending != .goesOn { forget(part.chunk) }
        }
        checkpoint.deviceEvents += report.deviceEvents
        checkpoint.stepEvents += report.stepEvents
        checkpoint.refusedTokens += report.refusedTokens
        events += report.observations.map { ($0.0, $0.1, report.now) }
        if checkpoint.isEmpty {
            // All chunks of the step belong to another owner by now.
            underWay -= finished
            finished = 0
        }
        if let found = report.pause {
            pause = found
            checkpoint.pause = found
            releaseRest(at: report.now)
        } else if isTrial {
            isTrialBegun = false
            if report.sentCount > 0 { isTrial = false }
        }
    }

    /// Releases everything that has not been handed out; no further step begins.
    mutating func releaseRest(at now: Date) {
        for id in line {
            change(id) { $0.release(at: min($0.chunk.dueAt, now)) }
            endIfOver(id, at: now)
        }
        line = []
    }

    /// Adds the ending of a chunk to the checkpoint if it has no steps in progress.
    private mutating func endIfOver(_ id: Chunk.ID, at now: Date) {
        guard let chunk = chunks[id], chunk.isOver else { return }
        queue(chunk.ending(at: now))
        forget(id)
    }

    private mutating func forget(_ id: Chunk.ID) { devicesLeft -= chunks.removeValue(forKey: id)?.devicesLeft ?? 0 }

    private mutating func queue(_ new: ChunkProgress) {
        let known = progressIndices[new.id]
        let index = known ?? checkpoint.chunks.count
        if let known {
            var merged = new
            merged.sent.formUnion(checkpoint.chunks[known].sent)
            merged.settled.formUnion(checkpoint.chunks[known].settled)
            checkpoint.chunks[known] = merged
        } else {
            checkpoint.chunks.append(new)
        }
        progressIndices[new.id] = new.undecided.isEmpty ? index : nil
    }

    /// Takes the changes for the store; nil if there are none.
    mutating func takeCheckpoint() -> PendingCheckpoint? {
        guard !checkpoint.isEmpty else { return nil }
        defer {
            checkpoint = Checkpoint(checkpoint.destination)
            events = []
            finished = 0
            undecided = [:]
            progressIndices = [:]
        }
        return PendingCheckpoint(checkpoint: checkpoint, events: events, undecided: undecided, devices: finished)
    }

    /// Applies the result of a checkpoint that is on disk.
    ///
    /// - Returns: the pushes that were withdrawn meanwhile.
    mutating func apply(_ result: CheckpointResult, of pending: PendingCheckpoint, at now: Date) -> [StepReport.Push] {
        underWay -= pending.devices
        var withdrawn: [StepReport.Push] = []
        for (id, finding) in result.findings {
            if finding == .withdrawn { withdrawn += pending.undecided[id] ?? [] }
            guard let chunk = chunks[id], !chunk.isClosed else { continue }
            switch finding {
            case .withdrawn:
                withdrawn += rest(of: chunk.chunk, chunk.message, from: chunk.next)
                change(id) { $0.close(as: .withdrawn) }
                endIfOver(id, at: now)
            case .settled(let places):
                let left = rest(of: chunk.chunk, chunk.message, from: chunk.next) { places.contains($0) }
                withdrawn += left
                change(id) { $0.settle(places) }
            case .lost: forget(id)
            }
        }
        return withdrawn
    }

    /// Returns the unfinished pushes of a chunk from a place on, for the wanted places.
    private func rest(
        of chunk: Chunk,
        _ message: Message,
        from start: Int = 0,
        where isWanted: (Int) -> Bool = { _ in true }
    ) -> [StepReport.Push] {
        pushes(at: chunk.placesLeft.filter { $0 >= start && isWanted($0) }, of: chunk, message)
    }

    private func pushes(at places: [Int], of chunk: Chunk, _ message: Message) -> [StepReport.Push] {
        places.map { place in
            let ordinal = chunk.ordinals.ordinals[place]
            return StepReport.Push(message: message.id(to: ordinal), ordinal: ordinal)
        }
    }
}

/// A checkpoint being written, and the events to report once it is on disk.
struct PendingCheckpoint: Sendable {
    var checkpoint: Checkpoint
    var events: [(StepReport.Push, JourneyEvent.Kind, Date)]
    /// The undecided pushes by chunk; those of a withdrawn message are not retried.
    var undecided: [Chunk.ID: [StepReport.Push]]
    /// The number of devices no longer in progress once it is on disk.
    var devices: Int
}
