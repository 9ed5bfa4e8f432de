public import Foundation

/// A floor of a building. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The number of the floor; 0 is the ground floor.
    open var level: Int { number }

    private let number: Int

    init(level: Int) { number = level }

    public required init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "level") }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { coder.encode(number, forKey: "level") }
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The origin of a location. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// True for each location of an emulated device, as in Apple's simulator.
    open var isSimulatedBySoftware: Bool { isSimulated }
    /// Whether an accessory has measured the location.
    open var isProducedByAccessory: Bool { isOfAccessory }

    private let isSimulated: Bool
    private let isOfAccessory: Bool

    /// Creates the information.
    ///
    /// - Parameters:
    ///   - isSoftware: whether software has made up the location.
    ///   - isAccessory: whether an accessory has measured it.
    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        isSimulated = isSoftware
        isOfAccessory = isAccessory
    }

    public required init?(coder: NSCoder) {
        isSimulated = coder.decodeBool(forKey: "isSimulated")
        isOfAccessory = coder.decodeBool(forKey: "isOfAccessory")
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(isSimulated, forKey: "isSimulated")
        coder.encode(isOfAccessory, forKey: "isOfAccessory")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}
