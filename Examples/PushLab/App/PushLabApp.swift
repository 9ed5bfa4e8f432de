import UIKit

// In Xcode the app is one module.
#if !canImport(Darwin)
import PushLab
#endif

/// Where the app's process begins.
@main
enum PushLabApp {
    @MainActor
    static func main() { AppDelegate.main() }
}
