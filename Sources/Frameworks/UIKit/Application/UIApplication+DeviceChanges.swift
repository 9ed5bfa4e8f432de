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
    func significantTimeChange() { lifeCycle("SignificantTimeChange") { $0.applicationSignificantTimeChange($1) } }
}

// Source: Apple, `isProtectedDataAvailable`, `applicationProtectedDataDidBecomeAvailable(_:)`.

extension UIApplication {
    /// Whether files under data protection can be read: the device is unlocked. It has a passcode.
    public var isProtectedDataAvailable: Bool { CurrentPort.facts.isProtectedDataAvailable }

    /// Posted after `applicationProtectedDataDidBecomeAvailable(_:)`.
    public nonisolated static let protectedDataDidBecomeAvailableNotification = NSNotification.Name(
        "UIApplicationProtectedDataDidBecomeAvailableNotification"
    )
    /// Posted after `applicationProtectedDataWillBecomeUnavailable(_:)`.
    public nonisolated static let protectedDataWillBecomeUnavailableNotification = NSNotification.Name(
        "UIApplicationProtectedDataWillBecomeUnavailableNotification"
    )
}

extension UIApplicationDelegate {
    public func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) { MethodProbe.miss() }
    public func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) { MethodProbe.miss() }
}

extension AppDelegateCall {
    func protectedData(isAvailable: Bool) {
        if isAvailable {
            lifeCycle("ProtectedDataDidBecomeAvailable") { $0.applicationProtectedDataDidBecomeAvailable($1) }
        } else {
            lifeCycle("ProtectedDataWillBecomeUnavailable") { $0.applicationProtectedDataWillBecomeUnavailable($1) }
        }
    }
}

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
