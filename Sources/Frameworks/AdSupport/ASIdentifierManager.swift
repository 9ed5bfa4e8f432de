public import Foundation
import SystemPort

/// The identifier of a device for advertising. Source: Apple, `ASIdentifierManager`.
open class ASIdentifierManager: NSObject {
    // Immutable and stateless: all apps of a Linux process may share it.
    nonisolated(unsafe) private static let only = ASIdentifierManager()

    /// The only manager of the process.
    open class func shared() -> ASIdentifierManager { unsafe only }

    /// The identifier, the same for all apps of the device. All zeros since iOS 14, as an emulated phone's user allows
    /// no tracking.
    open var advertisingIdentifier: UUID {
        let none = "00000000-0000-0000-0000-000000000000"
        let text = isAllowed ? CurrentPort.facts.advertisingID : none
        return UUID(uuidString: text) ?? UUID()
    }

    /// Whether the emulated user allows apps to ask for tracking; without permission the identifier is all zeros.
    @available(iOS, introduced: 6.0, deprecated: 14.0, message: "Ask for the tracking authorization status.")
    open var isAdvertisingTrackingEnabled: Bool { isAllowed }

    private var isAllowed: Bool { CurrentPort.facts.systemMajor < 14 }
}
