import Foundation
import SystemPort

/// The message that UIKit logs for an app without the scene-based life cycle, when the system gives it a scene.
///
/// Source: Apple, "TN3187: Migrating to the UIKit scene-based life cycle"; the beginning of the one of iOS 18.4 is that of the log
/// (developer.apple.com/forums/thread/778016). An app built with the SDK of iOS 27 gets there on iOS 26 and earlier only: iOS 27 does
/// not launch it.
enum SceneAdoption {
    /// Returns the message of a version of iOS, such as `26.0`; nil before 18.4, which has none.
    static func warning(on systemVersion: String) -> String? {
        if isAtLeast("26", systemVersion) {
            return "`UIScene` lifecycle will soon be required. Failure to adopt will result in an assert in the future."
        }
        guard isAtLeast("18.4", systemVersion) else { return nil }
        return """
            CLIENT OF UIKIT REQUIRES UPDATE: This process does not adopt UIScene lifecycle. This will become an assert in a future version.
            """
    }

    private static func isAtLeast(_ version: String, _ systemVersion: String) -> Bool {
        systemVersion.compare(version, options: .numeric) != .orderedAscending
    }
}
