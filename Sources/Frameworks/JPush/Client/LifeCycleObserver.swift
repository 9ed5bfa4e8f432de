import Foundation
import SystemPort
import UIKit

/// Hears when the app comes to the front and leaves it.
///
/// `@unchecked Sendable`: the tokens are written once, before anybody else has the object.
final class LifeCycleObserver: @unchecked Sendable {
    private var tokens: [any NSObjectProtocol] = []

    /// - Parameters:
    ///   - port: whose app; the notifications are those of all apps of the process.
    ///   - moved: called with whether the app is in front.
    init(_ port: any SystemPort, moved: @escaping @Sendable (Bool) -> Void) {
        let names: [(NSNotification.Name, Bool)] = [
            (UIApplication.willEnterForegroundNotification, true), (UIApplication.didBecomeActiveNotification, true),
            (UIApplication.didEnterBackgroundNotification, false),
        ]
        let app = ObjectIdentifier(port)
        for (name, isInFront) in names {
            // They are posted with the app bound.
            let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                guard let bound = CurrentPort.bound, ObjectIdentifier(bound) == app else { return }
                moved(isInFront)
            }
            tokens.append(token)
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    /// As of the event that the app is taking; true where that is not to be known.
    static func isInFront(on port: any SystemPort) -> Bool {
        guard MainThread.isCurrent else { return true }
        return MainActor.assumeIsolated {
            CurrentPort.with(port) { UIApplication.shared.applicationState != .background }
        }
    }
}
