public import Foundation

/// The origin of a location. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// True for each location of an emulated device, as in Apple's simulator.
    open private(set) var isSimulatedBySoftware: Bool
    /// Whether an accessory has measured the location.
    open private(set) var isProducedByAccessory: Bool

    /// Creates the information: whether software has made up the location, and whether an accessory has measured it.
    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        isSimulatedBySoftware = isSoftware
        isProducedByAccessory = isAccessory
    }

    public required init?(coder: NSCoder) {
        isSimulatedBySoftware = coder.decodeBool(forKey: "isSimulated")
        isProducedByAccessory = coder.decodeBool(forKey: "isOfAccessory")
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(isSimulatedBySoftware, forKey: "isSimulated")
        coder.encode(isProducedByAccessory, forKey: "isOfAccessory")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}
