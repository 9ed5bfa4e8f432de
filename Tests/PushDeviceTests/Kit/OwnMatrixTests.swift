import CallbackMatrix
import Foundation
import PosthornMatrix
import PosthornTesting
import TestSupport
import Testing

private let fetch = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
private let willPresent = "userNotificationCenter(_:willPresent:withCompletionHandler:)"
private let didReceive = "userNotificationCenter(_:didReceive:withCompletionHandler:)"
private let finish = "application(_:didFinishLaunchingWithOptions:)"

@Suite("Callback matrix with a team's own app", .phoneStory)
@MainActor
struct OwnMatrixTests {
    private typealias Options = CallbackMatrix.Options

    private func row(
        _ table: CallbackMatrix.Table,
        _ start: CallbackMatrix.Start,
        _ payload: CallbackMatrix.Payload,
        _ act: CallbackMatrix.Act = .none
    ) throws -> CallbackMatrix.Row {
        try #require(table.rows.first { $0.start == start && $0.payload == payload && $0.act == act })
    }

    @Test("An app that implements all methods misses none, with its centre's delegate in an object of its own")
    func complete() async throws {
        let table = try await CallbackMatrix.run(serviceExtension: { PassingExtension() }) { TeamApp() }
        #expect(table.rows.flatMap(\.missing) == [], Comment(rawValue: table.text))
        #expect(table.unreached.isEmpty)
        #expect(table.methodsToImplement.isEmpty)
        #expect(Set(table.rows.map(\.start)) == Set(CallbackMatrix.Start.allCases))
        #expect(Set(table.rows.map(\.payload)) == Set(CallbackMatrix.Payload.allCases))
        #expect(Set(table.rows.map(\.act)) == Set(CallbackMatrix.Act.allCases))
        let shown = try row(table, .foreground, .alert)
        #expect(shown.calls.map(\.description) == ["\(willPresent) [active]"])
        #expect(shown.presentation.sorted() == ["banner", "sound"])
        #expect(shown.answeredWillPresent == true)
        #expect(shown.banner == "Hi" && !shown.isListed)
        let extended = try row(table, .background, .alertWithMutableContent)
        #expect(extended.serviceExtension == "ran" && extended.isListed)
    }

    @Test("Each row of the table that fits the app is run, once")
    func rows() async throws {
        let table = try await CallbackMatrix.run(serviceExtension: { PassingExtension() }) { TeamApp() }
        let fitting = MatrixCase.all(iOS: 17).filter { row in
            row.delegate == .complete && row.permission == .granted && (row.isLocal || row.hasBackgroundMode)
                && CallbackMatrix.Payload(rawValue: row.payload) != nil
        }
        #expect(Set(table.rows.map(\.id)) == Set(fitting.map(\.id)))
        #expect(Set(table.rows.map { "\($0.id) \($0.name)" }).count == table.rows.count)
    }

    @Test("The results of calls: the fetch's result follows the members that the options add to the payload")
    func results() async throws {
        var options = Options(starts: [.background], payloads: [.silent])
        let empty = try await CallbackMatrix.run(options) { TeamApp() }
        #expect(empty.rows.map(\.fetchResult) == ["noData"])
        options.userInfo = ["order": "42"]
        let full = try await CallbackMatrix.run(options) { TeamApp() }
        #expect(full.rows.map(\.fetchResult) == ["newData"])
        #expect(full.difference(from: empty.text) == "-   fetch: noData\n+   fetch: newData")
    }

    @Test("A method that is not implemented is named, with the rows in which it would have been called")
    func notImplemented() async throws {
        let table = try await CallbackMatrix.run(Options(acts: [.none])) { TapsOnlyApp() }
        let silent = try row(table, .background, .silent)
        #expect(silent.calls.isEmpty && !silent.reachesApp)
        #expect(silent.missing.map(\.reason) == ["\(fetch) is not implemented."])
        #expect(table.unreached.contains(silent))
        #expect(table.methodsToImplement == [willPresent, fetch])
        #expect(table.text.contains("  iOS 17.0, background, silent: \(fetch) is not implemented.\n"))
        let foreground = try row(table, .foreground, .alert)
        #expect(foreground.missing.map(\.reason) == ["\(willPresent) is not implemented."])
        #expect(foreground.presentation.isEmpty)
    }

