import Glibc
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing

@Suite("An app's process in the background", .timeLimit(.minutes(2)))
struct SuspensionTests {
    private func isSuspended(_ stage: OrdersStage) -> Bool {
        let own = stage.phone.device.recentDeviceEvents.last { happening in
            switch happening.kind {
            case .suspended, .conditionChanged, .callback: true
            default: false
            }
        }
        return own?.kind == .suspended
    }

    /// The system takes a moment to stop a process.
    private func stops(_ process: pid_t) async throws -> Bool {
        try await eventually("process \(process) stands still or is gone") {
            OrdersStage.state(of: process).map { $0 == "T" } ?? true
        }
        return OrdersStage.state(of: process) == "T"
    }

    @Test("Is suspended when it has nothing more to do, and goes on when a push comes for it")
    func suspends() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let process = try await stage.launched()
        await stage.phone.advance(by: .seconds(4))
        #expect(!isSuspended(stage))
        await stage.phone.advance(by: .seconds(1))
        #expect(isSuspended(stage))
        #expect(try await stops(process))
        let push = await stage.phone.push(["aps": ["content-available": 1]], to: stage.app)
        #expect(stage.phone.journeys.kinds(of: push).last == .finished(.newData))
        #expect(OrdersStage.state(of: process) != "T")
        await stage.phone.advance(by: .seconds(5))
        #expect(try await stops(process))
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
        try await stage.prints("OrdersApp: follows \(order)")
        // One that returns has then replied, too: its output may be ahead of its replies, which would follow the overrun.
        if order == "hold" { _ = await push }
        try await stage.phone.awaitAlarm(after: .seconds(30))
        await stage.phone.clock.advance(by: .seconds(29))
        #expect(!isSuspended(stage))
        await stage.phone.clock.advance(by: .seconds(1))
        _ = await stage.phone.device.first { $0.kind == .suspended }
        let id = await push
        try await eventually("the journey ends with the overrun") {
            stage.phone.journeys.kinds(of: id).last == .finished(.overran)
        }
        #expect(try await stops(stage.launched()))
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

    @Test("One that takes no event at all is suspended all the same, each time that something comes for it")
    func hangs() async throws {
        let script = try ScriptedApp([])
        let phone = TestPhone()
        let bundleID = script.app.bundleID
        script.install(on: phone.device)
        phone.device.open(bundleID)
        phone.device.background(bundleID)
        for count in 1...2 {
            try await phone.awaitAlarm(after: .seconds(35))
            await phone.clock.advance(by: .seconds(35))
            try await eventually("the app is suspended \(count) times") {
                phone.device.recentDeviceEvents.count { $0.kind == .suspended } >= count
            }
            phone.device.setLocationAccess(of: bundleID, to: .always)
        }
    }

    @Test("The background task of an app that was swiped away does not count for its next process")
    func forgets() async throws {
        let stage = try OrdersStage()
        await stage.phone.open(stage.app)
        await stage.phone.push(["aps": ["content-available": 1], "atFetch": "work"], to: stage.app)
        await stage.phone.forceQuit(stage.app)
        await stage.openAndLeave()
        await stage.phone.advance(by: .seconds(5))
        #expect(isSuspended(stage))
    }

    @Test("Dies with a swipe, also while it stands still, and with its device")
    func forceQuit() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let process = try await stage.launched()
        await stage.phone.advance(by: .seconds(5))
        await stage.phone.forceQuit(stage.app)
        try await OrdersStage.isGone(process)
        let push = await stage.phone.push(["aps": ["content-available": 1]], to: stage.app)
        #expect(stage.phone.journeys.kinds(of: push) == [.suppressed(.forceQuit)])
        await stage.phone.open(stage.app)
        let second = try await stage.launched(2)
        stage.phone.device.shutdown()
        try await OrdersStage.isGone(second)
    }

    @Test(
        "Nothing outlives its device: no extension at work, no app that has its last event to take",
        arguments: [true, false]
    )
    func outlives(isShutdown: Bool) async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let json: JSONValue = ["aps": ["alert": "Hello", "mutable-content": 1], "inService": "hold", "atTap": "hang"]
        let push = await stage.phone.push(json, to: stage.app)
        let service = try await stage.process("OrdersExtension: serving ")
        let plain = await stage.phone.push(["aps": ["alert": "Hello"], "atTap": "hang"], to: stage.app)
        stage.phone.device.tap(plain)
        try await stage.prints("OrdersApp: follows hang")
        stage.phone.device.forceQuit(stage.app.bundleID)
        let app = try await stage.launched()
        if isShutdown { stage.phone.device.shutdown() } else { stage.phone.device.reboot() }
        for process in [service, app] { try await OrdersStage.isGone(process) }
        #expect(stage.phone.journeys.kinds(of: push).contains(.presented(.list)))
    }

    @Test("Dies with a swipe also where it has left its process group")
    func leaves() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        await stage.phone.push(["aps": ["content-available": 1], "atFetch": "leave"], to: stage.app)
        try await stage.prints("OrdersApp: left 0")
        await stage.phone.forceQuit(stage.app)
        let process = try await stage.launched()
        try await OrdersStage.isGone(process)
    }

    @Test("Several apps on one device, and one app on several devices, are processes of their own")
    func several() async throws {
        let clock = TestPhone().clock
        let stages = [
            try OrdersStage(TestPhone(name: "One", clock: clock)),
            try OrdersStage(TestPhone(name: "Two", clock: clock)),
        ]
        for stage in stages { await stage.openAndLeave() }
        let processes = [try await stages[0].launched(), try await stages[1].launched()]
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
