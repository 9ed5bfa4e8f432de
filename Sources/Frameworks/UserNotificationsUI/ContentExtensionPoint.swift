import SystemPort
import UIKit
import UserNotifications

/// Content extensions that are programs of their own. `NSExtensionMain()` finds this class by its name.
final class ContentExtensionPoint: ExtensionPoint {
    static func host(of principal: AnyClass, port: any SystemPort) -> (any AppEndpoint)? {
        guard let type = principal as? any (UIViewController & UNNotificationContentExtension).Type else { return nil }
        return ContentExtensionHost(port: port) { make(type) }
    }

    @MainActor
    private static func make<Controller: UIViewController & UNNotificationContentExtension>(
        _ type: Controller.Type
    ) -> Controller { ObjectCreation.make(type) }
}
