// Properties as imported from the header: `!` where an app may read and write either way.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation
import UserNotifications

#if canImport(ObjectiveC)
@objc(JPushNotificationContent) @objcMembers
#endif
/// The content of a local notification.
open class JPushNotificationContent: NSObject, NSCopying, NSSecureCoding {
    /// The title; empty for none.
    open var title: String! = ""
    /// The subtitle; empty for none.
    open var subtitle: String! = ""
    /// The text.
    open var body: String! = ""
    /// The badge; -1 and nil leave the icon unchanged.
    open var badge: NSNumber?
    /// The title of the alert's button, before iOS 10.
    open var action: String! = ""
    /// The identifier of the category; empty for none.
    open var categoryIdentifier: String! = ""
    /// The app's own data, property-list values only.
    open var userInfo: [AnyHashable: Any]! = [:]
    /// A sound file of the app; nil for the system's sound.
    open var sound: String!
    /// Detailed sound settings; the file in ``sound`` takes precedence.
    open var soundSetting: JPushNotificationSound?
    /// `UNNotificationAttachment` objects; others are ignored.
    open var attachments: [Any]! = []
    /// The identifier by which notifications are grouped; empty for the app's own group.
    open var threadIdentifier: String! = ""
    /// The name of a launch image; carried, without effect.
    open var launchImageName: String! = ""
    /// The text for the summary of the group, iOS 12 to 14.
    open var summaryArgument: String! = ""
    /// The summary count; 0 leaves the system's 1.
    open var summaryArgumentCount: UInt = 0
    /// The identifier of the scene to open; nil for none.
    open var targetContentIdentifier: String?
    /// A raw value of `UNNotificationInterruptionLevel`; 1 is active.
    open var interruptionLevel: UInt = 1
    /// The relevance, 0 to 1.
    open var relevanceScore: Double = 0
    /// The criteria by which a Focus filters the notification; nil for none.
    open var filterCriteria: String?

    public override init() { super.init() }

    public required convenience init?(coder: NSCoder) {
        guard
            let content = coder.decodeObject(of: UNNotificationContent.self, forKey: "content"),
            let coded: Coded = RecordCoding.decode(from: coder)
        else { return nil }
        self.init()
        title = content.title
        subtitle = content.subtitle
        body = content.body
        badge = content.badge
        categoryIdentifier = content.categoryIdentifier
        userInfo = content.userInfo
        attachments = content.attachments
        threadIdentifier = content.threadIdentifier
        launchImageName = content.launchImageName
        targetContentIdentifier = content.targetContentIdentifier
        if #available(iOS 15, *) {
            interruptionLevel = content.interruptionLevel.rawValue
            relevanceScore = content.relevanceScore
        }
        if #available(iOS 16, *) { filterCriteria = content.filterCriteria }
        action = coded.action
        sound = coded.sound
        summaryArgument = coded.summaryArgument
        summaryArgumentCount = coded.summaryArgumentCount
        soundSetting = coder.decodeObject(of: JPushNotificationSound.self, forKey: "soundSetting")
    }

    /// The fields that the system's content lacks.
    private struct Coded: Codable {
        var action: String
        var sound: String?
        var summaryArgument: String
        var summaryArgumentCount: UInt
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(systemContent, forKey: "content")
        let coded = Coded(
            action: action ?? "",
            sound: sound,
            summaryArgument: summaryArgument ?? "",
            summaryArgumentCount: summaryArgumentCount
        )
        RecordCoding.encode(coded, with: coder)
        coder.encode(soundSetting, forKey: "soundSetting")
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = JPushNotificationContent()
        copy.title = title
        copy.subtitle = subtitle
        copy.body = body
        copy.badge = badge
        copy.action = action
        copy.categoryIdentifier = categoryIdentifier
        copy.userInfo = userInfo
        copy.sound = sound
        copy.soundSetting = soundSetting?.copy() as? JPushNotificationSound
        copy.attachments = attachments
        copy.threadIdentifier = threadIdentifier
        copy.launchImageName = launchImageName
        copy.summaryArgument = summaryArgument
        copy.summaryArgumentCount = summaryArgumentCount
        copy.targetContentIdentifier = targetContentIdentifier
        copy.interruptionLevel = interruptionLevel
        copy.relevanceScore = relevanceScore
        copy.filterCriteria = filterCriteria
        return copy
    }
}

extension JPushNotificationContent {
    /// The content as the notification centre takes it.
    var systemContent: UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title ?? ""
        content.subtitle = subtitle ?? ""
        content.body = body ?? ""
        if let badge, badge.intValue >= 0 { content.badge = badge }
        content.sound = systemSound
        content.categoryIdentifier = categoryIdentifier ?? ""
        content.userInfo = userInfo ?? [:]
        content.attachments = (attachments ?? []).compactMap { $0 as? UNNotificationAttachment }
        content.threadIdentifier = threadIdentifier ?? ""
        content.launchImageName = launchImageName ?? ""
        content.targetContentIdentifier = targetContentIdentifier
        if #available(iOS 15, *) {
            content.interruptionLevel = UNNotificationInterruptionLevel(rawValue: interruptionLevel) ?? .active
            content.relevanceScore = relevanceScore
        }
        if #available(iOS 16, *) { content.filterCriteria = filterCriteria }
        let summary: any SummaryTaker = content
        summary.setSummary(summaryArgument ?? "", count: summaryArgumentCount)
        return content
    }

    private var systemSound: UNNotificationSound {
        if let sound, !sound.isEmpty { return UNNotificationSound(named: UNNotificationSoundName(sound)) }
        if let critical = soundSetting?.criticalSoundName, !critical.isEmpty {
            let volume = soundSetting?.criticalSoundVolume ?? 1
            return .criticalSoundNamed(UNNotificationSoundName(critical), withAudioVolume: volume)
        }
        guard let name = soundSetting?.soundName, !name.isEmpty else { return .default }
        return UNNotificationSound(named: UNNotificationSoundName(name))
    }
}

/// Gives access to the summary's fields, which Apple has deprecated; apps written before iOS 15 set them.
private protocol SummaryTaker {
    func setSummary(_ argument: String, count: UInt)
}

extension UNMutableNotificationContent: SummaryTaker {
    @available(*, deprecated, message: "The system ignores it.")
    func setSummary(_ argument: String, count: UInt) {
        summaryArgument = argument
        if count > 0 { summaryArgumentCount = Int(clamping: count) }
    }
}

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

    private var coded: Coded {
        get {
            Coded(soundName: soundName, criticalSoundName: criticalSoundName, criticalSoundVolume: criticalSoundVolume)
        }
        set {
            soundName = newValue.soundName
            criticalSoundName = newValue.criticalSoundName
            criticalSoundVolume = newValue.criticalSoundVolume
        }
    }

    public override init() { super.init() }

    public required convenience init?(coder: NSCoder) {
        guard let coded: Coded = RecordCoding.decode(from: coder) else { return nil }
        self.init()
        self.coded = coded
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) { RecordCoding.encode(coded, with: coder) }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = JPushNotificationSound()
        copy.coded = coded
        return copy
    }
}

#endif
