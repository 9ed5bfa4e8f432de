public import Foundation

/// Modifies a push before it is shown. Subclass it and install the class on the device with the app.
///
/// On Linux it runs in the emulated device's own process, on the main thread.
open class UNNotificationServiceExtension: NSObject {
    public override init() { super.init() }

    /// Handles a push with `mutable-content` and an alert. The first call of the handler counts; without one within
    /// about 30 seconds the push is shown unmodified.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) { contentHandler(request.content) }

    /// Gives the extension the last chance to call the handler.
    open func serviceExtensionTimeWillExpire() {}
}
