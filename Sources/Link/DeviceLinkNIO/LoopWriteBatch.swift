import NIOCore
import Synchronization

/// The links of one event loop that have output pending: one task on the loop writes for all links that joined before
/// it runs.
final class LoopWriteBatch: Sendable {
    private struct Place {
        let turn: LoopWriteBatch
        var links = 0
    }

    /// The batches of loops with links. The links are counted, because a weak reference would make each use of a batch slower.
    private static let turns = Mutex<[ObjectIdentifier: Place]>([:])

    private let loop: any EventLoop
    private let links = Mutex<[WebSocketLink]>([])

    private init(_ loop: any EventLoop) { self.loop = loop }

    /// Returns the batch of a link's loop, until the link leaves.
    static func join(_ loop: any EventLoop) -> LoopWriteBatch {
        turns.withLock { turns in
            var place = turns[ObjectIdentifier(loop)] ?? Place(turn: LoopWriteBatch(loop))
            place.links += 1
            turns[ObjectIdentifier(loop)] = place
            return place.turn
        }
    }

    func leave() {
        Self.turns.withLock { turns in
            let key = ObjectIdentifier(loop)
            turns[key]?.links -= 1
            if turns[key]?.links == 0 { turns[key] = nil }
        }
    }

    func add(_ link: WebSocketLink) {
        let isFirst = links.withLock { links in
            links.append(link)
            return links.count == 1
        }
        if isFirst { loop.execute { self.drain() } }
    }

    private func drain() {
        let ready = links.withLock { links in
            defer { links = [] }
            return links
        }
        for link in ready { link.drain() }
    }
}
