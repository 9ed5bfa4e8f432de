import Foundation
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

@Suite("Orders about apps and surroundings, as the command line and the portal send them", .suiteLimit)
@MainActor
struct DeviceOrderTests {
    private static let uuid = UUID()
    private let phone = TestPhone()
    private let app = InstalledApp(
        bundleID: "com.example.orders",
        backgroundModes: ["fetch"],
        info: [
            "NSUserActivityTypes": ["com.example.cart"],
            "UIApplicationShortcutItems": [
                ["UIApplicationShortcutItemType": "reorder", "UIApplicationShortcutItemTitle": "Order again"]
            ],
        ]
    )

    private func perform(_ order: DeviceOrder) async throws {
        try await carryOut(JSONDecoder().decode(DeviceOrder.self, from: JSONEncoder().encode(order)), on: phone, app)
    }

    private func refusal(_ order: DeviceOrder) async -> String? {
        await #expect(throws: DeviceOrderProblem.self) { try await perform(order) }?.description
    }

    private var log: [String] { phone.device.delegate(of: app.bundleID, as: OrderedApp.self)?.log ?? [] }

    @Test("Reach the app")
    func reach() async throws {
        phone.install(app) { OrderedApp() }
        let info = InfoValue.dictionary([.string("order"): .string("41")])
        try await perform(.shortcut("reorder"))
        try await perform(.handOff(ActivityRecord(type: "com.example.cart", title: "Cart", userInfo: info)))
        try await perform(.failHandOff(type: "com.example.cart"))
        try await perform(.memoryWarning)
        try await perform(.background)
        try await perform(.backgroundFetch)
        try await perform(.finishSession(id: "downloads"))
        #expect(
            log == [
                "perform reorder", "continue Cart 41", "failed com.example.cart", "memory", "fetch",
                "session downloads",
            ]
        )
    }

    @Test("Change what the device notices")
    func surroundings() async throws {
        phone.install(app) { OrderedApp() }
        try await perform(.turn(degrees: 450))
        try await perform(.beacons([NearbyBeacon(uuid: Self.uuid, major: 1, minor: 2, distance: 3)]))
        try await perform(.preciseLocation(false))
        try await perform(.storefront("CHN"))
        #expect(phone.device.phoneState.storefront == "CHN")
        let changes = phone.device.recentDeviceEvents.compactMap { event in
            if case .changed(let words) = event.kind { words } else { nil }
        }
        #expect(changes.suffix(3) == ["1 beacons", "precise location off", "storefront CHN"])
    }

    @Test("An order that the device refuses says what is there instead")
    func refusals() async {
        phone.install(app) { OrderedApp() }
        #expect(
            await refusal(.shortcut("play"))
                == "The icon of 'com.example.orders' shows no quick action 'play'; it shows 'reorder'."
        )
        for order in [DeviceOrder.handOff(ActivityRecord(type: "x")), .failHandOff(type: "x")] {
            #expect(await refusal(order)?.contains("NSUserActivityTypes of its Info.plist does not have it") == true)
        }
        await phone.open(app)
        #expect(await refusal(.backgroundFetch)?.contains("it needs the background mode 'fetch'") == true)
        #expect(await refusal(.finishSession(id: "x"))?.contains("it is in the foreground") == true)
        await phone.perform { $0.lock() }
        for order in [DeviceOrder.shortcut("reorder"), .handOff(ActivityRecord(type: "com.example.cart"))] {
            #expect(await refusal(order) == "The device is locked; unlock it first.")
        }
        #expect(log.isEmpty)
    }
}

private final class OrderedApp: UIResponder, UIApplicationDelegate {
    var log: [String] = []

    func application(
        _ application: UIApplication,
        performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        log.append("perform \(shortcutItem.type)")
        completionHandler(true)
    }

    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        log.append("continue \(userActivity.title ?? "-") \(userActivity.userInfo?["order"] ?? "-")")
        return true
    }

    func application(
        _ application: UIApplication,
        didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) { log.append("failed \(userActivityType)") }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        log.append("fetch")
        completionHandler(.noData)
    }

    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        log.append("session \(identifier)")
        completionHandler()
    }

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { log.append("memory") }
}
