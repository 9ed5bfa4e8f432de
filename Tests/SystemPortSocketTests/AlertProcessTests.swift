import PosthornTesting
import PushDevice
import PushModel
import Testing

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
