import SystemPort
import UIKit

/// An app of iOS 7 to 9, with the permission, category and local notification APIs from before `UNUserNotificationCenter`.
package final class LegacyMatrixApp: MatrixApp {
    package override func register() {
        if plan.asksPermission { MatrixRequests.registerLegacySettings() }
    }

    package override func schedule(_ category: String) { MatrixRequests.scheduleLegacy(category) }
}
