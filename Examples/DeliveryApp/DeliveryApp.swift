import Foundation
import JPush
import UIKit

/// The app of the guide's pages about Live Activities and calls. It prints what happens.
@main
final class DeliveryApp: UIResponder, UIApplicationDelegate {
    private let tracker = DeliveryTracker()
    private var calls: CourierCalls?
    private var conversations: CourierConversations?

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
        startCalls()
        return true
    }

    /// Takes calls by one of the two frameworks, and never by both. Without Apple's SDK `#available` is always true.
    private func startCalls() {
        if UIDevice.current.systemVersion.compare("26.4", options: .numeric) == .orderedAscending {
            calls = CourierCalls()
            calls?.start()
        } else {
            conversations = CourierConversations()
            conversations?.start()
        }
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
