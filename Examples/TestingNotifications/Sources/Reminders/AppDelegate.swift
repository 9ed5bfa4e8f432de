import Foundation
import UIKit
import UserNotifications

#if canImport(JPush)
import JPush
#endif

/// The app: reminders, and pushes that open a note or fetch new ones in the background.
public final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// The note named in the `note` of a tapped push.
    public private(set) var openedNote: String?
    /// The user's answers to notes.
    public private(set) var answers: [String] = []
    /// The notes that silent pushes have brought.
    public private(set) var notes: [String] = []
    /// The contents of JPush's custom messages.
    public private(set) var messages: [String] = []
    /// Whether the user came from the system's settings.
    public private(set) var showsSettings = false
    /// The app's key at JPush; nil for an app without it.
    private let jpushKey: String?

    public init(jpushKey: String? = nil) {
        self.jpushKey = jpushKey
        super.init()
    }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        Categories.register()
        application.registerForRemoteNotifications()
        #if canImport(JPush)
        if let jpushKey {
            _ = NotificationCenter.default.addObserver(forName: .jpfNetworkDidReceiveMessage, object: nil, queue: nil) {
                [weak self] notification in
                // JPush posts on the main thread.
                let content = notification.userInfo?["content"] as? String
                MainActor.assumeIsolated { if let content { self?.messages.append(content) } }
            }
            JPUSHService.setup(
                withOption: launchOptions,
                appKey: jpushKey,
                channel: "App Store",
                apsForProduction: false
            )
        }
        #endif
        return true
    }

    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        #if canImport(JPush)
        if jpushKey != nil { JPUSHService.registerDeviceToken(deviceToken) }
        #endif
    }

    public func applicationDidBecomeActive(_ application: UIApplication) {
        application.applicationIconBadgeNumber = 0
    }

    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let note = userInfo["note"] as? String else { return completionHandler(.noData) }
        notes.append(note)
        completionHandler(.newData)
    }
}

extension AppDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        // The note on the screen needs no banner.
        let isOpen = openedNote != nil && notification.request.content.userInfo["note"] as? String == openedNote
        completionHandler(isOpen ? [] : [.banner, .list])
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        switch response.actionIdentifier {
        case Categories.snooze:
            Task {
                try? await ReminderCenter().snooze()
                completionHandler()
            }
            return
        case Categories.answer:
            if let text = (response as? UNTextInputNotificationResponse)?.userText { answers.append(text) }
        default:
            openedNote = response.notification.request.content.userInfo["note"] as? String
        }
        completionHandler()
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification?
    ) {
        showsSettings = true
    }
}
