#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import UserNotifications

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

#endif
