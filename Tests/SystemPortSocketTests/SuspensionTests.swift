import Glibc
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import Testing

@Suite("An app's process in the background", .timeLimit(.minutes(2)))
struct SuspensionTests {
    private func isSuspended(_ stage: OrdersStage) -> Bool {
        let own = stage.phone.device.recentHappenings.last { happening in
            switch happening.kind {
            case .suspended, .conditionChanged, .callback: true
            default: false
            }
        }
        return own?.kind == .suspended
    }

    /// The system takes a moment to stop a process.
    private func stops(_ process: pid_t) async -> Bool {
        while let state = OrdersStage.state(of: process), state != "T" { await Task.yield() }
        return OrdersStage.state(of: process) == "T"
    }

    @Test("Is suspended when it has nothing more to do, and goes on when a push comes for it")
    func suspends() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let process = await stage.launched()
        await stage.phone.advance(by: .seconds(4))
        #expect(!isSuspended(stage))
        await stage.phone.advance(by: .seconds(1))
        #expect(isSuspended(stage))
        #expect(await stops(process))
        let push = await stage.phone.push(["aps": ["content-available": 1]], to: stage.app)
        #expect(stage.phone.journeys.kinds(of: push).last == .finished(.newData))
        #expect(OrdersStage.state(of: process) != "T")
        await stage.phone.advance(by: .seconds(5))
        #expect(await stops(process))
        await stage.phone.open(stage.app)
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .active)
        #expect(OrdersStage.state(of: process) != "T")
    }

    @Test("A wake that overruns its 30 seconds is suspended", arguments: ["hold", "hang"])
    func overruns(_ order: String) async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let json: JSONValue = ["aps": ["content-available": 1], "atFetch": .string(order)]
        async let push = stage.phone.push(json, to: stage.app)
        await stage.prints("OrdersApp: follows \(order)")
        await stage.phone.clock.advance(by: .seconds(29))
        #expect(!isSuspended(stage))
        await stage.phone.clock.advance(by: .seconds(1))
        _ = await stage.phone.device.first { $0.kind == .suspended }
        #expect(stage.phone.journeys.kinds(of: await push).last == .finished(.overran))
        #expect(await stops(await stage.launched()))
    }

    @Test("Runs on while it has work that it finishes in the background")
    func works() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        await stage.phone.push(["aps": ["content-available": 1], "atFetch": "work"], to: stage.app)
        await stage.phone.advance(by: .seconds(20))
        #expect(!isSuspended(stage))
        await stage.phone.advance(by: .seconds(40))
        #expect(isSuspended(stage))
    }

    @Test("Dies with a swipe, also while it stands still, and with its device")
    func forceQuit() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let process = await stage.launched()
        await stage.phone.advance(by: .seconds(5))
        await stage.phone.forceQuit(stage.app)
        while OrdersStage.state(of: process) != nil { await Task.yield() }
        let push = await stage.phone.push(["aps": ["content-available": 1]], to: stage.app)
        #expect(stage.phone.journeys.kinds(of: push) == [.suppressed(.forceQuit)])
        await stage.phone.open(stage.app)
        let second = await stage.launched(2)
        stage.phone.device.shutdown()
        while OrdersStage.state(of: second) != nil { await Task.yield() }
    }

    @Test("Several apps on one device, and one app on several devices, are processes of their own")
    func several() async throws {
        let clock = TestPhone().clock
        let stages = [
            try OrdersStage(TestPhone(name: "One", clock: clock)),
            try OrdersStage(TestPhone(name: "Two", clock: clock)),
        ]
        for stage in stages { await stage.openAndLeave() }
        let processes = [await stages[0].launched(), await stages[1].launched()]
        #expect(processes[0] != processes[1])
        #expect(stages.map { $0.lines.first?.hasSuffix(" on \($0.phone.device.name)") } == [true, true])
        var other = try ProgramApp(
            executable: OrdersStage.program("OrdersApp").executable,
            info: OrdersStage.program("OrdersApp").info
        )
        other.app.bundleID = "com.example.second"
        stages[0].phone.device.install(other) { _ in }
        await stages[0].phone.open(other.app)
        let push = await stages[0].phone.push(["aps": ["content-available": 1]], to: stages[0].app)
        let second = await stages[0].phone.push(["aps": ["content-available": 1]], to: other.app)
        for id in [push, second] { #expect(stages[0].phone.journeys.kinds(of: id).last == .finished(.newData)) }
        #expect(OrdersStage.state(of: processes[1]) != nil)
    }
}
