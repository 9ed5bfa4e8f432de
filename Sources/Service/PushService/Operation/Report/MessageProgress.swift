package import Foundation
package import PushModel

/// The progress of a push: each of its devices over APNs is in exactly one of ``sent``, ``ended`` and ``waiting``.
package struct MessageProgress: Hashable, Codable, Sendable {
    /// Devices in the audience, without those that only get something over their links.
    package private(set) var devices = 0
    /// Devices for which APNs answered 200.
    package private(set) var sent = 0
    /// Devices to which it will not be sent: refused by APNs, expired, withdrawn, without a token, or switched off.
    package private(set) var ended = 0
    /// Devices to which it will still be sent.
    package private(set) var waiting = 0
    /// Devices that get its custom message or its in-app message over their links.
    package private(set) var links = 0
    /// The earliest time at which a waiting part is due; nil if nothing waits.
    @OrNull package private(set) var nextAt: Date? = nil
    /// The name of the event for which that part waits or has ended; nil if there is none.
    @OrNull package private(set) var problem: String? = nil

    /// Counts the devices of a push's chunks.
    package init(_ chunks: [Chunk]) {
        for chunk in chunks { add(chunk) }
    }

    private mutating func add(_ chunk: Chunk) {
        let count = chunk.ordinals.ordinals.count
        guard !chunk.kind.isForLinks else {
            links += count
            return
        }
        // The devices of a retry were counted in the chunk that they came from.
        if chunk.kind != .retry { devices += count }
        guard chunk.kind.isForAPNs else {
            ended += count
            return
        }
        let sentHere = chunk.sent.count
        let settled = chunk.settled.count
        sent += sentHere
        ended += settled
        let rest = count - sentHere - settled - chunk.deferred.count
        guard !chunk.isDone else {
            ended += rest
            problem = problem ?? chunk.problem?.name
            return
        }
        waiting += rest
        if nextAt.map({ chunk.dueAt < $0 }) ?? true {
            nextAt = chunk.dueAt
            problem = chunk.problem?.name
        }
    }
}
