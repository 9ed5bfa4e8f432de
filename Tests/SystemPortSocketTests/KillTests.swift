import Foundation
import Glibc
import PosthornTesting
import PushDevice
import PushModel
import Testing

private let first = "00000000-0000-4000-8000-000000000001"
private let killed = "killed by signal 9 (SIGKILL)"

@Suite("kill -9 of an app, at every step of a delivery", .timeLimit(.minutes(2)))
struct KillTests {
    @Test("While it launches for a silent push: the journey says so, and the next push launches it again")
    func launching() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        await stage.phone.terminate(stage.app)
        async let push = stage.phone.push(["aps": ["content-available": 1], "atLaunch": "hang"], to: stage.app)
        try await stage.prints("OrdersApp: follows hang")
        try await stage.kill(stage.launched(2))
        _ = await push
        #expect(stage.phone.journeys.kinds(of: first).last == .crashed(killed))
        #expect(stage.verdict(first).state == .crashed)
        #expect(stage.verdict(first).sentence.hasPrefix("delivered; the app ended while it worked on it: \(killed)"))
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
        let next = await stage.phone.push(["aps": ["content-available": 1]], to: stage.app)
        #expect(stage.phone.journeys.kinds(of: next).last == .finished(.newData))
        #expect(try await stage.launched(3) > 0)
    }

    @Test("Before it calls the handler of a silent push; its alert is shown all the same", arguments: [false, true])
    func fetching(hasAlert: Bool) async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        var aps: JSONObject = ["content-available": 1]
        if hasAlert { aps["alert"] = "Hello" }
        let push = await stage.phone.push(["aps": .object(aps), "atFetch": "hold"], to: stage.app)
        try await stage.kill(stage.launched())
        let kinds = stage.phone.journeys.kinds(of: push)
        #expect(kinds.contains(.crashed(killed)))
        #expect(!kinds.contains { if case .finished = $0 { true } else { false } })
        #expect(stage.verdict(push).state == (hasAlert ? .shown : .crashed))
        #expect(stage.verdict(push).sentence.contains(killed))
        #expect(stage.phone.device.screen.list.count == (hasAlert ? 1 : 0))
    }

    @Test("After it has called the handler nothing is left to explain")
    func fetched() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let push = await stage.phone.push(["aps": ["content-available": 1]], to: stage.app)
        try await stage.kill(stage.launched())
        #expect(stage.phone.journeys.kinds(of: push).last == .finished(.newData))
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
    }

    @Test("In front, while it decides what is shown: nothing is, and nobody says that the app declined")
    func presenting() async throws {
        let stage = try OrdersStage()
        await stage.phone.open(stage.app)
        let push = await stage.phone.push(["aps": ["alert": "Hello"], "atPresent": "hold"], to: stage.app)
        try await stage.kill(stage.launched())
        #expect(stage.phone.journeys.kinds(of: push).last == .crashed(killed))
        #expect(stage.verdict(push).state == .crashed)
        #expect(stage.phone.device.screen.front == nil)
        await stage.phone.advance(by: .seconds(30))
        #expect(stage.phone.journeys.kinds(of: push).last == .crashed(killed))
    }

    @Test("After a tap, before it has dealt with that: it was opened, and the app ended")
    func tapped() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let push = await stage.phone.push(["aps": ["alert": "Hello"], "atTap": "hold"], to: stage.app)
        #expect(await stage.phone.tap(push))
        try await stage.kill(stage.launched())
        #expect(stage.verdict(push).state == .opened)
        #expect(
            stage.verdict(push).sentence
                == "shown, and opened by the user; the app ended while it worked on it: \(killed)"
        )
    }

    @Test("Its service extension, at work: the push is shown as it came")
    func serving() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let json: JSONValue = [
            "aps": ["alert": ["title": "Hi", "body": "there"], "mutable-content": 1], "inService": "hold",
        ]
        let push = await stage.phone.push(json, to: stage.app)
        try await stage.kill(stage.process("OrdersExtension: serving "))
        #expect(stage.phone.journeys.kinds(of: push).contains(.serviceExtension(.crashed)))
        #expect(stage.phone.device.screen.list.map(\.title) == ["Hi"])
        #expect(stage.verdict(push).state == .shown)
    }

    @Test("While it stands still: the next push launches it again")
    func suspended() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        await stage.phone.advance(by: .seconds(5))
        try await stage.kill(stage.launched())
        let push = await stage.phone.push(["aps": ["content-available": 1]], to: stage.app)
        #expect(stage.phone.journeys.kinds(of: push).first == .woken(.background))
        #expect(stage.phone.journeys.kinds(of: push).last == .finished(.newData))
    }
}
