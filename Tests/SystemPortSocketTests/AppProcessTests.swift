import Foundation
import PosthornTesting
import PushDevice
import PushModel
import TestSupport
import Testing

@Suite("Live Activities of an app in a process of its own", .timeLimit(.minutes(2)))
struct ActivityProcessTests {
    @Test("The start, the token, updates by push, a content that does not fit, and the end cross the port")
    func roundTrip() async throws {
        let stage = try OrdersStage()
        let phone = stage.phone
        let app = stage.app
        await phone.open(app)
        await phone.push(["aps": ["alert": "Go"], "atPresent": "track"], to: app)
        try await stage.prints("OrdersApp: tracks active")
        try await stage.prints("OrdersApp: token 32")
        let id = try #require(phone.activities.first?.id)
        var step: Int64 = 1
        try await eventually("the app hears of its content") {
            step += 1
            var message = LiveActivityMessage.update(["step": .integer(step)])
            message.priority = .consideringPower
            await phone.push(liveActivity: message, to: id, of: app)
            return stage.lines.contains { $0.hasPrefix("OrdersApp: step ") }
        }
        let wrong = await phone.push(liveActivity: .update(["step": "two"]), to: id, of: app)
        let journey = phone.journeys
        try await eventually("the app has examined the content") { !journey.kinds(of: wrong).isEmpty }
        #expect(stage.verdict(wrong).sentence.contains("'content-state.step': Expected to decode Int"))
        #expect(phone.activities.map(\.content) == [#"{"step":\#(step)}"#])
        await phone.push(liveActivity: .end(["step": 9]), to: id, of: app)
        try await eventually("it has ended") { phone.activities.map(\.state) == [.ended] }
    }
}

@Suite("An alert of an app in a process of its own", .timeLimit(.minutes(2)))
struct AlertProcessTests {
    private func asked() async throws -> OrdersStage {
        let stage = try OrdersStage()
        await stage.phone.open(stage.app)
        await stage.phone.push(["aps": ["alert": "Hi"], "atPresent": "ask"], to: stage.app)
        return stage
    }

    @Test("Is on the screen when its push has been handled; the person's text and tap reach the process")
    func answered() async throws {
        let stage = try await asked()
        #expect(stage.phone.alert?.title == "Name?" && stage.phone.alert?.buttons == ["OK"])
        try await stage.phone.writeInAlert("Ann")
        try await stage.phone.tapAlertButton("OK")
        try await stage.prints("OrdersApp: answered Ann")
        #expect(stage.phone.alert == nil)
        let callbacks = stage.phone.runFile.entries.filter { $0.event == "callback" }.map(\.detail)
        #expect(callbacks.last == "UIAlertAction “OK”")
    }

    @Test("Goes with a process that is killed")
    func killed() async throws {
        let stage = try await asked()
        let process = try await stage.launched()
        await stage.kill(process)
        #expect(stage.phone.alert == nil)
        await #expect(throws: AlertProblem.noAlert(nil)) { try await stage.phone.tapAlertButton("OK") }
    }
}
