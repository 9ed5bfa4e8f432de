import Foundation
import PushModel

/// A leased chunk, as far as a worker has come with it.
struct ChunkUnderWay {
    let message: Message
    let app: App
    let content: ChunkContent
    private(set) var chunk: Chunk
    /// All places before this one were handed to steps.
    private(set) var next: Int
    /// Where the steps begin that have not ended.
    private var begun: Set<Int> = []
    /// The first place that waits for the end of a pause.
    private var held: Int?
    /// What could not be decided, of a retry.
    private var undecided: (dueAt: Date, problem: JourneyEvent.Kind)?
    /// No further step begins; the rest goes back with this date once the steps under way have ended.
    private(set) var returnsAt: Date?
    /// Nothing of it is left to do, whatever the rest is.
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
    /// Whether the store is to be told the end of it.
    var isOver: Bool { isHandedOut && begun.isEmpty }
    /// How many devices have not been handed to a step.
    var devicesLeft: Int { isHandedOut ? 0 : end - next }
    /// The devices that were not sent to when it was leased.
    var ordinals: OrdinalList { chunk.ordinals }

    /// Takes places for a step; nil if none is left.
    mutating func take(_ limit: Int) -> (places: [Int], end: Int)? {
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

    /// Where the content of a place is found: the place itself, or of a batch's retry that of the same device.
    func contentPlace(_ place: Int) -> Int {
        guard isRetry, let batch = message.batch else { return place }
        return batch.place(of: chunk.ordinals.ordinals[place]) ?? 0
    }

    /// What a retry waited for, as far as it was not told when it began to wait.
    var untoldProblem: JourneyEvent.Kind? {
        if case .quietHours = chunk.problem { return nil }
        return isRetry ? chunk.problem : nil
    }

    mutating func prepared(through end: Int) { chunk.prepared = max(chunk.prepared, end) }

    /// No further step begins; what is left goes back.
    mutating func giveBack(at date: Date, because problem: JourneyEvent.Kind? = nil) {
        returnsAt = returnsAt.map { max($0, date) } ?? date
        if let problem { chunk.problem = problem }
    }

    /// Nothing more is done.
    mutating func close(as problem: JourneyEvent.Kind?) {
        isClosed = true
        if let problem { chunk.problem = problem }
    }

    /// Of a batch: these places are over.
    mutating func settle(_ places: PlaceSet) { chunk.settled.formUnion(places) }

    /// Takes in what has come of a step.
    mutating func finish(_ part: StepReport.Part, at date: Date) -> ChunkProgress {
        begun.remove(part.start)
        chunk.sent.formUnion(part.sent)
        chunk.settled.formUnion(part.settled)
        if let place = part.held.min() { held = min(held ?? place, place) }
        if let pause = part.pause { giveBack(at: min(chunk.dueAt, date), because: .paused(pause.reason)) }
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
        end(&progress)
        return progress
    }

    /// What there is to say of a chunk no step of which is under way.
    func ending(at date: Date) -> ChunkProgress {
        var progress = progress(at: date)
        end(&progress)
        return progress
    }

    private func progress(at date: Date) -> ChunkProgress {
        ChunkProgress(chunk, cursor: [begun.min(), held].compactMap(\.self).min() ?? next, at: date)
    }

    private func end(_ progress: inout ChunkProgress) {
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
