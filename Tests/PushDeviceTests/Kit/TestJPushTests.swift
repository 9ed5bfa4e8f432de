import Foundation
import JPush
import PosthornTesting
import Synchronization
import Testing

/// An app with the JPush SDK.
private final class ShopApp: UIResponder, UIApplicationDelegate {
    private(set) var messages: [String] = []
    private(set) var codes: [Int] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let entity = JPUSHRegisterEntity()
        entity.types = Int(JPAuthorizationOptions.alert.rawValue)
        JPUSHService.register(forRemoteNotificationConfig: entity, delegate: self)
        JPUSHService.setup(
            withOption: launchOptions,
            appKey: "0123456789abcdef01234567",
            channel: "test",
            apsForProduction: false
        )
        _ = NotificationCenter.default.addObserver(forName: .jpfNetworkDidReceiveMessage, object: nil, queue: nil) {
            [weak self] notification in
            let content = notification.userInfo?["content"] as? String ?? ""
            MainActor.assumeIsolated { self?.messages.append(content) }
        }
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        JPUSHService.registerDeviceToken(deviceToken)
    }

    func logIn(_ alias: String, _ tags: Set<String>) {
        JPUSHService.setAlias(alias, completion: { [weak self] code, _, _ in self?.codes.append(code) }, seq: 1)
        JPUSHService.setTags(tags, completion: { [weak self] code, _, _ in self?.codes.append(code) }, seq: 2)
    }
}

extension ShopApp: @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler show: @escaping (Int) -> Void
    ) { show(0) }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler done: @escaping () -> Void
    ) {
        JPUSHService.handleRemoteNotification(response.notification.request.content.userInfo)
        done()
    }

    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification) {}
    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {}
}

@Suite("The JPush service for tests", .phoneStory)
@MainActor
struct TestJPushTests {
    private let jpush = TestJPush()
    private let app = InstalledApp(bundleID: "com.example.shop", link: TestJPush.url)

    private func phone(_ name: String = "iPhone") async -> TestPhone {
        let phone = TestPhone(.iOS(17), name: name)
        jpush.serve(phone)
        phone.install(app) { ShopApp() }
        await phone.open(app)
        let jpush = jpush
        await phone.wait("the app has registered its token") { jpush.token(of: $0) != nil }
        return phone
    }

    private func shop(_ phone: TestPhone) throws -> ShopApp {
        try phone.delegate(ShopApp.self, of: app)
    }

    @Test("The service has the alias and the tags that the app sets, and sends to them")
    func audience() async throws {
        let ann = await phone("Ann's")
        let bob = await phone("Bob's")
        for (phone, name, tags) in [(ann, "ann", ["gold", "north"]), (bob, "bob", ["north"])] {
            let shop = try shop(phone)
            await phone.device.inside(app.bundleID) { shop.logIn(name, Set(tags)) }
            await phone.wait("both answers are there") { phone in
                await MainActor.run { phone.device.delegate(of: "com.example.shop", as: ShopApp.self)?.codes } == [
                    0, 0,
                ]
            }
        }
        #expect(jpush.alias(of: ann) == "ann")
        #expect(jpush.tags(of: ann) == ["gold", "north"])
        await bob.background(app)
        await ann.background(app)
        let sent = await jpush.push(["aps": ["alert": "Sale"]], to: .tagAnd("north", "gold"))
        #expect(sent.registrationIDs == [jpush.registrationID(of: ann)])
        #expect(ann.device.screen.list.map(\.body) == ["Sale"])
        #expect(bob.device.screen.list.isEmpty)
        await jpush.push(["aps": ["alert": "Hi Bob"]], to: .alias("bob"))
        #expect(bob.device.screen.list.map(\.body) == ["Hi Bob"])
        await ann.tap(try #require(sent.apnsIDs.first))
        let jpush = jpush
        await ann.wait("the receipt has arrived") { _ in jpush.receipts(for: sent).map(\.event).contains(.opened) }
    }

    @Test(
        "A custom message reaches an app that is connected at once, and one that was not with its next login, each once"
    )
    func messages() async throws {
        let phone = await phone()
        await jpush.sendMessage("first", to: .all)
        #expect(!phone.device.works.contains { $0.isLeftOpen }, "The pause after an acknowledgement is no work.")
        await expect(["first"], on: phone)
        jpush.setReachable(false)
        await jpush.sendMessage("second", to: .all)
        #expect(try shop(phone).messages == ["first"])
        jpush.setReachable(true)
        await expect(["first", "second"], on: phone)
    }

    private func expect(_ messages: [String], on phone: TestPhone) async {
        await phone.wait(for: .seconds(600), "the app has heard \(messages)") { phone in
            await MainActor.run { phone.device.delegate(of: "com.example.shop", as: ShopApp.self)?.messages }
                == messages
        }
    }

    @Test("Requests fail as a test says")
    func failures() async throws {
        let phone = await phone()
        let shop = try shop(phone)
        func answers(_ count: Int) async {
            await phone.wait(for: .seconds(120), "\(count) answers are there") { phone in
                await MainActor.run {
                    phone.device.delegate(of: "com.example.shop", as: ShopApp.self)?.codes.count == count
                }
            }
        }
        jpush.setFailure(.code(6009))
        await phone.device.inside(app.bundleID) { shop.logIn("ann", ["gold"]) }
        await answers(2)
        #expect(shop.codes == [6009, 6009])
        #expect(jpush.alias(of: phone) == nil)

        jpush.setFailure(.silence)
        await phone.device.inside(app.bundleID) { shop.logIn("ann", ["gold"]) }
        await answers(4)
        #expect(shop.codes.suffix(2) == [6002, 6002])

        jpush.setFailure(.delay(.seconds(5)))
        let start = phone.clock.now
        await phone.device.inside(app.bundleID) { shop.logIn("ann", ["gold"]) }
        await answers(6)
        #expect(shop.codes.suffix(2) == [0, 0])
        #expect(start.duration(to: phone.clock.now) == .seconds(10), "The SDK sends one request at a time.")
    }
}
