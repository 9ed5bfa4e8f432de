/// A caller that waits for the outcome of a push.
///
/// It omits the checks of a checked continuation, which cost a tenth of a push: a waiter is in the queue or in a slot, and
/// both return it once (``PushSlots/remove(_:)``, ``WaitingLine``).
@safe
struct Waiter: Sendable {
    private let continuation: UnsafeContinuation<PushEnding, Never>

    func resume(_ ending: PushEnding) { unsafe continuation.resume(returning: ending) }

    /// Waits for ``resume(_:)``, which must be called exactly once.
    nonisolated(nonsending) static func ending(_ enter: (Waiter) -> Void) async -> PushEnding {
        unsafe await withUnsafeContinuation { unsafe enter(Waiter(continuation: $0)) }
    }

    private init(continuation: UnsafeContinuation<PushEnding, Never>) { unsafe self.continuation = continuation }
}
