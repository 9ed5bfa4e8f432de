public import Foundation

/// The root of an app delegate.
@MainActor
open class UIResponder: NSObject {
    /// Required, so that a delegate can be made from its type alone; nonisolated as `NSObject`'s own.
    public required override nonisolated init() { super.init() }
}
