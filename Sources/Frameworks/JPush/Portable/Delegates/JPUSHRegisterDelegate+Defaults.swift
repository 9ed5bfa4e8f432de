#if os(Linux) && canImport(UIKit) && !canImport(ObjectiveC)

import Foundation
import PushClock
import SystemPort
public import UserNotifications

// The SDK calls the first spelling; the default of each calls the next one, and the last reports that there is none.
// Nothing calls back, so there is no recursion.

private typealias Call<Center, Subject, Handler> = (Center, Subject, Handler) -> Void
private typealias Center = UNUserNotificationCenter
private typealias Note = UNNotification
private typealias Response = UNNotificationResponse
private typealias Options = (Int) -> Void
private typealias Done = () -> Void

extension JPUSHRegisterDelegate {
    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void
    ) {
        let next: Call<Center, Note?, Options> = jpushNotificationCenter(_:willPresent:withCompletionHandler:)
        next(center, notification, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        guard let notification else { return }
        let next: Call<Center?, Note, Options> = jpushNotificationCenter(_:willPresent:withCompletionHandler:)
        next(center, notification, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        let next: Call<Center?, Note?, Options> = jpushNotificationCenter(_:willPresent:withCompletionHandler:)
        next(center, notification, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        guard let center, let notification else { return }
        let next: Call<Center, Note, Options?> = jpushNotificationCenter(_:willPresent:withCompletionHandler:)
        next(center, notification, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    ) {
        let next: Call<Center, Note?, Options?> = jpushNotificationCenter(_:willPresent:withCompletionHandler:)
        next(center, notification, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    ) {
        guard let notification else { return }
        let next: Call<Center?, Note, Options?> = jpushNotificationCenter(_:willPresent:withCompletionHandler:)
        next(center, notification, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    ) {
        let next: Call<Center?, Note?, Options?> = jpushNotificationCenter(_:willPresent:withCompletionHandler:)
        next(center, notification, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    ) {
        guard let center, let notification, let completionHandler else { return }
        let delegate = Handoff(self)
        let handler = Handoff(completionHandler)
        MethodProbe.start {
            let options = await delegate.value.jpushNotificationCenter(center, willPresent: notification)
            handler.value(options)
        }
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> Int {
        let next: (UNUserNotificationCenter?, UNNotification?) async -> Int = jpushNotificationCenter(_:willPresent:)
        return await next(center, notification)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!
    ) async -> Int {
        MethodProbe.miss()
        return 0
    }
}

extension JPUSHRegisterDelegate {
    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let next: Call<Center, Response?, Done> = jpushNotificationCenter(_:didReceive:withCompletionHandler:)
        next(center, response, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        guard let response else { return }
        let next: Call<Center?, Response, Done> = jpushNotificationCenter(_:didReceive:withCompletionHandler:)
        next(center, response, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let next: Call<Center?, Response?, Done> = jpushNotificationCenter(_:didReceive:withCompletionHandler:)
        next(center, response, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        guard let center, let response else { return }
        let next: Call<Center, Response, Done?> = jpushNotificationCenter(_:didReceive:withCompletionHandler:)
        next(center, response, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: (() -> Void)!
    ) {
        let next: Call<Center, Response?, Done?> = jpushNotificationCenter(_:didReceive:withCompletionHandler:)
        next(center, response, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: (() -> Void)!
    ) {
        guard let response else { return }
        let next: Call<Center?, Response, Done?> = jpushNotificationCenter(_:didReceive:withCompletionHandler:)
        next(center, response, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: (() -> Void)!
    ) {
        let next: Call<Center?, Response?, Done?> = jpushNotificationCenter(_:didReceive:withCompletionHandler:)
        next(center, response, completionHandler)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: (() -> Void)!
    ) {
        guard let center, let response, let completionHandler else { return }
        let delegate = Handoff(self)
        let handler = Handoff(completionHandler)
        MethodProbe.start {
            await delegate.value.jpushNotificationCenter(center, didReceive: response)
            handler.value()
        }
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        let next: (UNUserNotificationCenter?, UNNotificationResponse?) async -> Void =
            jpushNotificationCenter(_:didReceive:)
        await next(center, response)
    }

    public func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!
    ) async {
        MethodProbe.miss()
    }
}

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
