import Foundation
import UIKit
import UserNotifications

#if canImport(JPush)
import JPush
#endif

#if canImport(SwiftUI)
import SwiftUI
#endif

/// The app of the guide: permission, token, JPush, notifications in each state, and a log line for each callback.
public final class AppDelegate: UIResponder, UIApplicationDelegate {
    public private(set) lazy var log = CallbackLog(in: settings.folder, echo: settings.echo)
    /// The window, which ``SceneDelegate`` makes from iOS 13 on.
    public var window: UIWindow?
    /// The registration id from the service; nil until then.
    public private(set) var registrationID: String?
    /// The visible page.
    public internal(set) var page = DeepLink.Page.log
    /// The user's replies to notifications, oldest first.
    public internal(set) var replies: [String] = []
    /// Whether the app is moving to the foreground: from a launch into the foreground, or from leaving the background,
    /// until it is active.
    private(set) var isComingForward = false
    /// The response for which the scene was connected, until the delegate of the notification centre gets it as well.
    var connectedFor: UNNotificationResponse?
    /// Whether the app ends itself in the background, for a row of the callback matrix.
    var endsInBackground = false
    public private(set) lazy var downloads = Downloads(settings: settings, log: log)
    public private(set) lazy var reminders = Reminders(settings: settings)
    public private(set) lazy var deliveries = Deliveries(settings: settings, log: log)
    public private(set) lazy var calls = Calls(settings: settings, log: log)
    private(set) var settings = PushLabSettings.main
    private var messages: Observation?

    /// Creates the app with other settings than those of the Info.plist.
    public convenience init(settings: PushLabSettings) {
        self.init()
        self.settings = settings
    }

    // MARK: Launch

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let payload = launchOptions?[.remoteNotification] as? [AnyHashable: Any]
        log.add("application(_:didFinishLaunchingWithOptions:)", payload.map(describe) ?? "")
        log.recorder.add(launchOptions)
        isComingForward = application.applicationState != .background
        if !Generation.hasScenes { makeWindow() }

        let setup = PushSetup(settings: settings)
        let generation = setup.register(self)
        listenToMessages()
        setup.start(launchOptions) { [weak self] code, id in self?.registered(code: code, id: id) }
        enterFirstPage()
        deliveries.start()
        calls.start()
        if case .center = generation { return true }
        openLaunchNotification(launchOptions)
        return true
    }

    /// Makes the window of an app without scenes, as before iOS 13.
    private func makeWindow() {
        window = UIWindow()
        window?.rootViewController = makeFace()
        window?.makeKeyAndVisible()
    }

    func makeFace() -> UIViewController {
        #if canImport(SwiftUI)
        UIHostingController(rootView: LabView(lab: LabModel(self)))
        #else
        UIViewController()
        #endif
    }

    /// Observes custom messages: they arrive over the app's own connection, and only the app can show them.
    private func listenToMessages() {
        messages = Observation(of: .jpfNetworkDidReceiveMessage) { [weak self] note in
            let content = note.userInfo?["content"] as? String ?? ""
            MainActor.assumeIsolated {
                // Several emulated phones may share this process: each app handles only its own messages.
                guard let self, UIApplication.shared.delegate === self else { return }
                self.log.add("jpfNetworkDidReceiveMessage", content)
            }
        }
    }

    private func registered(code: Int32, id: String?) {
        registrationID = id
        log.add("registrationIDCompletionHandler", id ?? "code \(code)")
    }

    // MARK: Life cycle, before iOS 13; then SceneDelegate has it

    public func applicationWillEnterForeground(_ application: UIApplication) {
        log.add("applicationWillEnterForeground(_:)")
        comesForward()
    }

    public func applicationDidBecomeActive(_ application: UIApplication) {
        log.add("applicationDidBecomeActive(_:)")
        becameActive()
    }

    public func applicationWillResignActive(_ application: UIApplication) {
        log.add("applicationWillResignActive(_:)")
    }

    public func applicationDidEnterBackground(_ application: UIApplication) {
        log.add("applicationDidEnterBackground(_:)")
        enteredBackground()
    }

    func comesForward() { isComingForward = true }

    func becameActive() {
        isComingForward = false
        clearBadge(UIApplication.shared)
    }

    func enteredBackground() {
        isComingForward = false
        if endsInBackground { settings.end?() }
    }

    public func applicationWillTerminate(_ application: UIApplication) {
        log.add("applicationWillTerminate(_:)")
    }

    // MARK: Token

    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        log.add("application(_:didRegisterForRemoteNotificationsWithDeviceToken:)", deviceToken.hexadecimal)
        JPUSHService.registerDeviceToken(deviceToken)
    }

    public func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        log.add("application(_:didFailToRegisterForRemoteNotificationsWithError:)", error.localizedDescription)
    }

    // MARK: Silent and background pushes, links

    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        log.add("application(_:didReceiveRemoteNotification:fetchCompletionHandler:)", describe(userInfo))
        JPUSHService.handleRemoteNotification(userInfo)
        if isTap(in: application) {
            follow(userInfo)
            completionHandler(.noData)
        } else {
            downloads.start(userInfo, completion: completionHandler)
        }
    }

    public func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        log.add("application(_:open:options:)", url.absoluteString)
        return follow(url)
    }

    public func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        log.add("application(_:performActionFor:completionHandler:)", shortcutItem.type)
        completionHandler(perform(shortcutItem))
    }

    /// Goes to the page of a quick action, whose link stands in the Info.plist. Returns whether it has one.
    func perform(_ shortcut: UIApplicationShortcutItem) -> Bool {
        guard let link = DeepLink(userInfo: shortcut.userInfo ?? [:]) else { return false }
        go(to: link.page)
        return true
    }

    /// Goes to the page of a deep link. Returns whether it is one.
    func follow(_ url: URL) -> Bool {
        guard let link = DeepLink(url) else { return false }
        go(to: link.page)
        return true
    }
}
