public import Dispatch
public import Foundation
import SystemPort

// Work that an app dispatches keeps its device. Without default arguments these overloads win against the originals.
// What Foundation calls by itself (`Timer`, `OperationQueue`, `URLSession`'s handlers) loses the device: its methods have no default
// arguments, so no overload can be preferred. The porting guide names the remedies.

extension DispatchQueue {
    /// Works like Dispatch's own; the work keeps its device.
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {
        let context = CurrentPort.Context()
        async(group: nil) { context.run(work) }
    }

    /// Works like Dispatch's own; the work keeps its device. The time is the system's, not the device's.
    public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void) {
        let context = CurrentPort.Context()
        asyncAfter(deadline: deadline, qos: .unspecified) { context.run(work) }
    }
}

extension DispatchWorkItem {
    /// Works like Dispatch's own; the work keeps its device.
    public convenience init(block: @escaping @convention(block) () -> Void) {
        let context = CurrentPort.Context()
        self.init(qos: .unspecified, flags: []) { context.run(block) }
    }
}

extension DispatchGroup {
    /// Works like Dispatch's own; the work keeps its device.
    public func notify(queue: DispatchQueue, execute work: @escaping @Sendable @convention(block) () -> Void) {
        let context = CurrentPort.Context()
        notify(qos: .unspecified, flags: [], queue: queue) { context.run(work) }
    }
}

extension DispatchSourceProtocol {
    /// Works like Dispatch's own; the handler keeps its device.
    public func setEventHandler(handler: @escaping @convention(block) () -> Void) {
        let context = CurrentPort.Context()
        setEventHandler(qos: .unspecified, flags: []) { context.run(handler) }
    }
}

extension Task where Failure == Never {
    /// Works like Swift's own; the task keeps its device.
    @discardableResult
    public static func detached(operation: sending @escaping @isolated(any) () async -> Success) -> Task<Success, Never>
    {
        let context = CurrentPort.Context()
        // Detached, as the app asked.
        return Task.detached(priority: nil) { await context.run { await operation() } }
    }
}

extension Task where Failure == any Error {
    /// Works like Swift's own; the task keeps its device.
    @discardableResult
    public static func detached(
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> Task<Success, any Error> {
        let context = CurrentPort.Context()
        // Detached, as the app asked.
        return Task.detached(priority: nil) { try await context.run { try await operation() } }
    }
}

// Each app of a phone is a process of its own, with a notification centre of its own; here all apps of a Linux process share
// Foundation's. An observer therefore hears only of what its own app, or code outside of all apps, posts.

extension NotificationCenter {
    /// Works like Foundation's own for the app that calls it: the block gets the posts of this app alone, and runs with the app's
    /// device. Code outside of all apps, such as a test, gets every post.
    ///
    /// Preferred to Foundation's because its name is not optional; with `forName: nil` Foundation's is called.
    public func addObserver(
        forName name: NSNotification.Name,
        object obj: Any?,
        queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        let everyName: NSNotification.Name? = name
        guard let port = CurrentPort.bound else {
            return addObserver(forName: everyName, object: obj, queue: queue, using: block)
        }
        // The device of the post is known on the thread that posts; the queue comes after.
        return addObserver(forName: everyName, object: obj, queue: nil) { notification in
            if let poster = CurrentPort.bound, poster !== port { return }
            guard let queue, queue != OperationQueue.current else {
                return CurrentPort.with(port) { block(notification) }
            }
            let handed = Handoff(notification)
            queue.addOperation { CurrentPort.with(port) { block(handed.value) } }
            // As Foundation does: the post returns when its observers have.
            queue.waitUntilAllOperationsAreFinished()
        }
    }
}
