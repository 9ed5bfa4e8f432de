import Foundation
import PushModel

/// A leased chunk and its worker's progress.
struct LeasedChunk {
    let message: Message
    let app: App
    let content: ChunkContent
    private(set) var chunk: Chunk
    /// The place before which all places have been handed to steps.
    private(set) var next: Int
    /// The first places of steps in progress.
    private var begun: Set<Int> = []
    /// The first place that waits for the end of a pause.
    private var held: Int?
    /// The latest due time and the reason of undecided pushes, in a retry.
    private var undecided: (dueAt: Date, problem: JourneyEvent.Kind)?
    /// The date with which the rest is released when the steps in progress have ended; no further step begins. Nil while steps may
    /// begin.
    private(set) var returnsAt: Date?
    /// Whether the chunk is finished regardless of its remaining places.
    private(set) var isClosed = false

    init(_ item: Lease.Item, app: App, content: ChunkContent) {
        message = item.message
        chunk = item.chunk
        self.app = app
        self.content = content
        next = item.chunk.cursor
    }

    var isRetry: Bool { chunk.kind == .retry }
    private var end: Int { chunk.ordinals.ordinals.count }
    var isHandedOut: Bool { next == end || returnsAt != nil || isClosed }
    /// Whether the chunk has ended, so that the store has to be updated.
    var isOver: Bool { isHandedOut && begun.isEmpty }
    /// The number of devices not yet handed to a step.
    var devicesLeft: Int { isHandedOut ? 0 : end - next }
    /// The devices of the chunk.
    var ordinals: OrdinalList { chunk.ordinals }

    /// Takes up to `limit` places for a step; nil if none is left.
    mutating func nextPlaces(_ limit: Int) -> (places: [Int], end: Int)? {
        while next < end, !chunk.isOpen(next) { next += 1 }
        guard next < end, !isHandedOut else { return nil }
        let start = next
        var places: [Int] = []
        places.reserveCapacity(min(limit, end - next))
        while next < end, places.count < limit {
            if chunk.isOpen(next) { places.append(next) }
            next += 1
        }
        begun.insert(start)
        return (places, next)
    }

    /// Returns the place of the content: the place itself, or, in the retry of a batch, the original place of the same device.
    func contentPlace(_ place: Int) -> Int {
        guard isRetry, let batch = message.batch else { return place }
        return batch.place(of: chunk.ordinals.ordinals[place]) ?? 0
    }

    /// The reason why a retry waited, unless it was already reported when the wait began.
    var unreportedProblem: JourneyEvent.Kind? {
        if case .quietHours = chunk.problem { return nil }
        return isRetry ? chunk.problem : nil
    }

    mutating func prepared(through end: Int) { chunk.prepared = max(chunk.prepared, end) }

    /// Releases the remaining places at `date`; no further step begins.
    mutating func release(at date: Date, because problem: JourneyEvent.Kind? = nil) {
        returnsAt = returnsAt.map { max($0, date) } ?? date
        if let problem { chunk.problem = problem }
    }

    /// Finishes the chunk regardless of its remaining places.
    mutating func close(as problem: JourneyEvent.Kind?) {
        isClosed = true
        if let problem { chunk.problem = problem }
    }

    /// Marks places of a batch as finished.
    mutating func settle(_ places: PlaceSet) { chunk.settled.formUnion(places) }

    /// Applies the report of a step.
    mutating func finish(_ part: StepReport.Part, at date: Date) -> ChunkProgress {
        begun.remove(part.start)
        chunk.sent.formUnion(part.sent)
        chunk.settled.formUnion(part.settled)
        if let place = part.held.min() { held = min(held ?? place, place) }
        if let pause = part.pause { release(at: min(chunk.dueAt, date), because: .paused(pause.reason)) }
        var progress = progress(at: date)
        progress.sent = part.sent
        progress.settled = part.settled
        progress.undecided = part.undecided
        for undecided in part.undecided {
            if isRetry {
                self.undecided = (max(self.undecided?.dueAt ?? undecided.dueAt, undecided.dueAt), undecided.problem)
            } else {
                for place in undecided.places { chunk.deferred.insert(place) }
            }
        }
        setEnding(of: &progress)
        return progress
    }

    /// Returns the final progress of a chunk without steps in progress.
    func ending(at date: Date) -> ChunkProgress {
        var progress = progress(at: date)
        setEnding(of: &progress)
        return progress
    }

    private func progress(at date: Date) -> ChunkProgress {
        ChunkProgress(chunk, cursor: [begun.min(), held].compactMap(\.self).min() ?? next, at: date)
    }

    /// Sets how the chunk ends, if it has no steps in progress.
    private func setEnding(of progress: inout ChunkProgress) {
        progress.problem = chunk.problem
        guard begun.isEmpty else { return }
        if isClosed {
            progress.ending = .done
        } else if let undecided {
            progress.cursor = 0
            progress.problem = undecided.problem
            progress.ending = .released(dueAt: max(undecided.dueAt, returnsAt ?? undecided.dueAt))
        } else if let returnsAt, progress.cursor < end {
            progress.ending = .released(dueAt: returnsAt)
        } else if progress.cursor == end {
            progress.problem = nil
            progress.ending = .done
        }
    }
}
