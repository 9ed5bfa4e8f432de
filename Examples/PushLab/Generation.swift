import UIKit

/// The three ways in which an app registers and hears of notifications, by the version of iOS.
///
/// `#available` would be the test on an iPhone. On Linux it is always true: there the device says what it plays.
enum Generation {
    /// iOS 7: kinds of notification, no buttons.
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
}
