import PosthornTesting
import PushClock
import PushDevice
import PushModel
import Testing

@Suite("A service extension's process", .timeLimit(.minutes(2)))
struct ServiceProcessTests {
    private func push(_ order: String, _ stage: OrdersStage) -> JSONValue {
        ["aps": ["alert": ["title": "Hi", "body": "there"], "mutable-content": 1], "inService": .string(order)]
    }

    @Test("Changes the content, and ends")
    func changes() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        await stage.phone.push(push("", stage), to: stage.app)
        #expect(stage.phone.device.screen.list.map(\.title) == ["changed"])
        let process = try await stage.process("OrdersExtension: serving ")
        try await OrdersStage.isGone(process)
    }

    @Test("Is told that its time is over, then killed; without a last word the original is shown")
    func overruns() async throws {
        for (order, title) in [("hold", "Hi"), ("last", "in time")] {
            let stage = try OrdersStage()
            await stage.openAndLeave()
            let id = await stage.phone.push(push(order, stage), to: stage.app)
            let process = try await stage.process("OrdersExtension: serving ")
            await stage.phone.advance(by: .seconds(30))
            #expect(stage.phone.device.screen.list.map(\.title) == [title])
            let outcome: ExtensionOutcome = order == "hold" ? .timedOut : .ran
            #expect(stage.phone.journeys.kinds(of: id).contains(.serviceExtension(outcome)))
            try await OrdersStage.isGone(process)
            try await stage.prints("OrdersExtension: told")
        }
    }

    @Test("One that hangs is killed 5 seconds after it was told")
    func hangs() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        // The app stands still then, and no alarm of its own comes between.
        await stage.phone.advance(by: .seconds(5))
        async let id = stage.phone.push(push("hang", stage), to: stage.app)
        let process = try await stage.process("OrdersExtension: serving ")
        try await stage.phone.awaitAlarm(after: .seconds(30))
        await stage.phone.clock.advance(by: .seconds(30))
        // It is told, and gets an alarm for its last word.
        try await stage.phone.awaitAlarm(after: .seconds(5))
        #expect(stage.phone.device.screen.list.isEmpty)
        await stage.phone.clock.advance(by: .seconds(5))
        #expect(stage.phone.journeys.kinds(of: await id).contains(.serviceExtension(.timedOut)))
        #expect(stage.phone.device.screen.list.map(\.title) == ["Hi"])
        try await OrdersStage.isGone(process)
    }

    @Test("A crash shows the original")
    func crashes() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let id = await stage.phone.push(push("trap", stage), to: stage.app)
        await stage.ended()
        #expect(stage.phone.journeys.kinds(of: id).contains(.serviceExtension(.crashed)))
        #expect(stage.phone.device.screen.list.map(\.title) == ["Hi"])
    }
}
