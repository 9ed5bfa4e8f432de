import Foundation
import SystemPort
import UIKit

/// Observes the app entering and leaving the foreground.
///
/// `@unchecked Sendable`: the tokens are written once, before the object is shared.
final class LifeCycleObserver: @unchecked Sendable {
    private var tokens: [any NSObjectProtocol] = []

    /// - Parameters:
    ///   - port: the port of the app; the notifications are those of all apps of the process.
    ///   - moved: called with whether the app is in the foreground.
    init(_ port: any SystemPort, moved: @escaping @Sendable (Bool) -> Void) {
        let names: [(NSNotification.Name, Bool)] = [
            (UIApplication.willEnterForegroundNotification, true), (UIApplication.didBecomeActiveNotification, true),
            (UIApplication.didEnterBackgroundNotification, false),
        ]
        let app = ObjectIdentifier(port)
        for (name, isInFront) in names {
            // They are posted with the app's port bound.
            let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                guard let bound = CurrentPort.bound, ObjectIdentifier(bound) == app else { return }
                moved(isInFront)
            }
            tokens.append(token)
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    /// Whether the app is in the foreground, as of the event that it is handling; true if unknown.
    static func isInFront(on port: any SystemPort) -> Bool {
        guard MainThread.isCurrent else { return true }
        return MainActor.assumeIsolated {
            CurrentPort.with(port) { UIApplication.shared.applicationState != .background }
        }
    }
}
