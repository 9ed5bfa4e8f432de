import Foundation
import UIKit

/// The three APIs for registering and receiving notifications, by iOS version.
///
/// On an iPhone the test would be `#available`. On Linux that is always true: there the device reports its version.
enum Generation {
    /// iOS 7: notification types, no buttons.
    case types
    /// iOS 8 and 9: settings with categories. Buttons ask for text from iOS 9 on.
    case settings(asksForText: Bool)
    /// iOS 10 and later: the notification centre.
    case center

    @MainActor
    static var current: Generation {
        let major = Int(UIDevice.current.systemVersion.prefix { $0 != "." }) ?? 10
        return switch major {
        case ..<8: .types
        case 8, 9: .settings(asksForText: major == 9)
        default: .center
        }
    }

    /// Whether the app has a scene, as its Info.plist declares.
    @MainActor
    static var hasScenes: Bool { isAtLeast("13.0") }

    /// Returns whether the device has this version of iOS or a later one, such as `17.2`.
    @MainActor
    static func isAtLeast(_ version: String) -> Bool {
        UIDevice.current.systemVersion.compare(version, options: .numeric) != .orderedAscending
    }
}
