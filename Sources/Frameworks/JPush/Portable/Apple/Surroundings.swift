#if os(iOS)

import Foundation
// An app that imports this module has the class for its service extension, too.
@_exported import JPushExtensionForApple
import PosthornClient
import UIKit
import UserNotifications

/// The system around the SDK: an iPhone.
struct Surroundings: Sendable {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var address: URL?

    /// The address of the service, in place of the Info.plist's.
    static var service: URL? {
        get { lock.withLock { address } }
        set { lock.withLock { address = newValue } }
    }

    func configuration() throws -> PosthornConfiguration { try .app(service: Self.service, appKey: "") }

    /// The environment of the build.
    var environment: PushEnvironment? { AppBuild.read().environment }
    var date: Date { Date() }
    /// The time for limits. For `systemUptime` Apple asks for a reason.
    var seconds: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }
    var isMainThread: Bool { Thread.isMainThread }

    func onMain(_ body: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: body) }

    func write(_ line: String) { PosthornConfiguration.systemLog(line) }

    func registerForRemoteNotifications() {
        DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() }
    }

    /// Only what the SDK has heard as the centre's delegate counts.
    func isOpened(_ messageID: Int64) -> Bool { false }
}

extension PushCore {
    static let current: PushCore = {
        let core = PushCore(Surroundings())
        core.observeLifeCycle()
        return core
    }()

    private func observeLifeCycle() {
        // For as long as the process lives.
        for (name, isInFront) in Self.moves {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
                self?.moved(toFront: isInFront)
            }
        }
        DispatchQueue.main.async { [weak self] in
            if UIApplication.shared.applicationState != .background { self?.moved(toFront: true) }
        }
    }

    func sendInBackground() { client.sendInBackground() }

    /// Removes a notification that its sender has taken back, and reports whether it was there.
    func remove(_ order: TakeBack) { client.remove(order) }

    var local: CenterNotifications { CenterNotifications(client: self) }
    @available(iOS, deprecated: 10.0)
    var legacy: LegacyLocalNotifications { LegacyLocalNotifications() }

    func register(_ types: Int, _ categories: Set<AnyHashable>?, delegate: (any JPUSHRegisterDelegate)?) {
        delegates.register = delegate
        UNUserNotificationCenter.current().delegate = self.center
        register(types, categories)
    }

    func setCategories(_ categories: Set<AnyHashable>) {
        let known = Set(categories.compactMap { $0.base as? UNNotificationCategory })
        if !known.isEmpty { UNUserNotificationCenter.current().setNotificationCategories(known) }
    }

    /// Asks the user for permission.
    func askForPermission(_ types: Int, _ categories: Set<AnyHashable>) {
        let options = UNAuthorizationOptions(rawValue: UInt(bitPattern: types))
        UNUserNotificationCenter.current().requestAuthorization(options: options) { _, _ in self.reportAuthorization() }
    }

    /// Tells the service what the user allows: its diagnosis explains it.
    func reportPermission() {
        UNUserNotificationCenter.current().getNotificationSettings { [weak self] settings in
            self?.client.setPermission(DeviceValues.Permission(settings))
        }
    }

    /// Reports a notification of the launch options: a tap; in the background it is the push that woke the app.
    func noteLaunch(_ payload: [AnyHashable: Any]) {
        let boxed = Boxed(payload)
        let report: @MainActor @Sendable () -> Void = {
            self.report(boxed.value, isOpened: UIApplication.shared.applicationState != .background)
        }
        if Thread.isMainThread {
            MainActor.assumeIsolated(report)
        } else {
            DispatchQueue.main.async(execute: report)
        }
    }

    // MARK: Messages

    func prepare(_ message: CustomMessage, _ take: @escaping @Sendable () -> Void) { surroundings.onMain(take) }

    /// In-app messages are the system's to show: this layer has no view of its own.
    func deliver(_ message: CustomMessage) { if !message.isInApp { post(message) } }

    func forgetMessages() {}

    func notePushSwitch() {}

    func movedInApp(toFront isInFront: Bool) {}

    /// No effect: this layer shows no in-app messages.
    func enter(page: String) {}

    /// No effect: this layer shows no in-app messages.
    func leave(page: String) {}

    /// Warns of the delegate's methods that are never called, which Objective-C's compiler does.
    func review(_ delegate: AnyObject?) {}

    // MARK: Permission

    /// - Parameter handler: called on the main thread with the authorization status.
    func status(_ handler: @escaping (JPAuthorizationStatus) -> Void) {
        let handler = Boxed(handler)
        UNUserNotificationCenter.current().getNotificationSettings { settings in
            let status =
                JPAuthorizationStatus(rawValue: UInt(settings.authorizationStatus.rawValue)) ?? .statusAuthorized
            self.onMain { handler.value(status) }
        }
    }

    /// - Parameter handler: called on the main thread with whether the page was opened.
    func openSettings(_ handler: @escaping (Bool) -> Void) {
        let handler = Boxed(handler)
        DispatchQueue.main.async {
            guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
            UIApplication.shared.open(url, options: [:]) { isOpen in self.onMain { handler.value(isOpen) } }
        }
    }
}

extension DeviceValues.Permission {
    /// The permission of the system's settings.
    init(_ settings: UNNotificationSettings) {
        var isScheduled = false
        if #available(iOS 15, *) { isScheduled = settings.scheduledDeliverySetting == .enabled }
        self.init(
            status: settings.authorizationStatus.rawValue,
            hasBanners: settings.alertSetting != .disabled,
            isScheduled: isScheduled
        )
    }
}

#endif
