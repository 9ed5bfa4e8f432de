public import Foundation

/// A floor of a building. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The number of the floor; 0 is the ground floor.
    open private(set) var level: Int

    init(level: Int) { self.level = level }

    public required init?(coder: NSCoder) { level = coder.decodeInteger(forKey: "level") }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { coder.encode(level, forKey: "level") }
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
