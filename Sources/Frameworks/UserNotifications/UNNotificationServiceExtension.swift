public import Foundation

/// Works on a push before it is shown. Subclass it and hand the class to the device with the app.
///
/// On Linux it runs in the emulated device's own process, on the main thread.
open class UNNotificationServiceExtension: NSObject {
    public required override init() { super.init() }

    /// A push with `mutable-content` and an alert. The first call of the handler counts; without one in about 30
    /// seconds the push is shown as it came.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// The last chance to call the handler.
    open func serviceExtensionTimeWillExpire() {}
}
