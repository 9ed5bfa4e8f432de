/// The permission to show notifications, as the app reads it from `UNNotificationSettings` and reports it.
package enum NotificationPermission: String, Hashable, Sendable, CaseIterable {
    case notDetermined = "not_determined"
    case denied
    case provisional
    case ephemeral
    case authorized
    /// Authorised, but without banners (`alertSetting`).
    case bannersOff = "banners_off"
    /// Authorised, and delivered in the scheduled summary (`scheduledDeliverySetting`).
    case summary
}
