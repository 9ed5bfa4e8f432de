import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SourceCompatibility5
import Testing
import UIKit

@Suite("Background fetches and sessions, driven")
@MainActor
struct BackgroundFetchTests {
    private static func app(_ name: String, modes: [String] = ["fetch"], info: JSONObject = [:]) -> InstalledApp {
        InstalledApp(bundleID: "com.example.\(name)", backgroundModes: modes, info: info)
    }

    private let quick = app("quick")
    private let hourly = app("hourly")

    /// A phone whose apps have been opened, one after the other, and are in the background.
    private func phone(_ profile: SystemProfile = .iOS(17), _ apps: InstalledApp...) async -> TestPhone {
        let phone = TestPhone(profile)
        for app in apps {
            if app == hourly { phone.install(app) { SceneShopApp() } } else { phone.install(app) { LinkShopApp() } }
            await phone.open(app)
            await phone.background(app)
        }
        return phone
    }

    private func delegate(_ phone: TestPhone) throws -> LinkShopApp {
        try #require(phone.device.delegate(of: quick.bundleID, as: LinkShopApp.self))
    }

    /// The times of an app's fetches, in seconds from the start, and their results.
    private func fetches(_ app: InstalledApp, _ phone: TestPhone, from start: Date) -> [String] {
        phone.device.recentDeviceEvents.filter { $0.app == app.bundleID }.compactMap { event in
            guard case .changed(let text) = event.kind, text.hasPrefix("background") else { return nil }
            return "\(Int(event.date.timeIntervalSince(start).rounded())) \(text)"
        }
    }

    @Test("The minimum is 15 minutes, an app's own interval is kept, with handler and async")
    func intervals() async throws {
        let phone = await phone(.iOS(17), quick, hourly)
        let start = phone.clock.date
        await phone.advance(by: .seconds(899))
        #expect(fetches(quick, phone, from: start).isEmpty)
        await phone.advance(by: .seconds(1))
        let first = ["900 background fetch", "900 background fetch: newData"]
        #expect(fetches(quick, phone, from: start) == first)
        await phone.advance(by: .seconds(2699))
        #expect(fetches(hourly, phone, from: start).isEmpty)
        await phone.advance(by: .seconds(1))
        #expect(fetches(hourly, phone, from: start) == ["3600 background fetch", "3600 background fetch: noData"])
        #expect(try delegate(phone).log.count { $0 == "fetch" } == 4)
        #expect(phone.device.delegate(of: hourly.bundleID, as: SceneShopApp.self)?.fetches == 1)
        let name = "application(_:performFetchWithCompletionHandler:)@background"
        #expect(phone.device.callbacks(of: hourly).last == name && phone.device.callbacks(of: quick).last == name)
    }

    @Test("An app that does not run is launched in the background; one that was swiped away is not")
    func launches() async throws {
        let phone = await phone(.iOS(17), quick)
        await phone.terminate(quick)
        let start = phone.clock.date
        await phone.advance(by: .seconds(900))
        #expect(phone.device.condition(of: quick.bundleID) == .background)
        #expect(try delegate(phone).log == ["init", "orientations", "fetch"])
        await phone.forceQuit(quick)
        await phone.advance(by: .seconds(7200))
        #expect(fetches(quick, phone, from: start).count == 2)
        #expect(await phone.perform { !$0.fetchInBackground(quick.bundleID) })
        await phone.open(quick)
        await phone.advance(by: .seconds(7200))
        #expect(fetches(quick, phone, from: start).count == 2)
        await phone.background(quick)
        await phone.advance(by: .seconds(900))
        #expect(fetches(quick, phone, from: start).suffix(2).first == "16200 background fetch")
    }

