package import Dispatch

/// The queue on which an app wants its delegate called.
package struct DelegateQueue: Sendable {
    /// `@unchecked Sendable`: an app's delegate need not be Sendable; the body runs once, on the queue that the app chose, and the
    /// caller waits for it.
    private struct Body: @unchecked Sendable {
        let run: () -> Void
    }

    private let queue: DispatchQueue?

    /// - Parameter queue: nil for the main queue.
    package init(_ queue: DispatchQueue?) { self.queue = queue }

    /// Runs `body` on the queue with the device of the caller bound, and returns when it has returned.
    @MainActor
    package func run(_ body: @escaping () -> Void) async {
        guard let queue, queue !== DispatchQueue.main else { return body() }
        let context = CurrentPort.Context()
        let work = Body(run: body)
        await withCheckedContinuation { continuation in
            queue.async {
                context.run { work.run() }
                continuation.resume()
            }
        }
    }

    /// Runs a completion handler on the queue, or at once where this is the main queue already, in the context of the completed call.
    package func complete(in context: CurrentPort.Context, _ body: @escaping @Sendable () -> Void) {
        let queue = queue ?? .main
        if queue === DispatchQueue.main, MainThread.isCurrent { return context.run(body) }
        queue.async { context.run(body) }
    }
}
