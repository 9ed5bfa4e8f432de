import Foundation
import JPush
import PosthornTesting
import Synchronization
import TestSupport
import Testing

@testable import PosthornPhone

/// The results of the apps' work, by the name of the test.
private let done = Mutex<[String: Int]>([:])

/// An app that asks for permission, and does its work in tasks.
private final class WorkingApp: UIResponder, UIApplicationDelegate {
    private let name: String

    init(_ name: String) { self.name = name }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        return true
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let name = name
        Task.detached {
            // Real work, on another thread, after the system has been answered.
            let count = (0..<200_000).reduce(0) { ($0 &* 31 &+ $1) % 1_000_003 }
            DispatchQueue.global().async { done.withLock { $0[name] = count } }
        }
        completionHandler(.newData)
    }
}

@Suite("The test kit", .phoneStory)
struct KitTests {
    private let app = InstalledApp(bundleID: "com.example.kit")

    private func phone(_ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate) async -> TestPhone {
        let phone = TestPhone(.iOS(17))
        phone.install(app, delegate: delegate)
        await phone.open(app)
        await phone.background(app)
        return phone
    }

    @Test("A wait stops the clock at the event that fulfils it")
    func waiting() async throws {
        let phone = await phone { WorkingApp("waiting") }
        let start = phone.clock.now
        await phone.device.inside(app.bundleID) {
            let content = UNMutableNotificationContent()
            content.title = "Tea"
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 180, repeats: false)
            let request = UNNotificationRequest(identifier: "tea", content: content, trigger: trigger)
            UNUserNotificationCenter.current().add(request)
        }
        await phone.expectNoBanner(for: .seconds(179))
        #expect(start.duration(to: phone.clock.now) == .seconds(179))
        let shown = await phone.expectBanner(titled: "Tea", within: .seconds(3600))
        #expect(shown?.id == phone.local("tea", of: app))
        #expect(start.duration(to: phone.clock.now) == .seconds(180))
    }

    @Test("A wait in vain fails with what was waited for, the time, and the story")
    func waitingInVain() async {
        let phone = await phone { WorkingApp("vain") }
        await phone.push(["aps": ["alert": "Hello"]], to: app)
        await withKnownIssue {
            #expect(await phone.wait(for: .seconds(90), "pigs fly") { _ in false } == false)
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return issue.sourceLocation?.fileID.hasSuffix("KitTests.swift") == true
                && text.contains("Waited 90.0 seconds on the phone's clock until pigs fly")
                && text.contains("Journeys:") && text.contains("bannerShown")
        }
    }

    @Test("A condition that hangs is ended by the real limit")
    func hanging() async {
        let phone = await phone { WorkingApp("hanging") }
        await withKnownIssue {
            await phone.wait(for: .seconds(90), "it ends", realLimit: .milliseconds(50)) { _ in
                try await ContinuousClock().sleep(for: .seconds(600))
                return true
            }
        } matching: {
            $0.comments.map(\.rawValue).joined().contains("until it ends: something hangs")
        }
    }

    @Test("settle() awaits the tasks and blocks that the app has started")
    func settling() async {
        let phone = await phone { WorkingApp("settling") }
        for _ in 0..<20 {
            done.withLock { $0["settling"] = nil }
            await phone.push(["aps": ["content-available": 1]], to: app)
            #expect(await phone.settle(within: usualLimit))
            #expect(done.withLock { $0["settling"] } != nil)
            // A phone wakes an app for three silent pushes an hour.
            await phone.advance(by: .seconds(3600))
        }
    }

    @Test("settle() does not wait for the phone's own deadlines, which the app's requests and answers have set")
    @MainActor
    func settlingBeforeDeadlines() async {
        let phone = await TestPhone(.iOS(17)).opening(app) { TeamApp() }
        await phone.device.inside(app.bundleID) {
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
            let content = UNMutableNotificationContent()
            content.title = "Later"
            let center = UNUserNotificationCenter.current()
            try? await center.add(UNNotificationRequest(identifier: "later", content: content, trigger: trigger))
        }
        // The reminder is due in a minute, and the banner that willPresent asks for hides after some seconds.
        await phone.push(["aps": ["alert": "Now"]], to: app)
        #expect(await phone.settle(within: .seconds(600)))
        #expect(phone.clock.nextDeadline != nil)
    }

    @Test("settle() gives up work without an end, once")
    func settlingWithoutEnd() async {
        let phone = await phone { WorkingApp("endless") }
        await phone.device.inside(app.bundleID) {
            // The app's own task, which no event ends.
            _ = Task { try await ContinuousClock().sleep(for: .seconds(600)) }
        }
        #expect(await phone.settle(within: .milliseconds(20)) == false)
        #expect(await phone.settle(within: .seconds(500)))
    }

    @Test("A touch of what is not there fails with what is")
    func missing() async {
        let phone = await phone { WorkingApp("missing") }
        let push = await phone.push(["aps": ["alert": ["title": "Hello", "body": "Ann"]]], to: app)
        let acts: [@Sendable () async -> Void] = [
            { await phone.tap("nothing") }, { await phone.dismiss("nothing") },
            { await phone.choose("x", on: "nothing") },
            { await phone.reply("text", with: "x", to: "nothing") },
        ]
        for act in acts {
            await withKnownIssue {
                await act()
            } matching: { issue in
                let text = issue.comments.map(\.rawValue).joined()
                return text.contains("nothing: it is not on the screen. There is:") && text.contains("'Hello / Ann'")
                    && text.contains(push)
            }
        }
        await withKnownIssue {
            await phone.choose("later", on: push)
        } matching: {
            $0.comments.map(\.rawValue).joined().contains("Cannot press 'later' of \(push): it has no buttons")
        }
        await phone.tap(push)
        #expect(phone.device.screen.list.isEmpty)
    }

    @Test("A push has the headers that a test gives, and waits for nothing when the phone is offline")
    func headers() async {
        let phone = await phone { WorkingApp("headers") }
        await phone.push(["aps": ["alert": "1"]], to: app, collapseID: "score", priority: 5)
        await phone.push(["aps": ["alert": "2"]], to: app, collapseID: "score", type: .alert)
        #expect(phone.device.screen.list.map(\.body) == ["2"])
        phone.device.disconnect()
        let late = await phone.push(["aps": ["alert": "3"]], to: app)
        #expect(phone.journeys.events(of: late).isEmpty)
    }

    @Test("Equal phones have equal snapshots; a difference is one of lines")
    func snapshots() async throws {
        func run(_ text: String) async -> PhoneSnapshot {
            let phone = await phone { WorkingApp("snapshots") }
            await phone.push(["aps": ["alert": .string(text)]], to: app)
            return phone.snapshot()
        }
        let first = await run("Hello")
        let same = await run("Hello")
        let other = await run("Goodbye")
        #expect(first == same)
        #expect(try PhoneSnapshot(parsing: first.description) == first)
        #expect(first.difference(from: same).isEmpty)
        let lines = other.difference(from: first).split(separator: "\n").map { $0.replacing(" ", with: "") }
        #expect(Set(lines) == [#"-"body":"Hello","#, #"+"body":"Goodbye","#])
    }

    @Test("A snapshot is written when it is missing, and compared from then on")
    func keptSnapshots() async throws {
        try await withTemporaryFolder { folder in
            let phone = await phone { WorkingApp("kept") }
            withKnownIssue {
                _ = phone.expectSnapshot(named: "empty centre", in: folder)
            } matching: {
                $0.comments.map(\.rawValue).joined().contains("There was no snapshot 'empty centre'")
            }
            #expect(phone.expectSnapshot(named: "empty centre", in: folder))
            await phone.push(["aps": ["alert": "Hello"]], to: app)
            withKnownIssue {
                _ = phone.expectSnapshot(named: "empty centre", in: folder)
            } matching: {
                $0.comments.map(\.rawValue).joined().contains(#"+       "body" : "Hello","#)
            }
        }
    }

    @Test("The clock starts where a test says, in the zone that it names")
    func start() async throws {
        let date = Date(timeIntervalSince1970: 1_900_000_000)
        let zone = try #require(TimeZone(identifier: "Asia/Shanghai"))
        let phone = TestPhone(startingAt: date, zone: zone)
        #expect(phone.clock.date == date)
        #expect(phone.snapshot().state.timeZone == "Asia/Shanghai")
    }

    @Test("A watch keeps the phones of a test, and writes their stories and run files")
    func watch() async throws {
        let watch = PhoneWatch()
        await watch.run { [app] in
            _ = await TestPhone(.iOS(17), name: "Ann's iPhone").opening(app) { WorkingApp("watch") }
        }
        #expect(watch.phones.map(\.device.name) == ["Ann's iPhone"])
        try withTemporaryFolder { folder in
            let files = try watch.write(to: folder, as: "KitTests/watch()")
            #expect(
                files.map(\.lastPathComponent) == [
                    "KitTests_watch__-1-Ann_s_iPhone.txt", "KitTests_watch__-1-Ann_s_iPhone.json",
                ]
            )
            #expect(try String(contentsOf: files[0], encoding: .utf8).contains("What happened on Ann's iPhone"))
            watch.end()
            #expect(watch.phones.isEmpty)
        }
    }
}

@Suite("Failures that no test library can be told of")
struct UnrecordedFailureTests {
    @Test("The process of the tests ends, with the reason and what to do: a test must not pass")
    func ends() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            TestIssues.end(for: "Cannot tap a1: it is not on the screen.")
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Cannot tap a1") && message.contains("PosthornXCTest"))
    }
}
