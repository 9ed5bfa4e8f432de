#if os(Linux) && canImport(UIKit) && !canImport(ObjectiveC)

import Foundation
import PushClock
import SystemPort
public import UserNotifications

// As with the other defaults, each calls the next spelling, and the last reports that there is none. First those with
// `?`, then those with `!`, then those that cannot take nil.

extension JPUSHOptionalSpellings {
    public func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {
        guard let next = self as? any JPUSHImplicitSpellings else { return }
        next.jpushNotificationAuthorization(status, withInfo: info)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification?
    ) {
        let next: (UNUserNotificationCenter?, UNNotification?) -> Void = jpushNotificationCenter(_:openSettingsFor:)
        next(center, notification)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        openSettingsFor notification: UNNotification?
    ) {
        guard let center, let delegate = self as? any JPUSHImplicitSpellings else { return }
        let next: (UNUserNotificationCenter, UNNotification?) -> Void =
            delegate.jpushNotificationCenter(_:openSettingsFor:)
        next(center, notification)
    }
}

extension JPUSHImplicitSpellings {
    public func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]!) {}

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification!
    ) {
        let next: (UNUserNotificationCenter?, UNNotification?) -> Void = jpushNotificationCenter(_:openSettingsFor:)
        next(center, notification)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        openSettingsFor notification: UNNotification!
    ) {
        guard let center, let delegate = self as? any JPUSHRegisterDelegate else { return }
        let next: (UNUserNotificationCenter, UNNotification) -> Void =
            delegate.jpushNotificationCenter(_:openSettingsFor:)
        next(center, notification ?? .none(at: CurrentPort.clock.date))
    }
}

extension JPUSHRegisterDelegate {
    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification
    ) {
        let next: (UNUserNotificationCenter?, UNNotification) -> Void = jpushNotificationCenter(_:openSettingsFor:)
        next(center, notification)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        openSettingsFor notification: UNNotification
    ) {
        MethodProbe.miss()
    }
}

extension UNNotification {
    /// A placeholder where there is no notification.
    fileprivate static func none(at date: Date) -> UNNotification {
        UNNotification(NotificationRecord(identifier: "", date: date, content: ContentRecord(), trigger: nil))
    }
}

#endif