    @Test("Without the mode, with BGTaskScheduler, and after the interval Never there are none")
    func none() async throws {
        let modeless = Self.app("modeless", modes: ["remote-notification"])
        let modern = Self.app("modern", info: ["BGTaskSchedulerPermittedIdentifiers": ["com.example.refresh"]])
        let phone = await phone(.iOS(17), modeless, modern, quick)
        await phone.device.inside(quick.bundleID) {
            UIApplication.shared.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalNever)
        }
        let start = phone.clock.date
        await phone.advance(by: .seconds(86_400))
        for app in [modeless, modern, quick] { #expect(fetches(app, phone, from: start).isEmpty) }
        let older = await self.phone(.iOS(12), modern)
        let begin = older.clock.date
        await older.advance(by: .seconds(900))
        #expect(fetches(modern, older, from: begin).first == "900 background fetch")
    }

    @Test("The user's switch and Low Power Mode hold a fetch back; what is overdue then happens once")
    func held() async throws {
        let phone = await phone(.iOS(17), quick)
        let start = phone.clock.date
        await phone.perform { $0.setLowPower(true) }
        await phone.advance(by: .seconds(5000))
        #expect(fetches(quick, phone, from: start).isEmpty)
        await phone.perform { $0.setLowPower(false) }
        await phone.advance(by: .seconds(0))
        #expect(fetches(quick, phone, from: start).first == "5000 background fetch")
        phone.device.setBackgroundRefresh(of: quick.bundleID, allowed: false)
        await phone.advance(by: .seconds(5000))
        #expect(fetches(quick, phone, from: start).count == 2)
        phone.device.setBackgroundRefresh(of: quick.bundleID, allowed: true)
        await phone.advance(by: .seconds(0))
        #expect(fetches(quick, phone, from: start).suffix(2).first == "10000 background fetch")
        #expect(await phone.perform { $0.fetchInBackground(quick.bundleID) })
        #expect(fetches(quick, phone, from: start).count == 6)
    }

    @Test("A fetch without a result overruns after 30 seconds")
    func overruns() async throws {
        let phone = await phone(.iOS(17), quick)
        let start = phone.clock.date
        try delegate(phone).holdsFetch = true
        await phone.advance(by: .seconds(929))
        #expect(fetches(quick, phone, from: start) == ["900 background fetch"])
        await phone.advance(by: .seconds(1))
        #expect(
            fetches(quick, phone, from: start) == [
                "900 background fetch", "930 background work took more than 30 seconds",
            ]
        )
        // Too late.
        try delegate(phone).handlers.first?(.newData)
        await phone.device.settled()
        #expect(fetches(quick, phone, from: start).count == 2)
    }

    @Test("The end of a background session launches the app; in front and after a swipe it does not")
    func sessions() async throws {
        let phone = await phone(.iOS(17), quick, hourly)
        await phone.terminate(quick)
        let start = phone.clock.date
        #expect(await phone.perform { $0.finishBackgroundSession("downloads", of: quick.bundleID) })
        #expect(try delegate(phone).log.last == "session downloads")
        #expect(phone.device.condition(of: quick.bundleID) == .background)
        await phone.advance(by: .seconds(29))
        try delegate(phone).sessionHandler?()
        await phone.advance(by: .seconds(10))
        #expect(fetches(quick, phone, from: start).isEmpty)
        #expect(await phone.perform { $0.finishBackgroundSession("uploads", of: quick.bundleID) })
        await phone.advance(by: .seconds(30))
        #expect(fetches(quick, phone, from: start) == ["69 background work took more than 30 seconds"])
        #expect(await phone.perform { $0.finishBackgroundSession("a", of: hourly.bundleID) })
        #expect(phone.device.delegate(of: hourly.bundleID, as: SceneShopApp.self)?.sessions == ["a"])
        await phone.open(quick)
        #expect(await phone.perform { !$0.finishBackgroundSession("b", of: quick.bundleID) })
        await phone.forceQuit(quick)
        #expect(await phone.perform { !$0.finishBackgroundSession("b", of: quick.bundleID) })
    }
}
