public import Foundation
import SystemPort

extension UIApplication {
    /// Posted after `applicationSignificantTimeChange(_:)`: midnight, daylight saving time, another time zone, or a correction by
    /// the carrier.
    public nonisolated static let significantTimeChangeNotification = NSNotification.Name(
        "UIApplicationSignificantTimeChangeNotification"
    )
}

extension UIApplicationDelegate {
    public func applicationSignificantTimeChange(_ application: UIApplication) { MethodProbe.miss() }
}

extension AppDelegateCall {
    func significantTimeChange() {
        lifeCycle("SignificantTimeChange") { $0.applicationSignificantTimeChange($1) }
    }
}
