import Intents
import UIKit

// Swift 5 mode: an app without scenes, with a delegate that derives from NSObject; links, quick actions, fetches, windows.
public class LinkShopApp: NSObject, UIApplicationDelegate {
    public var window: UIWindow?
    public private(set) var log: [String] = []
    public let screen = LinkShopScreen()
    public var handlers: [(UIBackgroundFetchResult) -> Void] = []
    public var holdsFetch = false
    public private(set) var sessionHandler: (() -> Void)?

    public override init() {
        super.init()
        log.append("init")
    }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = screen
        window?.makeKeyAndVisible()
        UIApplication.shared.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        if let activity = launchOptions?[.userActivityDictionary] as? [String: Any] {
            log.append(
                "launched for \(activity[UIApplication.LaunchOptionsKey.userActivityType.rawValue] as? String ?? "")"
            )
        }
        if let item = launchOptions?[.shortcutItem] as? UIApplicationShortcutItem {
            log.append("launched for \(item.type)")
            // Handled here, so that the action below is not called.
            return item.type != "search"
        }
        return true
    }

    public func applicationDidBecomeActive(_ application: UIApplication) { log.append("active") }
    public func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) { log.append("readable") }
    public func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) { log.append("protected") }

    public func application(
        _ application: UIApplication,
        willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        log.append("will continue")
        return true
    }

    public func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        if userActivity.activityType == NSUserActivityTypeBrowsingWeb, let url = userActivity.webpageURL {
            log.append("continue \(url.path)")
        }
        // As CallKit apps find out whom to call.
        let intent = userActivity.interaction?.intent
        let handle =
            (intent as? INStartCallIntent)?.contacts?.first?.personHandle
            ?? (intent as? INStartAudioCallIntent)?.contacts?.first?.personHandle
            ?? (intent as? INStartVideoCallIntent)?.contacts?.first?.personHandle
        if let number = handle?.value, handle?.type == .phoneNumber {
            let hasVideo =
                (intent as? INStartCallIntent)?.callCapability == .videoCall || intent is INStartVideoCallIntent
            log.append("call \(number) with \(hasVideo ? "video" : "sound")")
        }
        restorationHandler([screen])
        return true
    }

    public func application(
        _ application: UIApplication,
        didFailToContinueUserActivityWithType userActivityType: String,
        error: Error
    ) {
        log.append("failed \((error as NSError).domain) \((error as NSError).code)")
    }

    public func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
        log.append("saved \(userActivity.userInfo?["page"] as? String ?? "")")
    }

    public func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        log.append("perform \(shortcutItem.type)")
        completionHandler(true)
    }

    public func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        log.append("fetch")
        if holdsFetch { handlers.append(completionHandler) } else { completionHandler(.newData) }
    }

    public func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        log.append("session \(identifier)")
        sessionHandler = completionHandler
    }

    public func applicationDidReceiveMemoryWarning(_ application: UIApplication) { log.append("memory") }

    public func application(
        _ application: UIApplication,
        supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask {
        log.append("orientations")
        return .landscape
    }

    /// Opens the map app if the user has it, as code of before iOS 10 does.
    public func openMap() -> [Bool] {
        guard let own = URL(string: "othermaps://place"), let web = URL(string: "https://maps.example.com") else {
            return []
        }
        guard UIApplication.shared.canOpenURL(own) else {
            return [false, UIApplication.shared.canOpenURL(web), UIApplication.shared.openURL(web)]
        }
        return [true, UIApplication.shared.openURL(own)]
    }
}

public class LinkShopScreen: UIViewController {
    public private(set) var restored: [URL?] = []

    public override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        restored.append(userActivity.webpageURL)
    }

    public override func updateUserActivityState(_ activity: NSUserActivity) {
        activity.addUserInfoEntries(from: ["page": "7"])
    }
}

/// Questions to UIKit from a helper without isolation, as in code from before actors.
public class TopWindow {
    public init() {}

    public func roots() -> [UIViewController?] {
        let delegate = UIApplication.shared.delegate
        return [
            UIApplication.shared.keyWindow?.rootViewController,
            UIApplication.shared.windows.first?.rootViewController,
            delegate?.window??.rootViewController,
            (delegate as? LinkShopApp)?.window?.rootViewController,
        ]
    }
}

/// Registration in the middle of a completion handler, and values of UIKit in functions that belong to no actor.
public class NonisolatedCaller {
    public private(set) var system = ""
    public init() {}

    public func register(done: @escaping (Bool) -> Void) {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { granted, _ in
            if granted { UIApplication.shared.registerForRemoteNotifications() }
            done(granted)
        }
    }

    public func describe() -> String {
        system = UIDevice.current.systemVersion
        return "\(UIDevice.current.name) \(system) \(UIDevice.current.userInterfaceIdiom == .phone)"
    }

    public func scene(of response: UNNotificationResponse) -> UIScene? { response.targetScene }

    public func link(in options: UIScene.ConnectionOptions) -> URL? {
        options.userActivities.first?.webpageURL ?? options.urlContexts.first?.url
    }
}
