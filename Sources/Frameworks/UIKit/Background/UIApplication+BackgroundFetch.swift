public import Foundation
import PushModel
import SystemPort
import UserNotifications

extension UIApplication {
    /// The shortest interval that the system allows.
    public nonisolated static let backgroundFetchIntervalMinimum: TimeInterval = 0
    /// No background fetches, which is the default.
    public nonisolated static let backgroundFetchIntervalNever = TimeInterval.greatestFiniteMagnitude

    /// Sets the shortest time between background fetches. They need the background mode `fetch` and the user's switch.
    ///
    /// The emulated device fetches as soon as the interval has passed since the last fetch and since the app was in the foreground,
    /// and not within 15 minutes; not in Low Power Mode, and not after the user swiped the app away. Apple documents no such rule:
    /// a phone chooses the moment by the user's habits.
    @available(iOS, introduced: 7.0, deprecated: 13.0, message: "Use BGTaskScheduler.")
    public func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {
        let isNever = minimumBackgroundFetchInterval >= Self.backgroundFetchIntervalNever
        let seconds = isNever ? nil : max(0, minimumBackgroundFetchInterval)
        CurrentPort.find().call(.setFetchInterval(seconds: seconds))
    }
}

// The system calls the handler forms; their defaults call the async forms, whose defaults tell the probe that the app has neither.
extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        let delegate = Handoff(self)
        // Not awaited: it ends with the app's method, and the handler notifies the system.
        Task.immediate { @MainActor in
            completionHandler(await delegate.value.applicationPerformFetch(application))
        }
    }

    public func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult {
        MethodProbe.missed(.noData)
    }

    public func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        let delegate = Handoff(self)
        // Not awaited: it ends with the app's method, and the handler notifies the system.
        Task.immediate { @MainActor in
            await delegate.value.application(application, handleEventsForBackgroundURLSession: identifier)
            completionHandler()
        }
    }

    public func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String
    ) async { MethodProbe.miss() }
}

extension AppDelegateCall {
    /// Delivers the occasion for a background fetch.
    func performFetch() {
        let name = "application(_:performFetchWithCompletionHandler:)"
        let isImplemented = call(name, answering: { .fetched($0) }) { answer in
            delegate.application(application, performFetchWithCompletionHandler: { answer($0.outcome) })
        }
        if !isImplemented { reply(.notImplemented) }
    }

    /// Delivers the end of a background session's transfers.
    func backgroundSession(_ identifier: String) {
        let name = "application(_:handleEventsForBackgroundURLSession:completionHandler:)"
        let isImplemented = call(name, answering: { (_: Void) in .responded }) { answer in
            delegate.application(application, handleEventsForBackgroundURLSession: identifier) { answer(()) }
        }
        if !isImplemented { reply(.notImplemented) }
    }
}
