import NIOCore
import Synchronization

/// The links of one event loop that have output pending: one task on the loop writes for all links that joined before
/// it runs.
final class LoopWriteBatch: Sendable {
    private struct Place {
        weak var turn: LoopWriteBatch?
    }

    private static let turns = Mutex<[ObjectIdentifier: Place]>([:])

    private let loop: any EventLoop
    private let links = Mutex<[WebSocketLink]>([])

    private init(_ loop: any EventLoop) { self.loop = loop }

    /// Returns the batch of a loop, which lives as long as a link of the loop uses it.
    static func of(_ loop: any EventLoop) -> LoopWriteBatch {
        turns.withLock { turns in
            let key = ObjectIdentifier(loop)
            if let turn = turns[key]?.turn { return turn }
            turns = turns.filter { $0.value.turn != nil }
            let turn = LoopWriteBatch(loop)
            turns[key] = Place(turn: turn)
            return turn
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
