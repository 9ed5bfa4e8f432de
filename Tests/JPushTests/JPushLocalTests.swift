import CoreLocation
import JPush
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

// No `setup`, no app key, no service.
@Suite("Local notifications through JPUSHService")
@MainActor
struct JPushLocalTests {
    private func stage(_ profile: SystemProfile = .iOS(17)) async -> JPushStage {
        let stage = await JPushStage(profile, link: nil)
        stage.inside { JPUSHService.register(forRemoteNotificationTypes: 7, categories: nil) }
        await stage.settle()
        return stage
    }

    private func request(_ identifier: String, _ change: (JPushNotificationTrigger) -> Void) -> JPushNotificationRequest
    {
        let content = JPushNotificationContent()
        content.title = identifier
        content.body = "body"
        let trigger = JPushNotificationTrigger()
        change(trigger)
        let request = JPushNotificationRequest()
        request.requestIdentifier = identifier
        request.content = content
        request.trigger = trigger
        return request
    }

    /// The argument of the completion handler.
    private func add(_ request: JPushNotificationRequest, _ stage: JPushStage) async -> String {
        await stage.answer { done in
            request.completionHandler = { result in
                let trigger = (result as? UNNotificationRequest)?.trigger
                done(result == nil ? "nil" : trigger.map { String(describing: type(of: $0)) } ?? "at once")
            }
            JPUSHService.addNotification(request)
        }
    }

    private func find(_ stage: JPushStage, delivered: Bool, _ ids: [String]? = nil) async -> [String] {
        await stage.answer { done in
            let which = JPushNotificationIdentifier()
            which.identifiers = ids
            which.delivered = delivered
            which.findCompletionHandler = { results in
                done(
                    (results ?? []).map { result in
                        (result as? UNNotification)?.request.identifier
                            ?? (result as? UNNotificationRequest).map { "waits \($0.identifier)" } ?? "?"
                    }.sorted()
                )
            }
            JPUSHService.findNotification(which)
        }
    }

    @Test("The region comes before the date, the date before the interval")
    func priority() async {
        let stage = await stage()
        await stage.phone.setLocationAccess(of: stage.app, to: .whenInUse)
        let region = CLCircularRegion(center: CLLocationCoordinate2DMake(1, 2), radius: 100, identifier: "r")
        let all = request("1") {
            $0.region = region
            $0.dateComponents = DateComponents(hour: 8)
            $0.timeInterval = 60
        }
        #expect(await add(all, stage) == "UNLocationNotificationTrigger")
        let date = request("2") {
            $0.dateComponents = DateComponents(hour: 8)
            $0.timeInterval = 60
        }
        #expect(await add(date, stage) == "UNCalendarNotificationTrigger")
        #expect(await add(request("3") { $0.timeInterval = 60 }, stage) == "UNTimeIntervalNotificationTrigger")
        #expect(await find(stage, delivered: false) == ["waits 1", "waits 2", "waits 3"])
    }

    @Test("jpushFlutterPlugin27_aTriggerWithoutAConditionIsRefused", arguments: [10, 17])
    func noCondition(_ version: Int) async {
        let stage = await stage(.iOS(version))
        await stage.phone.background(stage.app)
        #expect(await add(request("empty") { _ in }, stage) == "nil")
        #expect(await add(request("date") { $0.fireDate = .distantFuture }, stage) == "nil")
        #expect(await add(request("repeats") { $0.repeat = true }, stage) == "nil")
        #expect(await find(stage, delivered: true) == [])
        let now = request("now") { _ in }
        now.trigger = nil
        #expect(await add(now, stage) == "at once")
        #expect(await find(stage, delivered: true) == ["now"])
        #expect(await find(stage, delivered: false) == [])
    }

    @Test("A short interval that repeats is refused with nil, and the process lives")
    func shortInterval() async {
        let stage = await stage()
        let short = request("short") {
            $0.timeInterval = 59
            $0.repeat = true
        }
        #expect(await add(short, stage) == "nil")
        #expect(await add(request("before") { $0.timeInterval = -1 }, stage) == "nil")
        let minute = request("minute") {
            $0.timeInterval = 60
            $0.repeat = true
        }
        #expect(await add(minute, stage) == "UNTimeIntervalNotificationTrigger")
    }

