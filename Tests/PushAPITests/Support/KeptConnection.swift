import Synchronization

/// A connection for one request after the other: a server spends more on a new connection than on most requests.
final class KeptConnection: Sendable {
    private struct Order {
        var request: String
        var isHead: Bool
        var answered: CheckedContinuation<Answer, any Error>
    }

    private let orders: AsyncStream<Order>
    private let waiting: AsyncStream<Order>.Continuation
    private let isBusy = Atomic(false)

    init() { (orders, waiting) = AsyncStream.makeStream() }

    /// Sends a request and waits for its answer.
    ///
    /// - Returns: nil, and nothing is sent, while the connection is used by another request.
    func answer(to request: String, isHead: Bool) async throws -> Answer? {
        guard !isBusy.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        defer { isBusy.store(false, ordering: .releasing) }
        return try await withCheckedThrowingContinuation { answered in
            let order = Order(request: request, isHead: isHead, answered: answered)
            if case .enqueued = waiting.yield(order) { return }
            answered.resume(throwing: RawConnection.Ended())
        }
    }

    /// Carries requests until `end()`. Opens the connection for the first, and again after the server has closed it.
    func run(_ port: Int) async {
        var orders = orders.makeAsyncIterator()
        var next = await orders.next()
        while next != nil {
            var isNew = true
            do {
                try await RawConnection.open(port) { connection in
                    while let order = next {
                        let answer: Answer
                        do {
                            try await connection.send(order.request)
                            answer = try await connection.answer(toHead: order.isHead)
                        } catch  where !isNew {
                            // It was closed in the meantime.
                            return
                        }
                        order.answered.resume(returning: answer)
                        isNew = false
                        next = await orders.next()
                        guard answer.leavesConnectionOpen else { return }
                    }
                }
            } catch {
                guard isNew, let order = next else { continue }
                order.answered.resume(throwing: error)
                next = await orders.next()
            }
        }
    }

    /// Ends the connection after the requests so far.
    func end() { waiting.finish() }
}

extension Answer {
    /// Whether its end is known and the server keeps the connection.
    fileprivate var leavesConnectionOpen: Bool {
        headers["content-length"] != nil && headers["connection"]?.lowercased() != "close"
    }
}
