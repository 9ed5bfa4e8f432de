import DeviceLink
import PosthornSimulator
import PosthornTesting
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("The Simulator of Xcode", .suiteLimit)
struct SimulatorTests {
    private static let app = "com.example.app"
    private let clock = VirtualClock()

    private func push(
        _ id: String = "1",
        topic: String = app,
        type: APNSPushType? = .alert,
        priority: Int = 10,
        collapseID: String? = nil,
        bytes: Int = 2,
        expiresIn seconds: Double? = 30 * 24 * 3600
    ) -> CourierPush {
        CourierPush(
            apnsID: id,
            topic: topic,
            environment: .development,
            pushType: type,
            priority: priority,
            collapseID: collapseID,
            payload: Array(repeating: UInt8(ascii: " "), count: bytes - 2) + Array("{}".utf8),
            expiration: seconds.map { .at(clock.date.addingTimeInterval($0)) }
        )
    }

    private func outcome(_ push: CourierPush) -> SimulatorPush { SimulatorPush(push, at: clock.date) }

    @Test("A push is handed over, with a remark on headers that simctl cannot carry, or refused")
    func outcomes() {
        let whole = SimulatorPush.handed(bundleID: Self.app, losesHeaders: false)
        let reduced = SimulatorPush.handed(bundleID: Self.app, losesHeaders: true)
        #expect(outcome(push()) == whole)
        #expect(outcome(push(type: nil, bytes: 4096)) == whole)
        #expect(outcome(push(topic: Self.app + "/name")) == whole)
        #expect(outcome(push(type: .background, priority: 5)) == reduced)
        #expect(outcome(push(collapseID: "score")) == reduced)
        #expect(outcome(push(expiresIn: 3600)) == reduced)
        // apns-expiration is 0.
        #expect(outcome(push(expiresIn: nil)) == reduced)
        #expect(outcome(push(bytes: 4097)) == .refused(.simulatorSize))
        for type in APNSPushType.known where type != .alert && type != .background {
            #expect(outcome(push(topic: type.topic(of: Self.app), type: type)) == .refused(.simulatorType))
        }
        #expect(outcome(push(topic: Self.app + ".voip", type: nil)) == .refused(.simulatorType))
    }

    @Test("Pushes are handed over one after the other, acknowledged afterwards, and what became of them is reported")
    func hands() async throws {
        let (courier, dialer) = (TestCourier(), LoopbackDialer())
        dialer.serve("ws://gateway", courier)
        let told = Mutex<[JSONObject]>([])
        let pushed = Mutex<[String]>([])
        let device = SimulatorDevice(
            CourierClient(device: "simulator", key: String(repeating: "0", count: 64)),
            apps: [Self.app],
            environment: .development,
            url: "ws://gateway",
            dialer: dialer,
            clock: clock,
            push: { payload, bundleID in
                pushed.withLock { $0.append(bundleID) }
                return payload.count == 7 ? "An error of simctl" : nil
            },
            tell: { event in told.withLock { $0.append(event.json) } },
            refused: { _ in }
        )
        for push in [
            push("1"), push("2", type: .background, priority: 5), push("3", bytes: 7),
            push("4", topic: Self.app + ".voip", type: .voip),
        ] { courier.send(push, to: "simulator") }
        device.connect()
        try await eventually("all pushes are told") { told.withLock { $0.count == 6 } }
        device.disconnect()
        #expect(pushed.withLock { $0 } == [Self.app, Self.app, Self.app])
        #expect(courier.acknowledged == ["1", "2", "3", "4"])
        #expect(
            courier.reported.map(\.apnsID) == ["2", "3", "4"]
                && courier.reported.map(\.event.kind) == [
                    .suppressed(.simulatorHeaders), .suppressed(.simulatorFailed), .suppressed(.simulatorType),
                ]
        )
        let events = told.withLock { $0 }.filter { $0["apnsID"] != nil }
        #expect(events.map { $0["event"]?.string } == ["pushed", "pushed", "refused", "refused"])
        #expect(events[2]["detail"]?.string == "An error of simctl")
        // Its only token that is told is that of the app's own topic.
        #expect(told.withLock { $0 }.compactMap { $0["token"]?.string }.count == 1)
    }

    @Test("The reason why no link is opened is told, not at each attempt")
    func obstacle() async throws {
        let told = Mutex<[String?]>([])
        let device = SimulatorDevice(
            CourierClient(device: "simulator", key: String(repeating: "0", count: 64)),
            apps: [Self.app],
            environment: .development,
            url: "ws://nowhere",
            dialer: LoopbackDialer(),
            clock: clock,
            push: { _, _ in nil },
            tell: { event in told.withLock { $0.append(event.json["reason"]?.string) } },
            refused: { _ in }
        )
        device.connect()
        try await eventually("it is told") { told.withLock { $0 } == ["nobody answers at ws://nowhere"] }
        device.disconnect()
        device.connect()
        device.disconnect()
        #expect(told.withLock { $0 }.count == 1)
    }

    @Test("A push that the Simulator took without its headers counts as delivered")
    func verdict() {
        let events = [
            JourneyEvent(date: clock.date, station: .gateway, kind: .delivered),
            JourneyEvent(date: clock.date, station: .device, kind: .suppressed(.simulatorHeaders)),
        ]
        #expect(Verdict(events).state == .delivered)
    }
}