    @Test("Without permission the handler gets nil")
    func refused() async {
        let stage = await JPushStage(link: nil)
        #expect(await add(request("x") { $0.timeInterval = 60 }, stage) == "nil")
    }

    @Test("The same identifier replaces; what is found and removed is pending or delivered, some or all")
    func findAndRemove() async {
        let stage = await stage()
        await stage.phone.background(stage.app)
        for name in ["a", "b", "c"] { _ = await add(request(name) { $0.timeInterval = 60 }, stage) }
        _ = await add(request("a") { $0.timeInterval = 600 }, stage)
        await stage.advance(by: .seconds(60))
        #expect(await find(stage, delivered: true) == ["b", "c"])
        #expect(await find(stage, delivered: false) == ["waits a"])
        #expect(await find(stage, delivered: true, ["b", "unknown"]) == ["b"])
        #expect(await find(stage, delivered: false, ["unknown"]) == [])

        let which = JPushNotificationIdentifier()
        which.identifiers = ["b"]
        which.delivered = true
        stage.inside { JPUSHService.removeNotification(which) }
        #expect(await find(stage, delivered: true) == ["c"])
        which.identifiers = []
        which.delivered = false
        stage.inside { JPUSHService.removeNotification(which) }
        #expect(await find(stage, delivered: false) == [])
        _ = await add(request("d") { $0.timeInterval = 60 }, stage)
        stage.inside { JPUSHService.removeNotification(nil) }
        #expect(await find(stage, delivered: false) == [])
        #expect(await find(stage, delivered: true) == [])
    }

    @Test("The content arrives with all it says")
    func content() async throws {
        let stage = await stage()
        let asked = request("full") { $0.timeInterval = 60 }
        asked.content.subtitle = "sub"
        asked.content.badge = -1
        asked.content.categoryIdentifier = "cat"
        asked.content.userInfo = ["key": "value"]
        asked.content.threadIdentifier = "thread"
        asked.content.launchImageName = "image"
        asked.content.targetContentIdentifier = "target"
        asked.content.interruptionLevel = 2
        asked.content.relevanceScore = 0.5
        asked.content.filterCriteria = "filter"
        asked.content.summaryArgument = "many"
        asked.content.summaryArgumentCount = 3
        let sound = JPushNotificationSound()
        sound.criticalSoundName = "siren.caf"
        sound.criticalSoundVolume = 0.25
        asked.content.soundSetting = sound
        _ = await add(asked, stage)
        let record = try #require(stage.phone.device.pendingRequests(of: stage.app.bundleID).first?.content)
        #expect(record.title == "full")
        #expect(record.subtitle == "sub")
        #expect(record.badge == nil)
        #expect(record.categoryIdentifier == "cat")
        #expect(record.threadIdentifier == "thread")
        #expect(record.launchImageName == "image")
        #expect(record.targetContentIdentifier == "target")
        #expect(record.interruptionLevel == 2)
        #expect(record.relevanceScore == 0.5)
        #expect(record.filterCriteria == "filter")
        #expect(record.summaryArgument == "many")
        #expect(record.summaryArgumentCount == 3)
        #expect(record.sound?.name == "siren.caf")
        #expect(record.sound?.isCritical == true)
        #expect(record.sound?.volume == 0.25)

        // A name of its own comes before; with neither the system's sound.
        asked.content.sound = "bell.caf"
        asked.content.badge = 4
        _ = await add(asked, stage)
        let named = try #require(stage.phone.device.pendingRequests(of: stage.app.bundleID).first?.content)
        #expect(named.sound?.name == "bell.caf")
        #expect(named.badge == 4)
        _ = await add(request("plain") { $0.timeInterval = 61 }, stage)
        let plain = try #require(stage.phone.device.pendingRequests(of: stage.app.bundleID).last?.content)
        #expect(plain.sound != nil)
        #expect(plain.sound?.name == nil)
        #expect(plain.badge == nil)
    }

    @Test("A notification fires, and the delegate that the app registered hears of it")
    func fires() async {
        let stage = await JPushStage(link: nil, delegate: { LocalDelegateApp() })
        await stage.settle()
        _ = await add(request("tea") { $0.timeInterval = 60 }, stage)
        await stage.advance(by: .seconds(60))
        await stage.settle()
        let app = stage.phone.device.delegate(of: stage.app.bundleID, as: LocalDelegateApp.self)
        #expect(app?.heard == ["tea local"])
    }

