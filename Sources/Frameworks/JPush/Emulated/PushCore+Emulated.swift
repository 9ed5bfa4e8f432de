import PosthornClient
import PushModel
import SystemPort
import UIKit
import UserNotifications

extension PushCore {
    /// The SDK of the calling app.
    static var current: PushCore { .of(CurrentPort.find()) }

    /// Returns the SDK of the app behind `port`.
    static func of(_ port: any SystemPort) -> PushCore {
        let core = port.slots.slot { PushCore(Surroundings(port)) }
        core.surroundings.begin { core.begin(on: port) }
        return core
    }

    private func begin(on port: any SystemPort) {
        LifeCycleObserver.begin
        loadInApp()
        moved(toFront: LifeCycleObserver.isInFront(on: port))
    }

    var port: PortReference { surroundings.port }

    /// No effect: the calls of an app in the background end on an emulated phone.
    func sendInBackground() {}

    /// Removes a notification that its sender has taken back, and reports whether it was there.
    func remove(_ order: TakeBack) {
        guard let port = port.port else { return }
        port.call(.deliveredNotifications) { [weak self] reply in
            guard let self, case .notifications(let all) = reply else { return }
            let found = all.filter { $0.content.userInfo.messageID == order.messageID }.map(\.identifier)
            if !found.isEmpty { port.call(.removeDelivered(identifiers: found)) { _ in } }
            self.report(order.id, found.isEmpty ? .absent : .removed)
        }
    }

    var local: LocalNotifications { LocalNotifications(client: self, port: CurrentPort.find()) }
    var legacy: LegacyLocalNotifications { LegacyLocalNotifications(port: CurrentPort.find()) }

    /// Sets the categories of both kinds. Buttons of before iOS 10 go on working, as with UIKit's own
    /// `registerUserNotificationSettings(_:)`, which the SDK's old method calls: apps that were written for iOS 8 keep them.
    func setCategories(_ categories: Set<AnyHashable>) {
        guard let port = port.port, port.facts.systemMajor >= 10 else { return }
        let known = Set(categories.compactMap { $0.base as? UNNotificationCategory })
        let old = UIUserNotificationCategory.records(
            of: Set(categories.compactMap { $0.base as? UIUserNotificationCategory })
        )
        if old.isEmpty {
            if !known.isEmpty { UNUserNotificationCenter.current().setNotificationCategories(known) }
        } else {
            let names = Set(known.map(\.identifier))
            port.call(.setCategories(known.map(\.record) + old.filter { !names.contains($0.identifier) }))
        }
    }

    /// Asks the user for permission: before iOS 10 together with the categories, and on iOS 7, which has none, for the types of remote
    /// notifications.
    func askForPermission(_ types: Int, _ categories: Set<AnyHashable>) {
        guard let port = port.port else { return }
        let types = UInt(bitPattern: types)
        switch port.facts.systemMajor {
        case ..<8: port.call(.requestAuthorization(options: types & 7))
        case 8, 9:
            let known = Set(categories.compactMap { $0.base as? UIUserNotificationCategory })
            let records = UIUserNotificationCategory.records(of: known)
            port.call(.registerUserNotificationSettings(types: types, categories: records))
        default: port.call(.requestAuthorization(options: types)) { [weak self] _ in self?.reportAuthorization() }
        }
    }

    /// Warns of the delegate's methods that are never called.
    func review(_ delegate: (any NSObjectProtocol)?) {
        if let delegate, let port = port.port { DelegateCheck.review(delegate, on: port) }
    }

    /// Registers as above; from iOS 10 on the delegate is called instead of the notification centre's.
    func register(_ types: Int, _ categories: Set<AnyHashable>?, delegate: (any JPUSHRegisterDelegate)?) {
        guard let port = port.port else { return }
        delegates.register = delegate
        review(delegate)
        if port.facts.systemMajor >= 10 { DelegateSlot.of(port).delegate = center }
        register(types, categories)
    }

    /// - Parameter handler: called on the main thread with the authorization status.
    func status(_ handler: @escaping (JPAuthorizationStatus) -> Void) {
        let handler = Handoff(handler)
        port.port?.call(.notificationSettings) { [weak self] reply in
            guard let self, case .settings(let settings) = reply else { return }
            let status = JPAuthorizationStatus(rawValue: UInt(settings.status)) ?? .notDetermined
            self.onMain { handler.value(status) }
        }
    }

    /// Records a notification of the launch options: a tap; in the background it is the push that woke the app.
    func noteLaunch(_ payload: [AnyHashable: Any]) {
        guard let port = port.port, let id = PosthornClient.messageID(in: payload) else { return }
        report(id, LifeCycleObserver.isInFront(on: port) ? .opened : .received)
    }

    /// - Parameter handler: called on the main thread with whether the page was opened.
    func openSettings(_ handler: @escaping (Bool) -> Void) {
        let handler = Handoff(handler)
        port.port?.call(.open(url: UIApplication.openSettingsURLString)) { [weak self] reply in
            self?.onMain { handler.value(reply == .opened(true)) }
        }
    }

    /// Tells the service what the user allows, if there is HTTPS: the link has no word for it.
    func reportPermission() {
        guard client.callsOverHTTPS else { return }
        port.port?.call(.notificationSettings) { [weak self] reply in
            guard case .settings(let settings) = reply else { return }
            let permission = DeviceValues.Permission(
                status: settings.status,
                hasBanners: settings.showsBanners,
                isScheduled: false
            )
            self?.client.setPermission(permission)
        }
    }
}
