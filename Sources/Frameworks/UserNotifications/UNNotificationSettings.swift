public import Foundation
package import SystemPort

/// The user's settings, at one moment. `@unchecked Sendable`: it is immutable.
open class UNNotificationSettings: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let record: SettingsRecord

    package init(_ record: SettingsRecord) { self.record = record }

    /// Creates settings from an archive, or from a coder of a test that answers Apple's keys, which are the names of the properties, by
    /// `decodeInt64(forKey:)` and `decodeBool(forKey:)`.
    public required init?(coder: NSCoder) {
        guard let record = RecordCoding.isFake(coder) ? SettingsRecord(fake: coder) : RecordCoding.decode(from: coder)
        else { return nil }
        self.record = record
    }

    /// The permission of the app.
    open var authorizationStatus: UNAuthorizationStatus {
        UNAuthorizationStatus(rawValue: record.status) ?? .notDetermined
    }
    /// Whether sounds are on.
    open var soundSetting: UNNotificationSetting { setting(.sound) }
    /// Whether numbers on the icon are on.
    open var badgeSetting: UNNotificationSetting { setting(.badge) }
    /// Whether alerts are on.
    open var alertSetting: UNNotificationSetting { setting(.alert) }
    /// Whether notifications in the car are on.
    open var carPlaySetting: UNNotificationSetting { setting(.carPlay) }
    /// Whether critical alerts are on; not supported without the entitlement.
    open var criticalAlertSetting: UNNotificationSetting { setting(.criticalAlert) }
    /// Whether notifications appear on the lock screen.
    open var lockScreenSetting: UNNotificationSetting { place(record.showsOnLockScreen) }
    /// The notification centre's setting; on for provisional permission too, which covers only the list.
    open var notificationCenterSetting: UNNotificationSetting {
        guard authorizationStatus == .provisional else { return place(record.showsInNotificationCenter) }
        return isOn(.alert) && record.showsInNotificationCenter ? .enabled : .disabled
    }
    /// How alerts appear.
    open var alertStyle: UNAlertStyle {
        guard alertSetting == .enabled, record.showsBanners else { return .none }
        return record.hasPersistentBanners ? .alert : .banner
    }
    /// When the text of notifications is shown.
    open var showPreviewsSetting: UNShowPreviewsSetting {
        UNShowPreviewsSetting(rawValue: record.showPreviews) ?? .always
    }
    /// Whether the app asked for a button to its own settings.
    open var providesAppNotificationSettings: Bool {
        record.requested & UNAuthorizationOptions.providesAppNotificationSettings.rawValue != 0
    }
    /// Whether notifications are read aloud.
    open var announcementSetting: UNNotificationSetting { optional(record.announcement) }
    /// The time-sensitive setting; not supported without the entitlement.
    open var timeSensitiveSetting: UNNotificationSetting { optional(record.timeSensitive) }
    /// Whether the app is part of the scheduled summary.
    open var scheduledDeliverySetting: UNNotificationSetting { optional(record.scheduledDelivery) }
    /// Whether messages from people are delivered at once.
    open var directMessagesSetting: UNNotificationSetting { optional(record.directMessages) }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSettings)?.record == record }
    open override var hash: Int { record.hashValue }

    private func isOn(_ kind: UNAuthorizationOptions) -> Bool { record.allowed & kind.rawValue != 0 }

    private func setting(_ kind: UNAuthorizationOptions) -> UNNotificationSetting {
        if record.requested & kind.rawValue == 0 { return .notSupported }
        return authorizationStatus == .authorized && isOn(kind) ? .enabled : .disabled
    }

    private func place(_ isShown: Bool) -> UNNotificationSetting {
        alertSetting == .enabled && !isShown ? .disabled : alertSetting
    }

    private func optional(_ isOn: Bool?) -> UNNotificationSetting {
        guard let isOn else { return .notSupported }
        return isOn && authorizationStatus == .authorized ? .enabled : .disabled
    }
}

extension SettingsRecord {
    fileprivate init(fake coder: NSCoder) {
        self.init()
        func setting(_ key: String) -> UNNotificationSetting {
            UNNotificationSetting(rawValue: Int(coder.decodeInt64(forKey: key))) ?? .disabled
        }
        func isOn(_ key: String) -> Bool? {
            let setting = setting(key)
            return setting == .notSupported ? nil : setting == .enabled
        }
        status = Int(coder.decodeInt64(forKey: "authorizationStatus"))
        let kinds: [(String, UNAuthorizationOptions)] = [
            ("soundSetting", .sound), ("badgeSetting", .badge), ("alertSetting", .alert), ("carPlaySetting", .carPlay),
            ("criticalAlertSetting", .criticalAlert),
        ]
        for (key, kind) in kinds {
            guard let isOn = isOn(key) else { continue }
            requested |= kind.rawValue
            if isOn { allowed |= kind.rawValue }
        }
        if coder.decodeBool(forKey: "providesAppNotificationSettings") {
            requested |= UNAuthorizationOptions.providesAppNotificationSettings.rawValue
        }
        showsOnLockScreen = isOn("lockScreenSetting") ?? false
        showsInNotificationCenter = isOn("notificationCenterSetting") ?? false
        let style = UNAlertStyle(rawValue: Int(coder.decodeInt64(forKey: "alertStyle")))
        showsBanners = style != UNAlertStyle.none
        hasPersistentBanners = style == .alert
        showPreviews = Int(coder.decodeInt64(forKey: "showPreviewsSetting"))
        announcement = isOn("announcementSetting")
        timeSensitive = isOn("timeSensitiveSetting")
        scheduledDelivery = isOn("scheduledDeliverySetting")
        directMessages = isOn("directMessagesSetting")
    }
}
