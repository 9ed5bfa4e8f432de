/// The permission to show notifications, as the app reads it from `UNNotificationSettings` and reports it.
public enum NotificationPermission: String, Hashable, Sendable, CaseIterable {
    /// The user was not asked.
    case notDetermined = "not_determined"
    /// The user has refused.
    case denied
    /// Delivered quietly, without having been asked.
    case provisional
    /// Granted to an App Clip for some hours.
    case ephemeral
    /// The user has agreed.
    case authorized
    /// Authorised, but without banners (`alertSetting`).
    case bannersOff = "banners_off"
    /// Authorised, and delivered in the scheduled summary (`scheduledDeliverySetting`).
    case summary
}
