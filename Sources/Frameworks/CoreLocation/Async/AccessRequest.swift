import PushModel
import SystemPort

/// The requests for access that iOS 18 makes on behalf of an app.
enum AccessRequest {
    /// Asks for access while in use, as iterating updates and events does since iOS 18.
    ///
    /// Source: Apple, "What's new in location authorization" (WWDC 2024): the iteration has an implicit service session, unless the
    /// Info.plist has `NSLocationRequireExplicitServiceSession`.
    static func implicit(of manager: CLLocationManager, on port: any SystemPort) {
        guard port.facts.systemMajor >= 18, !needsSession(port), manager.authorizationStatus == .notDetermined else {
            return
        }
        manager.requestWhenInUseAuthorization()
    }

    /// Whether the app has no service session although its Info.plist says that it takes one.
    static func lacksSession(on port: any SystemPort) -> Bool {
        needsSession(port) && LocationSlot.of(port).sessionCount == 0
    }

    private static func needsSession(_ port: any SystemPort) -> Bool {
        port.facts.info["NSLocationRequireExplicitServiceSession"]?.bool ?? false
    }
}
