import DeviceLink
import Dispatch
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("Device")
@MainActor
struct DeviceTests {
    private let phone = TestPhone()
    private var device: Device { phone.device }

    private func opened(_ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate) async {
        phone.install(.lab, delegate: delegate)
        await phone.open(.lab)
    }

    private func app<App: UIApplicationDelegate>(_ type: App.Type = App.self) throws -> App {
        try #require(device.delegate(of: InstalledApp.lab.bundleID, as: type))
    }

    // MARK: Ids, tokens and the link

    @Test("Ids come from the given chance, and differ")
    func ids() {
        #expect(TestPhone(seed: 5).device.id == TestPhone(seed: 5).device.id)
        #expect(TestPhone(seed: 5).device.id != TestPhone(seed: 6).device.id)
        #expect(device.id.count == 32)
    }

    @Test("A token comes when the device is connected, and at once when it is known")
    func token() async throws {
        device.disconnect()
        await opened { TokenApp() }
        #expect(try app(TokenApp.self).tokens.isEmpty)
        device.connect(courier: TestPhone.courierURL)
        await device.settled()
        let token = try #require(device.token(of: InstalledApp.lab.bundleID))
        #expect(try app(TokenApp.self).tokens == [Data(token.bytes)])
        #expect(
            await device.inside(InstalledApp.lab.bundleID) { UIApplication.shared.isRegisteredForRemoteNotifications }
                == true
        )

