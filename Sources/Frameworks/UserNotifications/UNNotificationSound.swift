public import Foundation
import SystemPort

public struct UNNotificationSoundName: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notification. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class UNNotificationSound: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let record: SoundRecord

    init(_ record: SoundRecord) { self.record = record }

    public required convenience init?(coder: NSCoder) {
        guard let record: SoundRecord = RecordCoding.decode(from: coder) else { return nil }
        self.init(record)
    }

    /// A sound file of the app; if it is missing, the system's own sound plays.
    public convenience init(named name: UNNotificationSoundName) { self.init(SoundRecord(name: name.rawValue)) }

    open class var `default`: UNNotificationSound { UNNotificationSound(SoundRecord(name: nil)) }
    open class var defaultCritical: UNNotificationSound { critical(nil, nil) }
    open class var defaultRingtone: UNNotificationSound { ringtone(nil) }

    /// Returns the sound itself, so that `UNNotificationSound.default()`, the spelling of Swift 3 and 4, compiles beside today's
    /// ``default``.
    public func callAsFunction() -> UNNotificationSound { self }

    /// Returns the critical sound with a volume from 0 to 1.
    open class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound { critical(nil, volume) }

    open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound { critical(name, nil) }

    /// Returns a critical sound from a file of the app, with a volume from 0 to 1.
    open class func criticalSoundNamed(
        _ name: UNNotificationSoundName,
        withAudioVolume volume: Float
    ) -> UNNotificationSound {
        critical(name, volume)
    }

    open class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound { ringtone(name) }

    private static func critical(_ name: UNNotificationSoundName?, _ volume: Float?) -> UNNotificationSound {
        var record = SoundRecord(name: name?.rawValue)
        record.isCritical = true
        record.volume = volume.map { min(max($0, 0), 1) }
        return UNNotificationSound(record)
    }

    private static func ringtone(_ name: UNNotificationSoundName?) -> UNNotificationSound {
        var record = SoundRecord(name: name?.rawValue)
        record.isRingtone = true
        return UNNotificationSound(record)
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.record == record }
    open override var hash: Int { record.hashValue }
}