    @Test("Without a delegate of the centre the reason says so")
    func withoutCentreDelegate() async throws {
        let table = try await CallbackMatrix.run(Options(payloads: [.alert], acts: [.none, .tap])) { EmptyApp() }
        let tapped = try row(table, .background, .alert, .tap)
        #expect(tapped.missing.map(\.call.description) == ["\(didReceive) [inactive]"])
        let reason = try #require(tapped.missing.first?.reason)
        #expect(
            reason
                == """
                UNUserNotificationCenter.current().delegate is nil: set it before \(finish) returns, and implement \
                \(didReceive).
                """
        )
        let launched = try row(table, .forceQuit, .alert, .tap)
        #expect(launched.calls.map(\.description) == ["\(finish) [inactive]"])
        #expect(!launched.reachesApp, "The launch alone does not count.")
        #expect(table.unreached.count == table.rows.count - table.silent.count)
    }

    @Test("The reason is the phone's if no app is called")
    func silence() async throws {
        let table = try await CallbackMatrix.run { TeamApp() }
        let swiped = try row(table, .forceQuit, .silent)
        #expect(swiped.silence?.contains("the user swiped it away") == true)
        let arrival = try row(table, .background, .alert)
        #expect(arrival.silence?.contains("until the user acts") == true)
        #expect(table.text.contains("No app is called:\n"))
        let deaf = InstalledApp(bundleID: "com.example.app", backgroundModes: [])
        let without = try await CallbackMatrix.run(Options(payloads: [.silent], app: deaf)) { TeamApp() }
        let missed = try row(without, .background, .silent)
        #expect(missed.silence?.contains("UIBackgroundModes") == true)
    }

    @Test("A completion handler that is never called shows")
    func forgetful() async throws {
        let table = try await CallbackMatrix.run(Options(acts: [.none, .tap])) { ForgetfulApp() }
        #expect(try row(table, .background, .silent).fetchResult == "overran")
        let shown = try row(table, .foreground, .alert)
        #expect(shown.answeredWillPresent == false)
        #expect(shown.text.contains("willPresent: its completion handler was not called"))
        let tapped = try row(table, .foreground, .alert, .tap)
        #expect(!tapped.couldAct)
        #expect(
            tapped.missing.map(\.reason) == [
                "\(didReceive) is not called: the notification is not on the screen, so the user cannot act on it."
            ]
        )
    }

    @Test("An app with scenes: the scene's delegate is called for the life cycle, the centre's for the tap")
    func scenes() async throws {
        let table = try await CallbackMatrix.run(Options(payloads: [.alert], acts: [.tap])) { SceneTeamApp() }
        #expect(table.rows.flatMap(\.missing) == [], Comment(rawValue: table.text))
        let launched = try row(table, .forceQuit, .alert, .tap)
        #expect(
            launched.calls.map(\.method) == [
                finish, "application(_:configurationForConnecting:options:)", "scene(_:willConnectTo:options:)",
                didReceive, "sceneDidBecomeActive(_:)",
            ]
        )
    }

    @Test("The buttons are those of the app's category")
    func ownCategory() async throws {
        let options = Options(starts: [.background], payloads: [.alert], category: "order")
        let table = try await CallbackMatrix.run(options) { TapsOnlyApp() }
        #expect(table.rows.compactMap(\.button) == ["open"])
        #expect(Set(table.rows.map(\.act)) == [.none, .tap, .icon, .foregroundButton, .dismiss])
        #expect(table.rows.filter { $0.act == .dismiss }.map(\.id) == ["R10-B-19"], "It asks for no dismissals.")
    }

    @Test("A case that cannot run says why")
    func problems() async throws {
        let noCategory = CallbackMatrix.Problem.noSuchCategory("letter", registered: ["order"])
        await #expect(throws: noCategory) {
            try await CallbackMatrix.run(Options(category: "letter")) { TapsOnlyApp() }
        }
        #expect("\(noCategory)".contains("has no category 'letter'; it has registered order."))
        await #expect(throws: CallbackMatrix.Problem.noCases) {
            try await CallbackMatrix.run(Options(payloads: [.alertWithMutableContent])) { TeamApp() }
        }
        await #expect(throws: CallbackMatrix.Problem.noSuchSystem("6.1")) {
            try await CallbackMatrix.run(Options(systems: [SystemProfile(version: "6.1")])) { TeamApp() }
        }
    }

    @Test("prepare runs inside the app, and its error ends the matrix")
    func preparation() async throws {
        struct NotLoggedIn: Error {}
        var options = Options(starts: [.background], payloads: [.alert], acts: [.none])
        options.asksPermission = false
        let silent = try await CallbackMatrix.run(options) { TeamApp() }
        #expect(silent.rows.map(\.isListed) == [false], "Nobody has asked for permission.")
        let asked = try await CallbackMatrix.run(
            options,
            prepare: { _ = try await UNUserNotificationCenter.current().requestAuthorization(options: .alert) }
        ) { TeamApp() }
        #expect(asked.rows.map(\.isListed) == [true])
        await #expect(throws: NotLoggedIn.self) {
            try await CallbackMatrix.run(options, prepare: { throw NotLoggedIn() }) { TeamApp() }
        }
    }

    @Test("Without the user's permission")
    func denied() async throws {
        var options = Options(acts: [.none])
        options.permissions = [.denied]
        let table = try await CallbackMatrix.run(options) { TeamApp() }
        #expect(Set(table.rows.map(\.id)) == ["R10-X-1", "R10-X-2"])
        #expect(table.rows.allSatisfy { $0.banner == nil && !$0.isListed })
        let fetched = table.rows.filter { $0.id == "R10-X-2" }
        #expect(!fetched.isEmpty && fetched.allSatisfy { $0.fetchResult == "noData" })
    }

    @Test("Several versions in one table, each with its rows", arguments: [7, 8, 9])
    func earlier(_ major: Int) async throws {
        let table = try await CallbackMatrix.run(Options(systems: [.iOS(major), .iOS(17)])) { OldTeamApp() }
        #expect(Set(table.rows.map(\.system)) == ["\(major).0", "17.0"])
        let legacy = "application(_:didReceiveRemoteNotification:)"
        let tapped = try row(table, .background, .alert, .tap)
        #expect(tapped.system == "\(major).0")
        #expect(tapped.calls.map(\.description) == ["\(legacy) [inactive]"])
        #expect(tapped.missing.map(\.call.method) == [fetch], "It is called instead, and is the older one.")
        #expect(tapped.reachesApp)
        let acts = Set(table.rows.filter { $0.system != "17.0" }.map(\.act))
        #expect(acts.contains(.backgroundButton) == (major >= 8))
        #expect(acts.contains(.reply) == (major >= 9))
    }

    @Test("A table is kept as text beside a test; a method that is gone shows as lines")
    func keptText() async throws {
        try await withTemporaryFolder { folder in
            let options = Options(starts: [.background], payloads: [.alert], acts: [.tap])
            let complete = try await CallbackMatrix.run(options) { TeamApp() }
            withKnownIssue { complete.expectSnapshot(named: "taps", in: folder) }
            #expect(complete.expectSnapshot(named: "taps", in: folder))
            let kept = try String(contentsOf: folder.appending(path: "taps.txt"), encoding: .utf8)
            #expect(kept == complete.text)
            let empty = try await CallbackMatrix.run(options) { EmptyApp() }
            withKnownIssue {
                empty.expectSnapshot(named: "taps", in: folder)
            } matching: { issue in
                "\(issue)".contains("-   \(didReceive) [inactive]") && "\(issue)".contains("+   missing: \(didReceive)")
            }
        }
    }

    @Test("Two runs at once and one alone have the same text, and JSON brings a table back")
    func deterministic() async throws {
        async let first = CallbackMatrix.run { TeamApp() }
        async let second = CallbackMatrix.run { TeamApp() }
        let tables = try await [first, second, CallbackMatrix.run { TeamApp() }]
        #expect(tables[1].difference(from: tables[0].text) == "")
        #expect(tables[2].difference(from: tables[0].text) == "")
        let data = try JSONEncoder().encode(tables[0])
        #expect(try JSONDecoder().decode(CallbackMatrix.Table.self, from: data) == tables[0])
    }
}
