import Dispatch
import Foundation

/// The main thread, or the thread that runs the main queue for it: on Linux a process may leave its first thread asleep.
enum MainThread {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? Thread.isMainThread }

    /// Runs `body` on the main thread, after this call, in the order of the calls.
    ///
    /// On the main operation queue: an observer with `queue: .main` is called within it, where Foundation would else wait
    /// for ever for the thread that it is on. And by way of Dispatch's, so that operations are added from one thread only.
    static func async(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(group: nil) { OperationQueue.main.addOperation(body) }
    }
}
