public import Foundation
import SystemPort

/// The name of a sound file in the app's bundle or its `Library/Sounds`, with the extension.
public struct UNNotificationSoundName: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a name; a file that is missing, or longer than 30 seconds, makes the default sound play.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notification. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class UNNotificationSound: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let record: SoundRecord

    init(_ record: SoundRecord) {
        self.record = record
        super.init()
        SystemSymbol.sound.require()
    }

    public required convenience init?(coder: NSCoder) {
        guard let record: SoundRecord = RecordCoding.decode(from: coder) else { return nil }
        self.init(record)
    }

    /// A sound file of the app; if it is missing, the system's own sound plays.
    public convenience init(named name: UNNotificationSoundName) { self.init(SoundRecord(name: name.rawValue)) }

    /// The sound that the system plays if nothing else is said.
    open class var `default`: UNNotificationSound { UNNotificationSound(SoundRecord(name: nil)) }
    /// The default sound of critical alerts.
    open class var defaultCritical: UNNotificationSound { critical(nil, nil) }
    /// The user's ringtone.
    open class var defaultRingtone: UNNotificationSound { ringtone(nil) }

    /// Returns the critical sound with a volume from 0 to 1.
    open class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound { critical(nil, volume) }

    /// Returns a critical sound from a file, as loud as the system's own.
    open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound { critical(name, nil) }

    /// Returns a critical sound from a file of the app, with a volume from 0 to 1.
    open class func criticalSoundNamed(
        _ name: UNNotificationSoundName,
        withAudioVolume volume: Float
    ) -> UNNotificationSound { critical(name, volume) }

    /// Returns a ringtone from a file (iOS 15).
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
