import NIOCore
import PushService
import Synchronization

/// Collects the pushes that an event loop reads in one iteration; they are written and answered together.
///
/// There is no timer: an iteration ends when all available input is read.
final class DirectPushBatcher {
    private struct Item {
        let taken: DirectPushes.Taken
        let handler: DirectPushHandler
    }

    private let acceptor: PushAcceptor
    private let loop: any EventLoop
    private var items: [Item] = []

    fileprivate init(_ acceptor: PushAcceptor, on loop: any EventLoop) {
        self.acceptor = acceptor
        self.loop = loop
    }

    func add(_ taken: DirectPushes.Taken, of handler: DirectPushHandler) {
        items.append(Item(taken: taken, handler: handler))
        guard items.count == 1 else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        // Runs after the events of this iteration.
        loop.execute { me.value.send() }
    }

    private func send() {
        let sent = NIOLoopBound(items, eventLoop: loop)
        let requests = items.map(\.taken.request)
        items = []
        acceptor.keep(requests) { [loop] results in
            loop.execute {
                for (item, result) in zip(sent.value, results) { item.handler.answer(result, to: item.taken) }
            }
        }
    }
}

/// The batchers of the server's event loops.
final class DirectPushBatchers: Sendable {
    private let acceptor: PushAcceptor
    private let batchers = Mutex<[ObjectIdentifier: NIOLoopBound<DirectPushBatcher>]>([:])

    init(_ acceptor: PushAcceptor) { self.acceptor = acceptor }

    /// Returns the batcher of an event loop; must be called on that loop.
    func batcher(on loop: any EventLoop) -> DirectPushBatcher {
        batchers.withLock { batchers in
            if let batcher = batchers[ObjectIdentifier(loop)] { return batcher }
            let batcher = NIOLoopBound(DirectPushBatcher(acceptor, on: loop), eventLoop: loop)
            batchers[ObjectIdentifier(loop)] = batcher
            return batcher
        }.value
    }
}
