import NIOCore
import Synchronization

/// The links of one event loop that have something to write: one call of the loop has all of them write, however many have come
/// together until then.
final class LoopWriteBatch: Sendable {
    private struct Place {
        weak var turn: LoopWriteBatch?
    }

    private static let turns = Mutex<[ObjectIdentifier: Place]>([:])

    private let loop: any EventLoop
    private let links = Mutex<[WebSocketLink]>([])

    private init(_ loop: any EventLoop) { self.loop = loop }

    /// That of a loop, which lasts as long as a link of the loop has it.
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
