package import SystemPort

/// The user's settings for an app's notifications, as far as the desktop has any.
package struct DesktopPolicy: Hashable, Sendable {
    /// Whether the app may show notifications.
    package var isEnabled = true
    /// Whether a notification pops up. If it does not, the server still keeps it.
    package var showsPopups = true
    /// Whether the server keeps notifications in its list.
    package var keepsHistory = true
    var playsSounds = true
    package var showsOnLockScreen = true
    package var showsBadges = true

    /// Everything is on: the settings of a desktop that has none for single apps, or where they cannot be read.
    package init() {}

    /// - Parameter requested: the options that the app has asked for.
    /// - Returns: the options that are on, as `UNAuthorizationOptions`.
    package func allowed(_ requested: UInt) -> UInt {
        guard isEnabled else { return 0 }
        var off: UInt = SettingsRecord.carPlay | SettingsRecord.announcement
        if !playsSounds { off |= SettingsRecord.sound }
        if !showsBadges { off |= SettingsRecord.badge }
        return requested & ~off
    }

    /// - Parameter requested: the options that the app has asked for; nil if it has not asked.
    /// - Returns: the settings that the app reads.
    package func settings(_ requested: UInt?) -> SettingsRecord {
        var settings = SettingsRecord()
        guard let requested else { return settings }
        settings.authorization = isEnabled ? .authorized : .denied
        settings.requested = requested
        settings.allowed = allowed(requested)
        settings.showsBanners = showsPopups
        settings.showsInNotificationCenter = keepsHistory
        settings.showsOnLockScreen = showsOnLockScreen
        return settings
    }
}
