import Foundation
import PushModel

/// Finds the pushes of a request that can be stored together and sent as one chunk.
///
/// Each of them is a notification or a custom message, not both, with neither a VoIP push nor a callback nor a topic. It goes to a single
/// reachable device, is sent immediately, and has the same environment and time to live as the others. Only the first push to a
/// device qualifies; later ones are accepted as if sent alone, after it.
struct BatchSorter {
    struct Candidate {
        var place: Int
        var push: BatchPush.Head
    }

    /// A push that is stored as if it were sent alone.
    struct SinglePush {
        var place: Int
        var id = MessageID(0)
        var resolution: Resolution
    }

    private struct Kind: Hashable {
        var environment: APNSEnvironment
        var timeToLive: Int64
        var chunkKind: Chunk.Kind
    }

    private struct Entry {
        var ordinal: DeviceOrdinal
        var candidate: Int
    }

    private struct Group {
        var kind: Kind
        var entries: [Entry]
        var firstID = MessageID(0)
    }

    /// The results by the places of the entries; nil for pushes still to be written.
    var results: [Result<PushResult, JPushError>?]
    /// The entries that are valid in themselves.
    let candidates: [Candidate]
    private(set) var singles: [SinglePush] = []
    /// The number of paced pushes in ``singles``.
    private(set) var paced = 0
    private var groups: [Group] = []
    /// The places of the entries that reach no device, and whether that is for want of a proof of the alias.
    private var withoutTarget: [(place: Int, isUnproved: Bool)] = []
    private var known: Set<DeviceOrdinal> = []
    private let app: App
    private let batch: PushBatch
    private let isFollowed: Bool

    /// `isFollowed` is whether events are written for each push, which then has a message of its own.
    init(_ batch: PushBatch, app: App, isFollowed: Bool) {
        self.app = app
        self.batch = batch
        self.isFollowed = isFollowed
        var results: [Result<PushResult, JPushError>?] = []
        results.reserveCapacity(batch.entries.count)
        var candidates: [Candidate] = []
        candidates.reserveCapacity(batch.entries.count)
        for place in batch.entries.indices {
            do throws(JPushError) {
                let push = try batch.entries[place].push.get()
                try app.key.check(cid: batch.entries[place].cid)
                candidates.append(Candidate(place: place, push: push))
                results.append(nil)
            } catch {
                results.append(.failure(error))
            }
        }
        self.results = results
        self.candidates = candidates
        known.reserveCapacity(candidates.count)
    }

    /// Adds the candidate with this index; candidates are added in order.
    mutating func add(_ index: Int, to target: Registry.BatchTarget) {
        let candidate = candidates[index]
        let options = candidate.push.options
        var resolution: Resolution
        switch target {
        case .device(let ordinal):
            let isFirst = known.insert(ordinal).inserted
            guard
                !isFirst || isFollowed || options.topic != nil || options.slowMinutes > 0
                    || options.unlessOpened != nil || !candidate.push.hasOneKind
            else {
                let kind = Kind(
                    environment: options.environment,
                    timeToLive: options.timeToLive,
                    chunkKind: candidate.push.hasNotification ? .send : .message
                )
                // One step sends all of them, so that none waits for the outcome of another.
                let place =
                    groups.firstIndex { $0.kind == kind && $0.entries.count < LanePlan.stepSize } ?? groups.count
                if place == groups.count {
                    var entries: [Entry] = []
                    entries.reserveCapacity(min(candidates.count, LanePlan.stepSize))
                    groups.append(Group(kind: kind, entries: entries))
                }
                return groups[place].entries.append(Entry(ordinal: ordinal, candidate: index))
            }
            resolution = Resolution()
            resolution.reachable = [ordinal]
        case .others(let others):
            resolution = others
            known.formUnion(others.linked)
        }
        guard !resolution.reachesNobody(candidate.push.hasNotification || candidate.push.hasVoIP) else {
            return withoutTarget.append((candidate.place, !resolution.unproved.isEmpty))
        }
        if options.pacedMinutes > 0 { paced += 1 }
        singles.append(SinglePush(place: candidate.place, resolution: resolution))
    }

    /// Assigns an id to each candidate: first to pushes stored together, in the order of their devices, then to the others, which
    /// are therefore sent after them.
    mutating func number(from first: MessageID) {
        var next = first
        for place in groups.indices {
            groups[place].entries.sort { $0.ordinal < $1.ordinal }
            groups[place].firstID = next
            next.number += Int64(groups[place].entries.count)
        }
        for place in singles.indices {
            singles[place].id = next
            next.number += 1
        }
        for (place, isUnproved) in withoutTarget {
            results[place] = .failure(JPushError.noTarget(next, isUnproved: isUnproved))
            next.number += 1
        }
    }

    /// Returns the pushes that are stored together, each group as one.
    func batches(at now: Date) -> [PreparedPush] {
        groups.map { group in
            var id = group.firstID
            var custom: [CustomMessageDelivery.Direct] = []
            let entries = group.entries.map { entry in
                defer { id.number += 1 }
                let candidate = candidates[entry.candidate]
                if let content = candidate.push.message {
                    custom.append(CustomMessageDelivery.Direct(device: entry.ordinal, message: id, content: content))
                }
                return MessageBatch.Entry(
                    id: id,
                    ordinal: entry.ordinal,
                    cid: batch.entries[candidate.place].cid,
                    sendno: candidate.push.options.sendno,
                    text: batch.text[batch.entries[candidate.place].range]
                )
            }
            var message = Message(
                id: group.firstID,
                app: app.id,
                acceptedAt: now,
                environment: group.kind.environment,
                timeToLive: group.kind.timeToLive
            )
            message.origin = RequestOrigin.current
            var push = PreparedPush(MessageBatch(kind: batch.kind, entries: entries), in: message, group.kind.chunkKind)
            if group.kind.chunkKind == .message { push.custom = .each(custom) }
            return push
        }
    }

    /// Sets the results of the pushes that were stored: those of ``batches(at:)``, then ``singles``.
    mutating func complete(_ stored: [[PushResult]]) {
        let places = groups.map { $0.entries.map { candidates[$0.candidate].place } } + singles.map { [$0.place] }
        for (place, result) in zip(places.joined(), stored.joined()) { results[place] = .success(result) }
    }
}

extension BatchPush.Head {
    fileprivate var hasOneKind: Bool { !hasVoIP && !hasCallback && hasNotification != (message != nil) }
}

extension BatchSorter {
    /// The pushes that belong to push plans; they have their ids.
    var labels: [(message: MessageID, plan: String)] {
        let batched = groups.flatMap { group in
            group.entries.enumerated().compactMap { index, entry in
                candidates[entry.candidate].push.options.plan.map { plan in
                    (message: MessageID(group.firstID.number + Int64(index)), plan: plan)
                }
            }
        }
        return batched
            + singles.compactMap { single in
                (try? batch.entries[single.place].push.get().options.plan).map { (message: single.id, plan: $0) }
            }
    }
}
