public import Foundation

public struct UNNotificationSoundName: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notification. `@unchecked Sendable`: it never changes, and an open class cannot say so otherwise.
open class UNNotificationSound: NSObject, NSCopying, @unchecked Sendable {
    /// Nil for the system's own.
    let name: UNNotificationSoundName?

    init(name: UNNotificationSoundName?) { self.name = name }

    public convenience init(named name: UNNotificationSoundName) { self.init(name: name) }

    open class var `default`: UNNotificationSound { UNNotificationSound(name: nil) }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSound)?.name == name && object != nil
    }
    open override var hash: Int { name.hashValue }
}
