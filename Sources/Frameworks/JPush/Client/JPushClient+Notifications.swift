import DeviceLink
import Foundation
import SystemPort
import UIKit
import UserNotifications

extension JPushClient {
    /// Asks the person for permission, and the system for a token.
    func register(_ types: Int, _ categories: Set<AnyHashable>?) {
        guard let port = port.port else { return }
        guard port.facts.systemMajor >= 10 else { return registerAsBefore(UInt(bitPattern: types), categories, port) }
        let known = categories?.compactMap { $0.base as? UNNotificationCategory } ?? []
        if !known.isEmpty { UNUserNotificationCenter.current().setNotificationCategories(Set(known)) }
        port.call(.requestAuthorization(options: UInt(bitPattern: types))) { [weak self] _ in
            self?.tellAuthorization()
        }
        port.call(.registerForRemoteNotifications) { _ in }
    }

    /// Before iOS 10. On iOS 7, where there are no categories, the kinds are those of remote notifications.
    private func registerAsBefore(_ types: UInt, _ categories: Set<AnyHashable>?, _ port: any SystemPort) {
        if port.facts.systemMajor < 8 {
            port.call(.requestAuthorization(options: types & 7)) { _ in }
        } else {
            let known = Set((categories ?? []).compactMap { $0.base as? UIUserNotificationCategory })
            let records = UIUserNotificationCategory.records(of: known)
            port.call(.registerUserNotificationSettings(types: types, categories: records)) { _ in }
        }
        port.call(.registerForRemoteNotifications) { _ in }
    }

    /// As above; from iOS 10 on the delegate hears in the place of the notification centre's.
    func register(_ types: Int, _ categories: Set<AnyHashable>?, delegate: (any JPUSHRegisterDelegate)?) {
        guard let port = port.port else { return }
        center.delegate = delegate
        if port.facts.systemMajor >= 10 { DelegateSlot.of(port).delegate = center }
        register(types, categories)
    }

    private func tellAuthorization() {
        status { [center] status in
            guard let delegate: any JPUSHOptionalSpellings = center.delegate else { return }
            delegate.jpushNotificationAuthorization(status, withInfo: nil)
        }
    }

    /// - Parameter handler: called on the main thread with what the person allows.
    func status(_ handler: @escaping (JPAuthorizationStatus) -> Void) {
        let handler = Handoff(handler)
        port.port?.call(.notificationSettings) { [weak self] reply in
            guard let self, case .settings(let settings) = reply else { return }
            let status = JPAuthorizationStatus(rawValue: UInt(settings.status)) ?? .notDetermined
            self.onMain { handler.value(status) }
        }
    }

    /// Whether the person has touched the notification of this message in this process.
    func isOpened(_ messageID: Int64) -> Bool {
        guard let port = port.port else { return false }
        return ActedOn.of(port).responses.contains { response in
            response.actionIdentifier != ResponseRecord.dismissAction
                && PayloadMessageID.read(response.notification.content.userInfo) == messageID
        }
    }

    /// A launch with a notification is its tap; in the background it is the push that woke the app.
    func noteLaunch(_ options: [AnyHashable: Any]?) {
        let key = UIApplication.LaunchOptionsKey.remoteNotification
        let found = options?[AnyHashable(key)] ?? options?[AnyHashable(key.rawValue)]
        guard let port = port.port, let payload = found as? [AnyHashable: Any], let id = PayloadMessageID.read(payload)
        else {
            return
        }
        report(id, LifeCycleObserver.isInFront(on: port) ? .opened : .received)
    }

    /// - Parameter handler: called on the main thread with whether the page is open.
    func openSettings(_ handler: @escaping (Bool) -> Void) {
        let handler = Handoff(handler)
        port.port?.call(.open(url: UIApplication.openSettingsURLString)) { [weak self] reply in
            self?.onMain { handler.value(reply == .opened(true)) }
        }
    }

    /// For a name that the app does not give.
    func randomName() -> String { PortRandom(port: port).uuid() }
}
