import UIKit

// In Xcode the app is one module.
#if !canImport(Darwin)
import PushLab
#endif

/// The entry point of the app's process.
@main
enum PushLabApp {
    @MainActor
    static func main() { AppDelegate.main() }
}
