public import Foundation
package import SystemPort

/// What the person allows, at one moment. `@unchecked Sendable`: it never changes.
open class UNNotificationSettings: NSObject, NSCopying, @unchecked Sendable {
    private let record: SettingsRecord

    package init(_ record: SettingsRecord) { self.record = record }

    open var authorizationStatus: UNAuthorizationStatus {
        UNAuthorizationStatus(rawValue: record.status) ?? .notDetermined
    }
    open var soundSetting: UNNotificationSetting { setting(.sound) }
    open var badgeSetting: UNNotificationSetting { setting(.badge) }
    open var alertSetting: UNNotificationSetting { setting(.alert) }
    open var lockScreenSetting: UNNotificationSetting { setting(.alert) }
    /// On for provisional permission too: the list is all that it gives.
    open var notificationCenterSetting: UNNotificationSetting {
        record.status == 3 && record.allowed & UNAuthorizationOptions.alert.rawValue != 0 ? .enabled : setting(.alert)
    }
    open var alertStyle: UNAlertStyle { alertSetting == .enabled ? .banner : .none }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    private func setting(_ kind: UNAuthorizationOptions) -> UNNotificationSetting {
        if record.requested & kind.rawValue == 0 { return .notSupported }
        return record.status == 2 && record.allowed & kind.rawValue != 0 ? .enabled : .disabled
    }
}
