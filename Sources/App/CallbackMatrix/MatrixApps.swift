public import Foundation
import SystemPort
public import UIKit

/// The configuration of an app for a case of the matrix: categories, badge and the results of its handlers.
public struct MatrixAppPlan: Sendable {
    public var options: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]
    public var zeroesBadge = false
    public var asksPermission = true
    /// The category of a local notification that the app schedules when it first becomes active, due in a minute.
    package var localCategory: String?
    package var delegate = MatrixCase.Delegate.complete

    public init(
        options: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge],
        zeroesBadge: Bool = false,
        asksPermission: Bool = true
    ) {
        self.options = options
        self.zeroesBadge = zeroesBadge
        self.asksPermission = asksPermission
    }
}

/// An app without a notification centre delegate, which records its callbacks.
open class MatrixApp: UIResponder, UIApplicationDelegate {
    public var plan = MatrixAppPlan()
    public var launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    public var responses: [UNNotificationResponse] = []
    /// The details of responses, in the notation of the matrix.
    public var details: [String] = [] { didSet { note() } }
    /// The causes for which the scene was connected, in the notation of the matrix.
    var connections: [String] = [] { didSet { note() } }
    public var presented: [UNNotification] = []

    /// Required by ``make(_:)``, which creates objects of subclasses.
    public required override init() { super.init() }

    public static func make(_ plan: MatrixAppPlan) -> Self {
        let app = Self()
        app.plan = plan
        return app
    }

    /// Runs at launch, before the app asks for permission.
    open func prepare() {}

    /// Asks for permission and registers the categories.
    open func register() {
        UNUserNotificationCenter.current().setNotificationCategories(MatrixApp.categories)
        if plan.asksPermission { MatrixRequests.askPermission() }
    }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        self.launchOptions = launchOptions
        note()
        prepare()
        register()
        if plan.zeroesBadge { application.applicationIconBadgeNumber = 0 }
        return true
    }

    public static var categories: Set<UNNotificationCategory> { MatrixRequests.categories() }

    public func applicationWillEnterForeground(_ application: UIApplication) {}
    public func applicationDidBecomeActive(_ application: UIApplication) { becameActive() }

    /// Schedules the local notification of the plan, once.
    func becameActive() {
        let port = CurrentPort.find()
        guard let category = plan.localCategory, port.read(.readStorage(key: Self.scheduledKey)) == .value(nil) else {
            return
        }
        port.call(.writeStorage(key: Self.scheduledKey, value: "yes"))
        schedule(category)
    }

    private static let scheduledKey = "matrix.scheduled"

    private func note() { MatrixNote(of: self).write(to: CurrentPort.find()) }

    /// Schedules a local notification that is due in a minute.
    open func schedule(_ category: String) { MatrixRequests.schedule(category) }
    public func applicationWillResignActive(_ application: UIApplication) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    public func applicationWillTerminate(_ application: UIApplication) {}
    public func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {}

    public func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool { true }

    public func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) { completionHandler(true) }

    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        completionHandler(.newData)
    }

    public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {}

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        details.append(responseInfo.isEmpty ? "action-id" : "action-id+userText")
        completionHandler()
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        details.append(responseInfo.isEmpty ? "action-id" : "action-id+userText")
        completionHandler()
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification,
        completionHandler: @escaping () -> Void
    ) {
        details.append("action-id")
        completionHandler()
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        details.append("action-id")
        completionHandler()
    }

    fileprivate func note(_ response: UNNotificationResponse) {
        responses.append(response)
        switch response.actionIdentifier {
        case UNNotificationDefaultActionIdentifier: details.append("default")
        case UNNotificationDismissActionIdentifier: details.append("dismiss")
        default: details.append(response is UNTextInputNotificationResponse ? "action-id+userText" : "action-id")
        }
    }
}

/// An app with a complete notification centre delegate.
public final class CompleteMatrixApp: MatrixApp, @preconcurrency UNUserNotificationCenterDelegate {
    public override func prepare() { UNUserNotificationCenter.current().delegate = self }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        presented.append(notification)
        completionHandler(plan.options)
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        note(response)
        completionHandler()
    }
}

/// A delegate without `willPresent`.
public final class HalfMatrixApp: MatrixApp, @preconcurrency UNUserNotificationCenterDelegate {
    public override func prepare() { UNUserNotificationCenter.current().delegate = self }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        note(response)
        completionHandler()
    }
}

/// A delegate that never calls the handler of `willPresent`.
public final class SilentMatrixApp: MatrixApp, @preconcurrency UNUserNotificationCenterDelegate {
    public override func prepare() { UNUserNotificationCenter.current().delegate = self }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {}
}

/// A service extension that changes the title.
public final class TitleExtension: UNNotificationServiceExtension {
    public override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        content.title = "\(content.title) [changed]"
        contentHandler(content)
    }
}

/// A service extension that never calls its handler.
public final class SlowExtension: UNNotificationServiceExtension {
    public override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {}
}

/// An app of iOS 7 to 9, with the permission, category and local notification APIs from before `UNUserNotificationCenter`.
package final class LegacyMatrixApp: MatrixApp {
    package override func register() { if plan.asksPermission { MatrixRequests.registerLegacySettings() } }

    package override func schedule(_ category: String) { MatrixRequests.scheduleLegacy(category) }
}
