import Dispatch
import Foundation

/// Whether this is the main thread, or a thread that runs the main queue for it: on Linux a process may leave its first
/// thread asleep.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? Thread.isMainThread }
}
