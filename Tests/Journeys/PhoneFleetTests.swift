import APNSGateway
import DeviceLink
import Foundation
import PosthornStack
import PosthornTesting
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("Many phones", .suiteLimit)
struct PhoneFleetTests {
    private static let count = 200

    private struct Outcome: Equatable {
        var acknowledged: Set<String>
        var opened: Set<String>
        var figures: String
    }

    private func push(_ number: Int, to phone: Int, at date: Date) -> CourierPush {
        CourierPush(
            apnsID: "\(phone) \(number)",
            topic: "com.example.app",
            environment: .production,
            pushType: .alert,
            priority: 10,
            collapseID: nil,
            payload: Array(#"{"aps":{},"sent":\#(Int(date.timeIntervalSince1970 * 1000))}"#.utf8)
        )
    }

    /// Sends five pushes to each phone, over five minutes of virtual time.
    private func live(_ change: (inout FleetBehaviour) -> Void = { _ in }) async throws -> Outcome {
        let clock = VirtualClock()
        let (courier, dialer) = (TestCourier(), LoopbackDialer())
        dialer.serve("ws://gateway", courier)
        var behaviour = FleetBehaviour()
        behaviour.offlineShare = 0.2
        behaviour.openShare = 0.3
        behaviour.openSeconds = 20
        change(&behaviour)
        let fleet = PhoneFleet(
            count: Self.count,
            topic: "com.example.app",
            environment: .production,
            behaviour: behaviour,
            sentAt: "sent",
            url: "ws://gateway",
            clock: clock,
            tell: { _ in }
        ) { _ in dialer }
        let seed = behaviour.seed
        fleet.start()
        try await fleet.whenReady()
        #expect(Set(fleet.tokens).count == Self.count)
        for second in 0..<900 {
            if second < 300, second.isMultiple(of: 60) {
                for phone in 0..<Self.count {
                    courier.send(push(second, to: phone, at: clock.date), to: "phone-\(seed)-\(phone)")
                }
            }
            await clock.advance(by: .seconds(1))
            fleet.carryOut()
        }
        let opened = courier.reported.filter { $0.event.kind == .opened }.map(\.apnsID)
        let figures = fleet.figures.json.json.text
        fleet.stop()
        return Outcome(acknowledged: Set(courier.acknowledged), opened: Set(opened), figures: figures)
    }

    @Test("The seed decides which pushes are opened, and when phones are away; each push arrives once")
    func seeded() async throws {
        let first = try await live()
        #expect(first.acknowledged.count == 5 * Self.count)
        // 300 are expected; the chance of a tenth more or less is 5 %, and the seed does not change.
        #expect((250...350).contains(first.opened.count))
        let figures = try #require(try JSONValue(parsing: first.figures).object)
        #expect(figures["pushes"]?.integer == Int64(5 * Self.count))
        // Phones that are away have not reported yet.
        #expect((figures["opened"]?.integer ?? 0) >= Int64(first.opened.count))
        // Phones were away and came back, and nothing else ended a link.
        #expect(figures["lostLinks"]?.integer == 0)
        #expect((300...2000).contains(figures["links"]?.integer ?? 0))
        // Most pushes arrive at once; those of phones that are away wait for them, a minute on average.
        #expect((figures["latency"]?.object?["p50"]?.double ?? 1000) < 1)
        #expect((figures["latency"]?.object?["p99"]?.double ?? 0) > 60_000)
        #expect(try await live() == first)
        #expect(try await live { $0.seed = 2 }.opened != first.opened)
    }

    @Test("Without shares, every phone keeps its link and opens nothing; acknowledgements may take their time")
    func plain() async throws {
        let outcome = try await live { behaviour in
            behaviour.offlineShare = 0
            behaviour.openShare = 0
            behaviour.deliverySeconds = 2
        }
        let figures = try #require(try JSONValue(parsing: outcome.figures).object)
        #expect(outcome.acknowledged.count == 5 * Self.count)
        #expect(outcome.opened.isEmpty)
        #expect(figures["links"]?.integer == Int64(Self.count))
    }

    @Test("Why phones have no link is told once, and again when the reason changes; a refusal ends the wait for them")
    func obstacles() async throws {
        let dialer = LoopbackDialer()
        let told = Mutex<[String]>([])
        let clock = VirtualClock()
        func fleet(topic: String = "com.example.app") -> PhoneFleet {
            PhoneFleet(
                count: 3,
                topic: topic,
                environment: .production,
                behaviour: FleetBehaviour(),
                sentAt: nil,
                url: "ws://gateway",
                clock: clock,
                tell: { reason in told.withLock { $0.append(reason) } }
            ) { _ in dialer }
        }
        let phones = fleet()
        phones.start()
        for _ in 0..<4 {
            await clock.advance(by: .seconds(60))
            phones.carryOut()
        }
        #expect(told.withLock { $0 } == ["nobody answers at ws://gateway"])
        phones.stop()
        dialer.serve("ws://gateway", RefusingCourier())
        let refused = fleet()
        refused.start()
        let refusal = await #expect(throws: LinkRefusal.self) { try await refused.whenReady() }
        #expect(refusal?.description == "The gateway refuses the device: Another key.")
        #expect(told.withLock { $0 }.contains("Another key."))
        refused.stop()
    }

    @Test("Phones connect again after their gateway was away")
    func reconnects() async throws {
        let clock = VirtualClock()
        let (courier, dialer) = (TestCourier(), LoopbackDialer())
        dialer.serve("ws://gateway", courier)
        let fleet = PhoneFleet(
            count: 20,
            topic: "com.example.app",
            environment: .production,
            behaviour: FleetBehaviour(),
            sentAt: nil,
            url: "ws://gateway",
            clock: clock,
            tell: { _ in }
        ) { _ in dialer }
        fleet.start()
        try await fleet.whenReady()
        for phone in 0..<20 { courier.drop("phone-1-\(phone)") }
        #expect(fleet.figures.lostLinks == 20)
        await clock.advance(by: .seconds(2))
        fleet.carryOut()
        #expect(fleet.figures.links == 40)
        fleet.stop()
    }
}

/// A gateway that knows no device.
private struct RefusingCourier: LinkAcceptor {
    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        { event in
            guard case .received = event else { return }
            connection.send(CourierFrame.refused(message: "Another key.").text)
            connection.close()
        }
    }
}