        await phone.forceQuit(.lab)
        device.disconnect()
        await phone.open(.lab)
        #expect(try app(TokenApp.self).tokens == [Data(token.bytes)])
    }

    @Test("A reconnect brings no second token callback")
    func tokenOnce() async throws {
        await opened { TokenApp() }
        phone.courier.drop(device.id)
        await phone.advance(by: .seconds(1))
        #expect(phone.courier.hellos == 2)
        #expect(try app(TokenApp.self).tokens.count == 1)
    }

    @Test("A lost link comes back after the back-off, with what waited")
    func reconnects() async {
        await opened { RecordingApp() }
        phone.dialer.serve(TestPhone.courierURL, nil)
        phone.courier.drop(device.id)
        #expect(!device.isConnected)
        let push = await phone.push(.alert, to: .lab)
        #expect(phone.courier.acknowledged.isEmpty)
        await phone.advance(by: .seconds(1))
        #expect(!device.isConnected)
        phone.dialer.serve(TestPhone.courierURL, phone.courier)
        await phone.advance(by: .seconds(2))
        #expect(device.isConnected)
        #expect(phone.courier.acknowledged == [push])
        #expect(phone.journeys.callbacks(of: push).count == 1)
    }

    @Test("A push that comes twice is acknowledged twice and shown once")
    func duplicate() async {
        await opened { RecordingApp() }
        await phone.background(.lab)
        let push = CourierPush(
            apnsID: "a",
            topic: InstalledApp.lab.bundleID,
            environment: .development,
            pushType: .alert,
            priority: 10,
            collapseID: nil,
            payload: JSONValue.alert.bytes
        )
        phone.courier.send(push, to: device.id)
        phone.courier.send(push, to: device.id)
        await device.settled()
        #expect(phone.courier.acknowledged == ["a", "a"])
        #expect(device.screen.list.count == 1)
        #expect(phone.journeys.kinds(of: "a").filter { $0 == .presented(.banner) }.count == 1)
    }

    @Test("Events go home numbered, and again until they are acknowledged")
    func eventsGoHome() async {
        phone.courier.setAcknowledgesEvents(false)
        await opened { RecordingApp() }
        await phone.background(.lab)
        let push = await phone.push(.alert, to: .lab)
        let first = phone.courier.reported
        #expect(first.map(\.event.kind) == phone.journeys.kinds(of: push))
        // In microseconds since 1970, so that they go on where the device is switched on again.
        let begin = Int64(phone.clock.date.timeIntervalSince1970) * 1_000_000
        #expect(first.map(\.number) == Array(begin..<begin + Int64(first.count)))
        phone.courier.drop(device.id)
        await phone.advance(by: .seconds(1))
        #expect(phone.courier.reported == first + first)
    }

    // MARK: What stops a push

    @Test(
        "A push that cannot be for the app says why",
        arguments: [
            ("com.example.other", APNSEnvironment.development, "{}", SuppressionReason.notInstalled),
            ("com.example.lab", .production, "{}", .environment),
            ("com.example.lab", .development, "[1]", .badPayload),
            ("com.example.lab", .development, "{", .badPayload),
            ("com.example.lab", .development, "{\"n\":1}", .noText),
        ]
    )
    func suppressed(topic: String, environment: APNSEnvironment, payload: String, reason: SuppressionReason) async {
        await opened { RecordingApp() }
        device.receive(
            CourierPush(
                apnsID: "A",
                topic: topic,
                environment: environment,
                pushType: .alert,
                priority: 10,
                collapseID: nil,
                payload: Array(payload.utf8)
            )
        )
        #expect(phone.journeys.kinds(of: "a") == [.suppressed(reason)])
    }

    @Test("A silent push to a force-quit app, or one without the background mode, says why")
    func notWoken() async {
        await opened { RecordingApp() }
        await phone.background(.lab)
        await phone.forceQuit(.lab)
        let first = await phone.push(.silent, to: .lab)
        #expect(phone.journeys.kinds(of: first) == [.suppressed(.forceQuit)])
        phone.install(.deaf) { RecordingApp() }
        await phone.open(.deaf)
        await phone.background(.deaf)
        let second = await phone.push(.silent, to: .deaf)
        #expect(phone.journeys.kinds(of: second) == [.suppressed(.noBackgroundMode)])
    }

    // MARK: Journeys

    @Test("The journey of a background push, tapped")
    func journey() async {
        await opened { RecordingApp() }
        await phone.background(.lab)
        let push = await phone.push(.alertAndContent, to: .lab)
        await phone.tap(push)
        #expect(
            phone.journeys.kinds(of: push) == [
                .woken(.background), .presented(.banner), .presented(.list),
                .callback(
                    name: "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)",
                    state: .background
                ),
                .finished(.newData), .opened,
                .callback(name: "userNotificationCenter(_:didReceive:withCompletionHandler:)", state: .inactive),
            ]
        )
    }

    @Test("A fetch that takes too long overran; what it says later does not count")
    func overran() async throws {
        await opened { SlowApp() }
        await phone.background(.lab)
        let push = await phone.push(.silent, to: .lab)
        await phone.advance(by: .seconds(29))
        #expect(!phone.journeys.kinds(of: push).contains(.finished(.overran)))
        await phone.advance(by: .seconds(1))
        #expect(await phone.journeys.first(of: push) { $0 == .finished(.overran) } != nil)
        try app(SlowApp.self).fetchHandler?(.newData)
        #expect(!phone.journeys.kinds(of: push).contains(.finished(.newData)))
    }

    @Test("A fetch of an app that is ended overran")
    func killedWhileFetching() async {
        await opened { SlowApp() }
        await phone.background(.lab)
        let push = await phone.push(.silent, to: .lab)
        await phone.terminate(.lab)
        #expect(phone.journeys.kinds(of: push).last == .finished(.overran))
    }

    @Test("In front, the options of willPresent decide")
    func presentation() async throws {
        await opened { RecordingApp() }
        let app = try app(RecordingApp.self)
        let cases: [(UNNotificationPresentationOptions, [JourneyEvent.Kind])] = [
            ([], [.suppressed(.foreground)]),
            ([.banner], [.presented(.banner)]),
            ([.list], [.presented(.list)]),
            ([.alert], [.presented(.banner), .presented(.list)]),
            ([.sound, .badge], [.presented(.sound), .presented(.badge)]),
        ]
        for (options, expected) in cases {
            app.options = options
            let push = await phone.push(.alert, to: .lab)
            #expect(
                phone.journeys.kinds(of: push).filter { if case .callback = $0 { false } else { true } } == expected
            )
        }
    }

    // MARK: The screen

    @Test("A banner goes after five seconds; the list keeps the entry")
    func banner() async {
        await opened { RecordingApp() }
        await phone.background(.lab)
        let push = await phone.push(.alert, to: .lab)
        #expect(device.screen.banner?.title == "Hi")
        #expect(device.screen.badges == [InstalledApp.lab.bundleID: 1])
        await phone.advance(by: .seconds(5))
        #expect(await device.first { $0.kind == .bannerHidden } != nil)
        #expect(device.screen.banner == nil)
        #expect(device.screen.list.map(\.apnsID) == [push])
    }

    @Test("The badge that drops to 0 clears the app's entries")
    func badge() async {
        await opened { RecordingApp() }
        await phone.background(.lab)
        await phone.push(.alert, to: .lab)
        await device.inside(InstalledApp.lab.bundleID) { UIApplication.shared.applicationIconBadgeNumber = 0 }
        #expect(device.screen.list.isEmpty)
        #expect(device.screen.badges.isEmpty)
    }

    @Test("Clearing an entry is told only if its category asks for it", arguments: [true, false])
    func dismiss(asks: Bool) async throws {
        await opened { RecordingApp() }
        await device.inside(InstalledApp.lab.bundleID) {
            let options: UNNotificationCategoryOptions = asks ? [.customDismissAction] : []
            UNUserNotificationCenter.current().setNotificationCategories([
                UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: [], options: options)
            ])
        }
        await phone.background(.lab)
        let push = await phone.push(["aps": ["alert": "Hi", "category": "c"]], to: .lab)
        #expect(await phone.dismiss(push))
        #expect(await phone.perform { $0.dismiss(push) } == false)
        #expect(device.screen.list.isEmpty)
        #expect(phone.journeys.kinds(of: push).contains(.dismissed))
        let identifiers = try app(RecordingApp.self).responses.map(\.actionIdentifier)
        #expect(identifiers == (asks ? [UNNotificationDismissActionIdentifier] : []))
        #expect(device.condition(of: InstalledApp.lab.bundleID) == .background)
    }

    // MARK: Life cycle

    @Test("The states of each life-cycle method")
    func lifeCycle() async {
        await opened { PlainApp() }
        await phone.background(.lab)
        await phone.open(.lab)
        await phone.forceQuit(.lab)
        #expect(
            device.callbacks() == [
                "application(_:didFinishLaunchingWithOptions:)@inactive", "applicationDidBecomeActive(_:)@active",
                // The prompt that it asks for.
                "applicationWillResignActive(_:)@active", "applicationDidBecomeActive(_:)@active",
                "applicationWillResignActive(_:)@active", "applicationDidEnterBackground(_:)@background",
                "applicationWillEnterForeground(_:)@background", "applicationDidBecomeActive(_:)@active",
                "applicationWillResignActive(_:)@active", "applicationDidEnterBackground(_:)@background",
                "applicationWillTerminate(_:)@background",
            ]
        )
        #expect(device.condition(of: InstalledApp.lab.bundleID) == .forceQuit)
    }

    @Test("Opening one app sends the other to the background")
    func twoApps() async {
        let other = InstalledApp(bundleID: "com.example.other")
        phone.install(other) { PlainApp() }
        await opened { PlainApp() }
        await phone.open(other)
        #expect(device.condition(of: InstalledApp.lab.bundleID) == .background)
        #expect(device.screen.front == other.bundleID)
        await phone.open(.lab)
        #expect(device.condition(of: other.bundleID) == .background)
    }

    @Test("Calls of an app after its end are not carried out")
    func deadPort() async throws {
        await opened { PlainApp() }
        let port = try #require(device.port(of: InstalledApp.lab.bundleID))
        await phone.terminate(.lab)
        let reply = await withCheckedContinuation { continuation in
            port.call(.setBadge(3)) { continuation.resume(returning: $0) }
        }
        #expect(reply == .terminated)
        #expect(device.screen.badges.isEmpty)
    }

    @Test("A request that was answered fires at its time, however soon the clock is turned")
    func answeredAfterPlanning() async throws {
        await opened { PlainApp() }
        let port = try #require(device.port(of: InstalledApp.lab.bundleID))
        let request = RequestRecord(
            identifier: "tea",
            content: ContentRecord(),
            trigger: .timeInterval(60, repeats: false)
        )
        let clock = phone.clock
        await withCheckedContinuation { continuation in
            // On a thread of its own, because the answer holds it up until the clock is turned.
            Thread.detachNewThread {
                port.call(.add(request)) { _ in
                    let turned = DispatchSemaphore(value: 0)
                    // An answer cannot wait for a function that is asynchronous.
                    Task.detached {
                        await clock.advance(by: .seconds(60))
                        turned.signal()
                    }
                    turned.wait()
                }
                continuation.resume()
            }
        }
        await device.settled()
        #expect(port.read(.pendingRequests) == .requests([]))
    }

    @Test("An app that was removed is gone, with all that it left")
    func uninstall() async {
        await opened { TokenApp() }
        await phone.background(.lab)
        await phone.push(.alert, to: .lab)
        device.uninstall(InstalledApp.lab.bundleID)
        #expect(device.screen.list.isEmpty)
        #expect(device.condition(of: InstalledApp.lab.bundleID) == nil)
        let push = await phone.push(.alert, to: .lab)
        #expect(phone.journeys.kinds(of: push) == [.suppressed(.notInstalled)])
    }

    @Test("Many phones at once keep to themselves")
    func parallel() async {
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let phone = await TestPhone(name: "Phone \(number)", seed: UInt64(number)).opening {
                        RecordingApp()
                    }
                    await phone.push(["aps": ["alert": ["title": .string("\(number)")]]], to: .lab)
                    let titles = await phone.device.delegate(of: InstalledApp.lab.bundleID, as: RecordingApp.self)?
                        .presented.map(\.request.content.title)
                    #expect(titles == ["\(number)"])
                }
            }
        }
    }
}
