import Foundation

/// The system's clock, and a queue of the client's own.
struct ClientQueue: ClientClock, ClientExecutor {
    private let queue = DispatchQueue(label: "posthorn.client")

    func timer(after milliseconds: Int, _ ring: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let work = DispatchWorkItem(block: ring)
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
        let held = Guarded(work)
        return { held.with { $0.cancel() } }
    }

    func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    func resume(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
