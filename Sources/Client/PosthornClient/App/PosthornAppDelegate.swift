#if os(iOS)

import BackgroundTasks
import Foundation
import UIKit
import UserNotifications

@available(iOSApplicationExtension, unavailable)
extension PosthornClient {
    /// Connects the client with the app, in `application(_:didFinishLaunchingWithOptions:)`: starts it, asks for permission and a device
    /// token, reports what happens to notifications, whether the app is in front and what the user allows, and sends what waits in the
    /// background, too. An app that has a delegate of the notification centre already reports what happens to notifications itself.
    ///
    /// The system hands the device token to the app's delegate: see ``PosthornAppDelegate``, or pass it to ``setDeviceToken(_:)``.
    ///
    /// An app that lists ``refreshTask`` in its Info.plist, under `BGTaskSchedulerPermittedIdentifiers`, and has the background mode `fetch`
    /// is woken for receipts that could not be sent.
    ///
    /// - Parameters:
    ///   - application: the app.
    ///   - options: the permission to ask for; nil for an app that asks at a time of its own.
    @MainActor public func attach(
        to application: UIApplication,
        asking options: UNAuthorizationOptions? = [.alert, .sound, .badge]
    ) {
        let center = UNUserNotificationCenter.current()
        let connection = AppConnection(self)
        if center.delegate == nil { center.delegate = connection }
        AppConnection.kept.with { $0.append(connection) }
        connection.observe()
        start()
        if let options {
            center.requestAuthorization(options: options) { [self] _, _ in reportPermission() }
        } else {
            reportPermission()
        }
        onTakeBack { [weak self] in self?.remove($0) }
        onTokenWanted { DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() } }
        application.registerForRemoteNotifications()
        setInFront(application.applicationState != .background)
    }

    /// Removes a notification that its sender has taken back, reports whether it was there, and calls `completion`.
    public func remove(_ order: TakeBack, then completion: @escaping @Sendable () -> Void = {}) {
        UNUserNotificationCenter.current().getDeliveredNotifications { [self] all in
            let found = all.map(\.request).filter { Self.messageID(in: $0.content.userInfo) == order.messageID }
            UNUserNotificationCenter.current()
                .removeDeliveredNotifications(withIdentifiers: found.map(\.identifier))
            report(found.isEmpty ? .absent : .removed, of: order.id)
            completion()
        }
    }

    /// The identifier of the background task that sends what waits.
    public static let refreshTask = "posthorn.refresh"

    /// Sends what waits when the app leaves the screen, and by ``refreshTask`` if the app lists it; part of ``attach(to:asking:)``. Call it
    /// before `application(_:didFinishLaunchingWithOptions:)` returns: the system ends an app that registers its tasks later.
    public func sendInBackground() {
        let identifier = Self.refreshTask
        let permitted = Bundle.main.object(forInfoDictionaryKey: "BGTaskSchedulerPermittedIdentifiers") as? [String]
        let isPermitted = permitted?.contains(identifier) == true
        let name = UIApplication.didEnterBackgroundNotification
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [self] _ in
            flush { isSent in
                if isSent || !isPermitted { return }
                try? BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: identifier))
            }
        }
        guard isPermitted else { return }
        _ = BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { [self] task in
            let task = Guarded(task)
            flush { isSent in task.with { $0.setTaskCompleted(success: isSent) } }
        }
    }

    /// Reports what the user allows.
    fileprivate func reportPermission() {
        UNUserNotificationCenter.current().getNotificationSettings { [self] settings in
            var isScheduled = false
            if #available(iOS 15, *) { isScheduled = settings.scheduledDeliverySetting == .enabled }
            setPermission(
                DeviceValues.Permission(
                    status: settings.authorizationStatus.rawValue,
                    hasBanners: settings.alertSetting != .disabled,
                    isScheduled: isScheduled
                )
            )
        }
    }
}

/// An app's delegate with a client of the Info.plist's settings: as the class of `@UIApplicationDelegateAdaptor` in SwiftUI, or as the base
/// of an app's own delegate.
@available(iOSApplicationExtension, unavailable)
@MainActor open class PosthornAppDelegate: UIResponder, UIApplicationDelegate {
    /// The app's client, by default with the service and the key in the Info.plist.
    open class var client: PosthornClient { shared }

    private static let shared = PosthornClient()

    open func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Self.client.attach(to: application)
        return true
    }

    open func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { Self.client.setDeviceToken(deviceToken) }

    open func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) { SystemActivity.write("There is no device token: \(error.localizedDescription)") }

    open func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let client = Self.client
        let handler = Guarded(completionHandler)
        let send: @Sendable () -> Void = {
            client.flush { isSent in
                DispatchQueue.main.async { handler.with { $0 }(isSent ? .newData : .failed) }
            }
        }
        if let order = TakeBack(userInfo: userInfo) { return client.remove(order, then: send) }
        if let id = PosthornClient.messageID(in: userInfo) { client.report(.received, of: id) }
        client.fetchMessages()
        send()
    }
}

/// The client's part in the notification centre and in the life of the app.
@available(iOSApplicationExtension, unavailable)
private final class AppConnection: NSObject, UNUserNotificationCenterDelegate {
    /// The notification centre keeps no delegate.
    static let kept = Guarded<[AppConnection]>([])

    private let client: PosthornClient

    init(_ client: PosthornClient) { self.client = client }

    func observe() {
        let client = client
        func on(_ name: NSNotification.Name, _ body: @escaping @Sendable () -> Void) {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in body() }
        }
        // A service extension counts on from what the icon shows, once the app's own observers have had their turn.
        let badge = PushBadge(store: client.engine.configuration.store)
        let noteBadge: @Sendable () -> Void = {
            DispatchQueue.main.async { badge.set(UIApplication.shared.applicationIconBadgeNumber) }
        }
        on(UIApplication.didBecomeActiveNotification) {
            client.setInFront(true)
            client.reportPermission()
            noteBadge()
        }
        on(UIApplication.didEnterBackgroundNotification) {
            client.setInFront(false)
            noteBadge()
        }
        client.sendInBackground()
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        if let id = PosthornClient.messageID(in: notification.request.content.userInfo) {
            client.report(.received, of: id)
        }
        if #available(iOS 14, *) {
            completionHandler([.banner, .list, .sound, .badge])
        } else {
            completionHandler([.alert, .sound, .badge])
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        if let id = PosthornClient.messageID(in: response.notification.request.content.userInfo) {
            client.report(Receipt.Event(action: response.actionIdentifier), of: id)
        }
        completionHandler()
    }
}

#endif
