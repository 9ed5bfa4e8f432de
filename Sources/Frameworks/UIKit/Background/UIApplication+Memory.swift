public import Foundation
import SystemPort

extension UIApplication {
    /// Posted after `applicationDidReceiveMemoryWarning(_:)`: the device is short of memory.
    public nonisolated static let didReceiveMemoryWarningNotification = NSNotification.Name(
        "UIApplicationDidReceiveMemoryWarningNotification"
    )
}

extension UIApplicationDelegate {
    public func applicationDidReceiveMemoryWarning(_ application: UIApplication) { MethodProbe.miss() }
}

extension AppDelegateCall {
    func memoryWarning() { lifeCycle("DidReceiveMemoryWarning") { $0.applicationDidReceiveMemoryWarning($1) } }
}