    // MARK: Before iOS 10

    @Test("The old calls schedule by date, find, delete and clear by name", arguments: [9, 17])
    func legacy(_ version: Int) async throws {
        let stage = await stage(.iOS(version))
        let now = stage.phone.clock.date
        let first = stage.inside {
            JPUSHService.setLocalNotification(
                now.addingTimeInterval(60.5),
                alertBody: "Tea",
                badge: -1,
                alertAction: "Drink",
                identifierKey: "tea",
                userInfo: ["cup": 1],
                soundName: nil
            )
        }
        #expect(first?.alertAction == "Drink")
        stage.inside {
            #expect(
                JPUSHService.setLocalNotification(
                    now,
                    alertBody: "late",
                    badge: 0,
                    alertAction: nil,
                    identifierKey: "late",
                    userInfo: nil,
                    soundName: nil
                ) == nil
            )
            let found = JPUSHService.findLocalNotification(withIdentifier: "tea") as? [UILocalNotification]
            #expect(found?.count == 1)
            #expect(found?.first?.alertBody == "Tea")
            #expect(found?.first?.fireDate == now.addingTimeInterval(60.5))
            #expect(found?.first?.alertAction == "Drink")
            #expect(found?.first?.userInfo?["cup"] as? Int == 1)
            #expect(JPUSHService.findLocalNotification(withIdentifier: "none").isEmpty)
            JPUSHService.deleteLocalNotification(withIdentifierKey: "none")
            JPUSHService.delete(first)
            #expect(JPUSHService.findLocalNotification(withIdentifier: "tea").isEmpty)
        }
        let again = stage.inside {
            JPUSHService.setLocalNotification(
                now.addingTimeInterval(60),
                alertBody: "Tea",
                badge: 2,
                alertAction: nil,
                identifierKey: "tea",
                userInfo: nil,
                soundName: nil,
                region: nil,
                regionTriggersOnce: true,
                category: nil
            )
        }
        #expect(again != nil)
        await stage.phone.background(stage.app)
        await stage.advance(by: .seconds(60))
        #expect(stage.phone.device.screen.badges[stage.app.bundleID] == 2)
        stage.inside { JPUSHService.clearAllLocalNotifications() }
        #expect(stage.phone.device.pendingRequests(of: stage.app.bundleID).isEmpty)
    }

    @Test("Below iOS 10 the fire date counts, and the handlers give UILocalNotification")
    func fireDate() async {
        let stage = await stage(.iOS(9))
        let asked = request("old") { $0.fireDate = stage.phone.clock.date.addingTimeInterval(60) }
        let body: String? = await stage.answer { done in
            asked.completionHandler = { done(($0 as? UILocalNotification)?.alertBody) }
            JPUSHService.addNotification(asked)
        }
        #expect(body == "body")
        let found: FoundOld = await stage.answer { done in
            let which = JPushNotificationIdentifier()
            which.identifiers = ["old"]
            which.delivered = true
            which.findCompletionHandler = { done(FoundOld(all: $0 as? [UILocalNotification] ?? [])) }
            JPUSHService.findNotification(which)
        }
        #expect(found.all.count == 1)
        let which = JPushNotificationIdentifier()
        which.notificationObj = found.all.first
        stage.inside { JPUSHService.removeNotification(which) }
        #expect(stage.phone.device.pendingRequests(of: stage.app.bundleID).isEmpty)
    }
}

/// `@unchecked Sendable`: it goes from the main thread to the main thread.
private struct FoundOld: @unchecked Sendable {
    var all: [UILocalNotification]
}

private final class LocalDelegateApp: UIResponder, UIApplicationDelegate, @preconcurrency JPUSHRegisterDelegate {
    var heard: [String] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let entity = JPUSHRegisterEntity()
        entity.types = 4
        JPUSHService.register(forRemoteNotificationConfig: entity, delegate: self)
        return true
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    ) {
        let isRemote = notification.request.trigger is UNPushNotificationTrigger
        heard.append("\(notification.request.identifier) \(isRemote ? "remote" : "local")")
        completionHandler(0)
    }
}
