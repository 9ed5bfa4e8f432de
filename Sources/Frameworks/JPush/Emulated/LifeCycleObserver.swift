import Foundation
import SystemPort
import UIKit

/// Observes the apps of this process that have the SDK entering and leaving the foreground.
enum LifeCycleObserver {
    /// Observes, once for all apps.
    static let begin: Void = {
        // As no app's, so that it hears of all: they are posted with the app's port bound.
        CurrentPort.outside {
            for (name, isInFront) in PushCore.moves {
                _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                    CurrentPort.bound?.slots.known(PushCore.self)?.moved(toFront: isInFront)
                }
            }
        }
    }()

    /// Whether the app is in the foreground, as of the event that it is handling; true if unknown.
    static func isInFront(on port: any SystemPort) -> Bool {
        guard MainThread.isCurrent else { return true }
        return MainActor.assumeIsolated {
            CurrentPort.with(port) { UIApplication.shared.applicationState != .background }
        }
    }
}
