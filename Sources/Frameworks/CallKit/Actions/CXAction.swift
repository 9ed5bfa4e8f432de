import CallAudio
public import Foundation

/// Something that an app does with a call, for the user or on its own.
open class CXAction: NSObject, NSCopying {
    let progress = ActionProgress(timeout: .distantFuture)

    /// Identifies the action.
    open var uuid: UUID { progress.id }
    /// The time until which the app must call ``fulfill()`` or ``fail()``, 10 seconds after the delegate was called: Apple documents
    /// no duration. In the distant future for an action that the app creates.
    open var timeoutDate: Date { progress.timeout }

    public override init() { super.init() }

    /// Whether the app has fulfilled it, or it has failed.
    open var isComplete: Bool { progress.isComplete }

    /// Reports that the app has performed the action. Only the first report counts.
    open func fulfill() { progress.complete(true) }

    /// Reports that the app cannot perform the action. Only the first report counts.
    open func fail() { progress.complete(false) }

    /// Returns the action itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
