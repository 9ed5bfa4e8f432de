import PosthornTesting
import PushDevice
import PushModel
import Testing

@Suite("An app's process reads state without asking", .timeLimit(.minutes(2)))
struct ReadBackTests {
    @Test("Is what it has written, each time")
    func badge() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        await stage.phone.push(["aps": ["content-available": 1], "atFetch": "count"], to: stage.app)
        #expect(stage.phone.device.screen.badges == [stage.app.bundleID: 2])
    }
}
