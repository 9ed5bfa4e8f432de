#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

/// Runs the body on the main thread, after this call, in the order of the calls.
func runOnMain(_ body: @escaping @MainActor @Sendable () -> Void) { DispatchQueue.main.async { body() } }

/// An app's completion, which the SDK calls on the main thread.
struct MainCall<Completion>: Sendable {
    private let boxed: Boxed<Completion?>

    init(_ completion: Completion?) { boxed = Boxed(completion) }

    /// Calls `body` with the completion, on the main thread.
    func call(_ body: @escaping @Sendable (Completion?) -> Void) {
        let boxed = boxed
        runOnMain { body(boxed.value) }
    }
}

#endif
