import Foundation
import JPush
import UIKit

/// The app of the guide's pages about Live Activities and calls. It prints what happens.
@main
final class DeliveryApp: UIResponder, UIApplicationDelegate {
    private let tracker = DeliveryTracker()
    private let calls = CourierCalls()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        JPUSHService.setup(
            withOption: launchOptions,
            appKey: ProcessInfo.processInfo.environment["POSTHORN_APP_KEY"] ?? "",
            channel: "Guide",
            apsForProduction: true
        )
        JPUSHService.registrationIDCompletionHandler { code, id in
            print(id.map { "registration id \($0)" } ?? "not registered: code \(code)")
        }
        application.registerForRemoteNotifications()
        tracker.observe()
        calls.start()
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { JPUSHService.registerDeviceToken(deviceToken) }

    /// Follows an order: `delivery://orders/7`, or `delivery://orders/7?channel=ID`.
    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        let query = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        tracker.start(order: url.lastPathComponent, channel: query?.first { $0.name == "channel" }?.value)
        return true
    }
}
