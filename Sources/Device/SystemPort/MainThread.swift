import Dispatch
import Foundation

/// The main thread, or the thread that runs the main queue in its place: on Linux a process may leave its first thread
/// asleep.
package enum MainThread {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? Thread.isMainThread }

    /// Runs `body` on the main thread, after this call, in the order of the calls.
    ///
    /// It uses the main operation queue: an observer with `queue: .main` is called within it, where Foundation would
    /// otherwise wait forever for the thread it is on. Dispatch's main queue comes first, so that operations are added
    /// from one thread only.
    package static func async(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(group: nil) { OperationQueue.main.addOperation(body) }
    }
}
