public import Foundation
import SystemPort

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
