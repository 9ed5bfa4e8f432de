public import Foundation
import SystemPort

/// Something that an app does with a call, for the user or on its own.
open class CXAction: NSObject, NSCopying {
    /// Identifies the action.
    public internal(set) var uuid = UUID()
    /// The time until which the app must call ``fulfill()`` or ``fail()``, 10 seconds after the delegate was called: Apple documents
    /// no duration. In the distant future for an action that the app creates.
    public internal(set) var timeoutDate = Date.distantFuture
    weak var port: (any SystemPort)?
    private let lock = NSLock()
    private var isDone = false

    public override init() { super.init() }

    /// Whether the app has fulfilled it, or it has failed.
    open var isComplete: Bool { lock.withLock { isDone } }

    /// Reports that the app has performed the action. Only the first report counts.
    open func fulfill() { complete(true) }

    /// Reports that the app cannot perform the action. Only the first report counts.
    open func fail() { complete(false) }

    func complete(_ isFulfilled: Bool) {
        guard end() else { return }
        port?.call(.callKit(.completed(uuid, isFulfilled: isFulfilled))) { _ in }
    }

    /// - Returns: false if it has ended before.
    @discardableResult
    func end() -> Bool {
        lock.withLock {
            defer { isDone = true }
            return !isDone
        }
    }

    /// Returns the action itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
