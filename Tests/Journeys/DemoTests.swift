import APNSGateway
import PosthornStack
import PushModel
import PushService
import TestSupport
import Testing

@Suite("The demo tells what happens", .suiteLimit)
struct DemoTests {
    @Test("Four pushes, four journeys, a line for each step")
    func story() async throws {
        let lines = Recorder<DemoNarrator.Line>()
        try await withStack(environment: .development, preparesPhones: false) { stack in
            let journeys = try await DemoNarrator(stack) { lines.add($0) }.run()
            let states = journeys.map(\.verdict.state)
            #expect(states == [.opened, .opened, .handled, .suppressed])
        }
        let told = lines.elements
        #expect(told.contains { $0.who == "phone" && $0.text.hasPrefix("shows a banner: Price drop") })
        #expect(told.contains { $0.who == "app" && $0.text.contains("userNotificationCenter(_:didReceive:") })
        #expect(told.contains { $0.who == "app" && $0.text.hasSuffix("in the background: On my way") })
        #expect(told.contains { $0.who == "app" && $0.text.contains("has downloaded http://127.0.0.1:") })
        #expect(told.last?.text.contains("build, credential and push must agree") == true)
    }

    @Test("A delivery: a push starts its Live Activity, others change it, it goes stale, and ends")
    func delivery() async throws {
        let lines = Recorder<DemoNarrator.Line>()
        try await withStack(
            environment: .development,
            preparesPhones: false,
            system: "18.0",
            turnsClocks: true
        ) { stack in
            let journeys = try await DemoNarrator(stack) { lines.add($0) }.runDelivery()
            let states = journeys.map(\.verdict.state)
            #expect(states == [.shown, .shown, .suppressed, .shown])
        }
        let shown = lines.elements.filter { $0.text.hasPrefix("lock screen: ") }.map(\.text)
        #expect(
            shown == [
                #"lock screen: {"order":"4711"} {"place":"Depot","stops":9}, active"#,
                #"lock screen: {"order":"4711"} {"place":"Your street","stops":1}, active"#,
                #"lock screen: {"order":"4711"} {"place":"Your street","stops":1}, stale"#,
                #"lock screen: {"order":"4711"} {"place":"At your door","stops":0}, ended"#,
            ]
        )
        let why = lines.elements.filter { $0.who == "why" }.map(\.text)
        #expect(why.first == "shown: it started a Live Activity")
        #expect(why.contains { $0.hasSuffix("'content-state.stops' is missing") })
    }

    @Test("A delivery on a phone whose clock cannot be turned fails, and names the step")
    func standingClock() async throws {
        try await withStack(environment: .development, preparesPhones: false, system: "18.0") { stack in
            let failure = await #expect(throws: DemoNarrator.Failure.self) {
                try await DemoNarrator(stack) { _ in }.runDelivery()
            }
            #expect(failure?.step == "the clock is turned")
        }
    }

    @Test("With the gateway's key revoked it fails, and names the step")
    func revokedKey() async throws {
        try await withStack(environment: .development, preparesPhones: false) { stack in
            try stack.gateway.server.gateway.revoke(stack.gateway.key.id)
            let failure = await #expect(throws: DemoNarrator.Failure.self) {
                try await DemoNarrator(stack) { _ in }.run()
            }
            #expect(failure?.step == "the phone shows a banner")
            #expect(failure?.reason.hasPrefix("waits: APNs refuses the app's credential") == true)
        }
    }
}
