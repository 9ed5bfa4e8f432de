import Foundation
import UIKit

#if canImport(JPush)
import JPush
#endif

#if canImport(SwiftUI)
import SwiftUI
#endif

/// The app of the guide: permission, token, JPush, notifications in each state, and a line for each callback.
public final class AppDelegate: UIResponder, UIApplicationDelegate {
    public private(set) lazy var log = CallbackLog(echo: settings.echo)
    public var window: UIWindow?
    /// As the service gave it; nil until then.
    public private(set) var registrationID: String?
    /// What the person sees.
    public internal(set) var page = DeepLink.Page.log
    /// What the person wrote under notifications, oldest first.
    public internal(set) var replies: [String] = []
    /// On the way to the front: from a launch that is not in the background, or out of the background, until it is active.
    private(set) var isComingForward = false
    public private(set) lazy var downloads = Downloads(settings: settings, log: log)
    public private(set) lazy var reminders = Reminders(settings: settings)
    private var settings = PushLabSettings.main
    private var messages: Observation?

    /// The app in another build than the Info.plist describes.
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
        isComingForward = application.applicationState != .background
        window = UIWindow()
        window?.rootViewController = makeFace()
        window?.makeKeyAndVisible()

        let setup = PushSetup(settings: settings)
        let generation = setup.register(self)
        listenToMessages()
        setup.start(launchOptions) { [weak self] code, id in self?.registered(code: code, id: id) }
        if case .center = generation { return true }
        openLaunchNotification(launchOptions)
        return true
    }

    private func makeFace() -> UIViewController {
        #if canImport(SwiftUI)
        UIHostingController(rootView: LabView(lab: LabModel(self)))
        #else
        UIViewController()
        #endif
    }

    /// Custom messages come through the app's own connection, and nobody shows them but the app.
    private func listenToMessages() {
        messages = Observation(of: .jpfNetworkDidReceiveMessage) { [weak self] note in
            let content = note.userInfo?["content"] as? String ?? ""
            MainActor.assumeIsolated {
                // Several emulated phones may share this process: each app hears its own.
                guard let self, UIApplication.shared.delegate === self else { return }
                self.log.add("jpfNetworkDidReceiveMessage", content)
            }
        }
    }

    private func registered(code: Int32, id: String?) {
        registrationID = id
        log.add("registrationIDCompletionHandler", id ?? "code \(code)")
    }

    // MARK: Life cycle

    public func applicationWillEnterForeground(_ application: UIApplication) {
        log.add("applicationWillEnterForeground(_:)")
        isComingForward = true
    }

    public func applicationDidBecomeActive(_ application: UIApplication) {
        log.add("applicationDidBecomeActive(_:)")
        isComingForward = false
    }

    public func applicationWillResignActive(_ application: UIApplication) {
        log.add("applicationWillResignActive(_:)")
    }

    public func applicationDidEnterBackground(_ application: UIApplication) {
        log.add("applicationDidEnterBackground(_:)")
        isComingForward = false
    }

    public func applicationWillTerminate(_ application: UIApplication) {
        log.add("applicationWillTerminate(_:)")
    }

    // MARK: Token

    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        let digits = deviceToken.map { String(format: "%02x", $0) }.joined()
        log.add("application(_:didRegisterForRemoteNotificationsWithDeviceToken:)", digits)
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
        guard let link = DeepLink(url) else { return false }
        go(to: link.page)
        return true
    }
}
