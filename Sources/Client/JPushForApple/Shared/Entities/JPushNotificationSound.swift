#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation
import UserNotifications

#if canImport(ObjectiveC)
@objc(JPushNotificationSound) @objcMembers
#endif
/// The sound of a local notification.
open class JPushNotificationSound: NSObject, NSCopying, NSSecureCoding {
    /// A sound file of the app; nil for the system's sound.
    open var soundName: String?
    /// A sound that plays despite the mute switch, with permission; it takes precedence over ``soundName``.
    open var criticalSoundName: String?
    /// The volume, 0 to 1.
    open var criticalSoundVolume: Float = 1

    private struct Coded: Codable {
        var soundName: String?
        var criticalSoundName: String?
        var criticalSoundVolume: Float
    }

    public override init() { super.init() }

    public required convenience init?(coder: NSCoder) {
        guard let coded: Coded = RecordCoding.decode(from: coder) else { return nil }
        self.init()
        soundName = coded.soundName
        criticalSoundName = coded.criticalSoundName
        criticalSoundVolume = coded.criticalSoundVolume
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        let coded = Coded(
            soundName: soundName,
            criticalSoundName: criticalSoundName,
            criticalSoundVolume: criticalSoundVolume
        )
        RecordCoding.encode(coded, with: coder)
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = JPushNotificationSound()
        copy.soundName = soundName
        copy.criticalSoundName = criticalSoundName
        copy.criticalSoundVolume = criticalSoundVolume
        return copy
    }
}

#endif
