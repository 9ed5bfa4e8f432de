public import Foundation
import SystemPort

/// The device on which the app runs. On Linux this, and not `#available`, tells which iOS is played.
@MainActor
open class UIDevice: NSObject {
    private static let shared = UIDevice(inside: ())

    private init(inside: Void) {}

    open class var current: UIDevice { shared }

    open var name: String { CurrentPort.find().facts.deviceName }
    open var model: String { "iPhone" }
    open var systemName: String { "iOS" }
    /// `17.0`, for example.
    open var systemVersion: String { CurrentPort.find().facts.systemVersion }
    /// The same for this app on this device until the app is removed.
    open var identifierForVendor: UUID? { UUID(uuidString: CurrentPort.find().facts.vendorID) }
}
