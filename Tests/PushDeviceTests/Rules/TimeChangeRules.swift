import Foundation
import PosthornTesting
import PushClock
import PushDevice
import SystemPort
import TestSupport
import Testing
import UIKit

private final class TimeApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    func applicationDidBecomeActive(_ application: UIApplication) {}
    func applicationSignificantTimeChange(_ application: UIApplication) {}
}

@Suite("Rules of significant time changes")
@MainActor
struct TimeChangeRules {
    private static let name = "applicationSignificantTimeChange(_:)"

    /// A phone on 1 January 2026, 08:00 UTC, with its app in front.
    private func opened(
        _ date: Date = Date(timeIntervalSince1970: 1_767_254_400),
        name: String = "iPhone"
    ) async -> TestPhone {
        let phone = await TestPhone(name: name, clock: VirtualClock(date: date)).opening { TimeApp() }
        return phone
    }

    private func told(_ phone: TestPhone) -> [String] { phone.device.callbacks().filter { $0.hasPrefix(Self.name) } }

    private func application(on phone: TestPhone) -> UIApplication? {
        phone.device.inside(InstalledApp.lab.bundleID) { UIApplication.shared }
    }

    @Test("The arrival of midnight: each midnight, by the device's zone", arguments: [0, 8, -5])
    func midnight(_ hours: Int) async throws {
        let phone = await opened()
        let zone = try #require(TimeZone(secondsFromGMT: hours * 3600))
        await phone.perform { $0.setTimeZone(zone) }
        let begin = told(phone).count
        let rest = Duration.seconds(((16 - hours) % 24) * 3600)
        await phone.advance(by: rest - .seconds(1))
        #expect(told(phone).count == begin)
        await phone.advance(by: .seconds(1))
        #expect(told(phone).dropFirst(begin) == ["\(Self.name)@active"])
        await phone.advance(by: .seconds(86_399))
        #expect(told(phone).count == begin + 1)
        await phone.advance(by: .seconds(1))
        #expect(told(phone).count == begin + 2)
    }

    @Test("The change to daylight saving time, in the night of 29 March 2026 at 01:00 UTC")
    func daylightSaving() async throws {
        // 28 March 2026, 23:30 UTC: half past midnight in Berlin.
        let phone = await opened(Date(timeIntervalSince1970: 1_774_740_600))
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        await phone.perform { $0.setTimeZone(berlin) }
        let begin = told(phone).count
        await phone.advance(by: .seconds(5399))
        #expect(told(phone).count == begin)
        await phone.advance(by: .seconds(1))
        #expect(told(phone).count == begin + 1)
        // The next is midnight, which comes an hour early.
        await phone.advance(by: .seconds(21 * 3600 - 1))
        #expect(told(phone).count == begin + 1)
        await phone.advance(by: .seconds(1))
        #expect(told(phone).count == begin + 2)
    }

    @Test("Another time zone, and a correction by the carrier; the same zone again is no change")
    func zoneAndCarrier() async throws {
        let phone = await opened()
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        await phone.perform { $0.setTimeZone(tokyo) }
        #expect(told(phone) == ["\(Self.name)@active"])
        await phone.perform { $0.setTimeZone(tokyo) }
        #expect(told(phone).count == 1)
        await phone.perform { $0.correctTime() }
        #expect(told(phone).count == 2)
    }

    @Test("A suspended app is told when it returns to the foreground, once for several changes, before it is active")
    func queued() async throws {
        let phone = await opened()
        await phone.background(.lab)
        await phone.advance(by: .seconds(3 * 86_400))
        await phone.perform { $0.correctTime() }
        #expect(told(phone) == [])
        let begin = phone.device.recentDeviceEvents.count
        await phone.open(.lab)
        let names = ["\(Self.name)@inactive", "applicationDidBecomeActive(_:)@active"]
        #expect(phone.device.callbacks(from: begin) == names)
        await phone.background(.lab)
        await phone.open(.lab)
        #expect(told(phone).count == 1)
    }

    @Test("A process that starts knows the time, so it is not told of changes before")
    func newProcess() async throws {
        let phone = await opened()
        await phone.terminate(.lab)
        await phone.advance(by: .seconds(86_400))
        await phone.open(.lab)
        #expect(told(phone) == [])
    }

    @Test("UIKit posts significantTimeChangeNotification after the delegate's method")
    func notification() async throws {
        let phone = await opened(name: "Posting")
        let log = Recorder<String>()
        let token = NotificationCenter.default.addObserver(
            forName: UIApplication.significantTimeChangeNotification,
            object: application(on: phone),
            queue: nil
        ) { _ in if CurrentPort.bound?.facts.deviceName == "Posting" { log.add("posted") } }
        defer { NotificationCenter.default.removeObserver(token) }
        await phone.perform { $0.correctTime() }
        #expect(log.elements == ["posted"])
    }
}
