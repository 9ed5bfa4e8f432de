/// Who waits for the outcome of a push.
///
/// Without the checks of a checked continuation, which cost a tenth of a push: a waiter lies in the line or in a place, and
/// both hand it out once (``PushSlots/remove(_:)``, ``WaitingLine``).
@safe
struct Waiter: Sendable {
    private let continuation: UnsafeContinuation<PushEnding, Never>

    func resume(_ ending: PushEnding) { unsafe continuation.resume(returning: ending) }

    /// Waits for ``resume(_:)``, to be called exactly once.
    nonisolated(nonsending) static func ending(_ enter: (Waiter) -> Void) async -> PushEnding {
        unsafe await withUnsafeContinuation { unsafe enter(Waiter(continuation: $0)) }
    }

    private init(continuation: UnsafeContinuation<PushEnding, Never>) { unsafe self.continuation = continuation }
}
