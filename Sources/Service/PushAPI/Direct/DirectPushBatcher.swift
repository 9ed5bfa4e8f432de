import NIOCore
import PushService
import Synchronization

/// Collects the pushes that an event loop reads in one iteration; they are written and answered together.
///
/// There is no timer: an iteration ends when all available input is read.
final class DirectPushBatcher {
    private struct Item {
        let request: DirectPushes.Request
        let handler: DirectPushHandler
    }

    private let acceptor: PushAcceptor
    private let metrics: APIMetrics
    private let loop: any EventLoop
    private var pushes: [PreparedPush] = []
    private var items: [Item] = []

    fileprivate init(_ acceptor: PushAcceptor, _ metrics: APIMetrics, on loop: any EventLoop) {
        self.acceptor = acceptor
        self.metrics = metrics
        self.loop = loop
    }

    func add(_ push: consuming PreparedPush, _ request: DirectPushes.Request, of handler: DirectPushHandler) {
        pushes.append(push)
        items.append(Item(request: request, handler: handler))
        guard items.count == 1 else { return }
        let me = NIOLoopBound(self, eventLoop: loop)
        // Runs after the events of this iteration.
        loop.execute { me.value.send() }
    }

    private func send() {
        let sent = NIOLoopBound(items, eventLoop: loop)
        let pushes = pushes
        self.pushes = []
        items = []
        // The heads of all of them were read in this iteration, unless a body was long.
        let start = metrics.start
        acceptor.write(pushes) { [loop, metrics] results in
            loop.execute {
                var answered: [Int: Int] = [:]
                for (item, result) in zip(sent.value, results) {
                    guard let status = item.handler.answer(result, to: item.request), start != nil else { continue }
                    answered[status, default: 0] += 1
                }
                for (status, count) in answered {
                    let kind = APIMetrics.Kind(method: "POST", route: DirectPushes.path, status: status)
                    metrics.answered(kind, count: count, since: start)
                }
            }
        }
    }
}

/// The batchers of the server's event loops.
final class DirectPushBatchers: Sendable {
    private let acceptor: PushAcceptor
    private let metrics: APIMetrics
    private let batchers = Mutex<[ObjectIdentifier: NIOLoopBound<DirectPushBatcher>]>([:])

    init(_ acceptor: PushAcceptor, _ metrics: APIMetrics) {
        self.acceptor = acceptor
        self.metrics = metrics
    }

    /// Returns the batcher of an event loop; must be called on that loop.
    func batcher(on loop: any EventLoop) -> DirectPushBatcher {
        batchers.withLock { batchers in
            if let batcher = batchers[ObjectIdentifier(loop)] { return batcher }
            let batcher = NIOLoopBound(DirectPushBatcher(acceptor, metrics, on: loop), eventLoop: loop)
            batchers[ObjectIdentifier(loop)] = batcher
            return batcher
        }.value
    }
}
