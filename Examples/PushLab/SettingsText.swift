import UserNotifications

/// The user's settings as one line of text, in the words of the API.
enum SettingsText {
    static func describe(_ settings: UNNotificationSettings) -> String {
        let switches = [
            ("alert", settings.alertSetting), ("sound", settings.soundSetting), ("badge", settings.badgeSetting),
            ("lockScreen", settings.lockScreenSetting), ("notificationCenter", settings.notificationCenterSetting),
            ("timeSensitive", settings.timeSensitiveSetting), ("criticalAlert", settings.criticalAlertSetting),
            ("scheduledDelivery", settings.scheduledDeliverySetting),
        ]
        let words = switches.map { "\($0.0)=\(name($0.1))" }
        let style = "alertStyle=\(name(settings.alertStyle)) previews=\(name(settings.showPreviewsSetting))"
        return ([name(settings.authorizationStatus)] + words + [style]).joined(separator: " ")
    }

    private static func name(_ status: UNAuthorizationStatus) -> String {
        switch status {
        case .notDetermined: "notDetermined"
        case .denied: "denied"
        case .authorized: "authorized"
        case .provisional: "provisional"
        case .ephemeral: "ephemeral"
        @unknown default: "unknown"
        }
    }

    private static func name(_ setting: UNNotificationSetting) -> String {
        switch setting {
        case .notSupported: "notSupported"
        case .disabled: "disabled"
        case .enabled: "enabled"
        @unknown default: "unknown"
        }
    }

    private static func name(_ style: UNAlertStyle) -> String {
        switch style {
        case .none: "none"
        case .banner: "banner"
        case .alert: "alert"
        @unknown default: "unknown"
        }
    }

    private static func name(_ previews: UNShowPreviewsSetting) -> String {
        switch previews {
        case .always: "always"
        case .whenAuthenticated: "whenAuthenticated"
        case .never: "never"
        @unknown default: "unknown"
        }
    }
}
