import DequeModule
import Foundation
import PushModel

/// What a worker has leased in its lane and how far it has come: which step begins next, what the store is to be told. It knows
/// no clock and no store.
package struct LanePlan {
    /// Devices a step.
    package static let stepSize = 500
    /// Devices to which pushes are under way, or of which the store does not know yet what came of them: a crash repeats no more
    /// for each lane.
    package static let window = 2000

    /// Some devices of one chunk or of several, whose pushes are handed to APNs together.
    struct Step: Sendable {
        struct Part: Sendable {
            var chunk: ChunkUnderWay
            var places: [Int]
            /// The places before this one are handed out.
            var end: Int
        }

        var parts: [Part]
        var count: Int
    }

    private(set) var isTrial: Bool
    /// APNs said no to the app, or a person has to do something: nothing more is sent.
    private(set) var pause: Pause?
    private var chunks: [Chunk.ID: ChunkUnderWay] = [:]
    /// Those with devices that were not handed out, in the order of the lease; among them some that have ended.
    private var line: Deque<Chunk.ID> = []
    private var kept: Checkpoint
    /// Where in ``kept`` the progress of a chunk can be added to.
    private var keptPlaces: [Chunk.ID: Int] = [:]
    private var events: [(StepReport.Push, JourneyEvent.Kind, Date)] = []
    /// The pushes that the checkpoint leaves undecided.
    private var undecided: [Chunk.ID: [StepReport.Push]] = [:]
    /// Devices of steps under way, and of those that the store has not been told of.
    private var underWay = 0
    private var finished = 0
    private var isTrialBegun = false

    init(_ destination: Destination, isTrial: Bool) {
        self.isTrial = isTrial
        kept = Checkpoint(destination)
    }

    /// The devices of all chunks at hand.
    var devices: [OrdinalList] { chunks.values.map(\.ordinals) }
    var isEmpty: Bool { chunks.isEmpty }
    /// Devices that were not handed to a step.
    private(set) var devicesLeft = 0

    mutating func add(_ chunk: ChunkUnderWay) {
        forget(chunk.chunk.id)
        chunks[chunk.chunk.id] = chunk
        devicesLeft += chunk.devicesLeft
        line.append(chunk.chunk.id)
    }

    /// Changes a chunk where it lies.
    @discardableResult
    private mutating func change<Result>(_ id: Chunk.ID, _ body: (inout ChunkUnderWay) -> Result) -> Result? {
        guard let index = chunks.index(forKey: id) else { return nil }
        let before = chunks.values[index].devicesLeft
        let result = body(&chunks.values[index])
        devicesLeft += chunks.values[index].devicesLeft - before
        return result
    }

    /// Ends a chunk of which nothing is sent.
    mutating func close(_ item: Lease.Item, as kind: JourneyEvent.Kind, at now: Date) {
        var progress = ChunkProgress(item.chunk, cursor: item.chunk.cursor, at: now)
        progress.problem = kind
        progress.ending = .done
        kept.chunks.append(progress)
        events += rest(of: item.chunk, item.message).map { ($0, kind, now) }
    }

    /// The next step, if there is room for one.
    ///
    /// * `withdrawn`: messages that their senders have taken back meanwhile.
    /// * `rates`: when messages with a rate may go on.
    mutating func nextStep(without withdrawn: Set<MessageID> = [], _ rates: SendRates, at now: Date) -> Step? {
        guard pause == nil, !(isTrial && isTrialBegun) else { return nil }
        let room = min(Self.stepSize, Self.window - underWay)
        // A lane with much to do sends whole steps.
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

    /// Leaves out what was taken back: in the store it is over.
    private mutating func dropWithdrawn(of id: Chunk.ID, _ withdrawn: Set<MessageID>, at now: Date) {
        guard !withdrawn.isEmpty, let chunk = chunks[id], !chunk.isClosed else { return }
        let isBatch = chunk.message.batch != nil
        guard isBatch || withdrawn.contains(id.message) else { return }
        let places = chunk.chunk.placesLeft.filter {
            $0 >= chunk.next && (!isBatch || withdrawn.contains(chunk.content.message(at: chunk.contentPlace($0))))
        }
        guard !places.isEmpty else { return }
        events += pushes(at: places, of: chunk.chunk, chunk.message).map { ($0, .withdrawn, now) }
        change(id) { chunk in
            if isBatch { chunk.settle(PlaceSet(places)) } else { chunk.close(as: .withdrawn) }
        }
    }

    private mutating func takePart(
        of id: Chunk.ID,
        _ limit: Int,
        _ rates: SendRates,
        at now: Date
    ) -> Step.Part? {
        guard let chunk = chunks[id] else { return nil }
        var most = limit
        if let rate = chunk.content.rate, !chunk.isHandedOut {
            most = min(limit, SendRates.step(rate))
            if let date = rates.wait(of: id.message, at: now) {
                change(id) { $0.giveBack(at: date) }
                endIfOver(id, at: now)
                return nil
            }
        }
        guard let (places, end) = change(id, { $0.take(most) }) ?? nil else {
            endIfOver(id, at: now)
            return nil
        }
        if let rate = chunk.content.rate {
            let date = rates.add(places.count, to: id.message, rate: rate, at: now)
            change(id) { $0.giveBack(at: date) }
        }
        return chunks[id].map { Step.Part(chunk: $0, places: places, end: end) }
    }

    /// The badges of a step are on disk.
    mutating func prepared(_ step: Step) {
        for part in step.parts { change(part.chunk.chunk.id) { $0.prepared(through: part.end) } }
    }

    /// Takes in what has come of a step.
    mutating func finish(_ step: Step, _ report: StepReport) {
        finished += step.count
        for part in report.parts {
            if let chunk = chunks[part.chunk], !part.undecided.isEmpty {
                let places = part.undecided.flatMap(\.places)
                undecided[part.chunk, default: []] += pushes(at: places, of: chunk.chunk, chunk.message)
            }
            guard let progress = change(part.chunk, { $0.finish(part, at: report.now) }) else { continue }
            keep(progress)
            if progress.ending != .goesOn { forget(part.chunk) }
        }
        kept.exceptions += report.exceptions
        kept.stepEvents += report.stepEvents
        kept.refusedTokens += report.refusedTokens
        events += report.observations.map { ($0.0, $0.1, report.now) }
        if kept.isEmpty {
            // Of chunks that are another's by now.
            underWay -= finished
            finished = 0
        }
        if let found = report.pause {
            pause = found
            kept.pause = found
            giveUp(at: report.now)
        } else if isTrial {
            isTrialBegun = false
            if report.sentCount > 0 { isTrial = false }
        }
    }

    /// Begins nothing more: what has not been handed out goes back.
    mutating func giveUp(at now: Date) {
        for id in line {
            change(id) { $0.giveBack(at: min($0.chunk.dueAt, now)) }
            endIfOver(id, at: now)
        }
        line = []
    }

    /// Tells the store of a chunk for which nothing more is under way.
    private mutating func endIfOver(_ id: Chunk.ID, at now: Date) {
        guard let chunk = chunks[id], chunk.isOver else { return }
        keep(chunk.ending(at: now))
        forget(id)
    }

    private mutating func forget(_ id: Chunk.ID) {
        devicesLeft -= chunks.removeValue(forKey: id)?.devicesLeft ?? 0
    }

    private mutating func keep(_ new: ChunkProgress) {
        let known = keptPlaces[new.id]
        let index = known ?? kept.chunks.count
        if let known {
            var merged = new
            merged.sent.formUnion(kept.chunks[known].sent)
            merged.settled.formUnion(kept.chunks[known].settled)
            kept.chunks[known] = merged
        } else {
            kept.chunks.append(new)
        }
        keptPlaces[new.id] = new.undecided.isEmpty ? index : nil
    }

    /// What the store has to be told; nil if there is nothing.
    mutating func takeCheckpoint() -> PendingCheckpoint? {
        guard !kept.isEmpty else { return nil }
        defer {
            (kept, events, finished) = (Checkpoint(kept.destination), [], 0)
            (undecided, keptPlaces) = ([:], [:])
        }
        return PendingCheckpoint(checkpoint: kept, events: events, undecided: undecided, devices: finished)
    }

    /// A checkpoint is on disk.
    ///
    /// - Returns: the pushes that were withdrawn meanwhile.
    mutating func take(_ result: CheckpointResult, of pending: PendingCheckpoint, at now: Date) -> [StepReport.Push] {
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

    /// The pushes that have had neither an answer nor a refusal, as far as their places are wanted.
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
            let id = message.batch.flatMap { batch in batch.place(of: ordinal).map { batch.entries[$0].id } }
            return StepReport.Push(message: id ?? message.id, ordinal: ordinal)
        }
    }
}

/// A checkpoint on its way to the disk, and what can be told once it is there.
struct PendingCheckpoint: Sendable {
    var checkpoint: Checkpoint
    var events: [(StepReport.Push, JourneyEvent.Kind, Date)]
    /// By chunk: of a message that was withdrawn nothing is tried again.
    var undecided: [Chunk.ID: [StepReport.Push]]
    /// Devices that are no longer under way then.
    var devices: Int
}
