import SystemPort

/// Receives notifications. Every method is optional, each in one of two spellings: with a handler, or `async`.
///
/// All are entered on the main thread. On Linux a method that a subclass adds to the conforming class is not called:
/// the class that declares the conformance has to implement it.
@preconcurrency public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// A notification arrives in the foreground. Nothing is shown unless the handler is called in time.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    )

    /// The `async` form for a notification that arrives in the foreground; called if the app does not implement the
    /// other.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// The user acted on a notification.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    )

    /// The `async` form for the user's action; called if the app does not implement the other.
    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async

    /// The user opens the app's own settings; from the system's settings there is no notification.
    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

// The system calls the handler form; its default calls the async form; the default of that answers as Apple documents
// for a missing method, and reports it to the probe. Nothing calls back, so there is no recursion.
extension UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        let delegate = Handoff(self)
        MethodProbe.start {
            completionHandler(await delegate.value.userNotificationCenter(center, willPresent: notification))
        }
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { MethodProbe.missed([]) }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let delegate = Handoff(self)
        MethodProbe.start {
            await delegate.value.userNotificationCenter(center, didReceive: response)
            completionHandler()
        }
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async { MethodProbe.miss() }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification?
    ) { MethodProbe.miss() }
}
