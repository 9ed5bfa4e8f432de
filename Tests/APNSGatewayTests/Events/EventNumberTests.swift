import APNSGateway
import DeviceLink
import Foundation
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("Numbers in the frames of a gateway that others run", .timeLimit(.minutes(1)))
struct EventNumberTests {
    @Test(
        "A frame with numbers that no log has is none",
        arguments: [
            (Int64.min, Int64.max), (Int64.min, 1), (0, 5), (-1, -1), (2, 1), (Int64.max, Int64.min),
        ] as [(Int64, Int64)]
    )
    func gaps(_ first: Int64, _ last: Int64) {
        #expect(EventFrame(text: EventFrame.gap(first: first, last: last).text) == nil)
    }

    @Test("The widest gap that is one can be counted")
    func widest() throws {
        let gap = EventFrame.gap(first: 1, last: .max)
        #expect(EventFrame(text: gap.text) == gap)
    }

    @Test("An event has a number from 1, and is unknown without a date that there is; a log begins at 0")
    func events() {
        func event(_ number: String, at date: String = "2026-01-01T08:00:00.000Z") -> EventFrame? {
            EventFrame(
                text: """
                    {"type":"event","number":\(number),"apns-id":"x","event":{"at":"\(date)","by":"gateway","event":"stored"}}
                    """
            )
        }
        #expect(event("1") != nil && event("\(Int64.max)") != nil)
        for number in ["0", "-1", "\(Int64.min)", "9223372036854775808", "1.5", "1e3", "\"1\"", "null"] {
            #expect(event(number) == nil, "\(number)")
        }
        #expect(event("1", at: "0001-01-01T00:00:00.000Z") != nil && event("1", at: "9999-12-31T23:59:59.999Z") != nil)
        for date in [
            "292277026596-12-04T15:30:08.000Z", "99999-01-01T00:00:00.000Z", "-292277022657-01-27T08:29:52.000Z", "",
        ] {
            #expect(event("1", at: date) == .unknownEvent(number: 1), "\(date)")
        }
        #expect(EventFrame(text: EventFrame.following(log: "a", after: -1).text) == nil)
        #expect(EventFrame(text: EventFrame.following(log: "a", after: 0).text) != nil)
    }

    @Test("A follower outlives every gap, and counts those that there can be")
    func follower() async throws {
        let following = EventFrame.following(log: "a", after: 0)
        let gateway = FalseGateway([
            [following, .gap(first: .min, last: .max)], [following, .gap(first: 5, last: 4)],
            [following, .gap(first: 1, last: .max)],
        ])
        let clock = VirtualClock()
        let missed = Mutex<[Int64]>([])
        let follower = GatewayEventsFollower(
            url: "ws://gateway/events",
            dialer: gateway,
            clock: clock,
            sink: NoJourneys(),
            cursor: nil,
            save: { _ in },
            missed: { count in missed.withLock { $0.append(count) } }
        )
        let run = Task { await follower.run() }
        for _ in 0..<2 {
            try await clock.sleeper()
            await clock.advance(by: .seconds(30))
        }
        try await clock.sleeper()
        run.cancel()
        await run.value
        #expect(missed.withLock(\.self) == [.max])
    }
}

private struct NoJourneys: JourneySink {
    func record(_ event: JourneyEvent, of subject: JourneySubject) {}
}

/// A gateway that says the frames of a script on each link, and closes it.
private final class FalseGateway: LinkDialer {
    private final class Connection: LinkConnection {
        func send(_ text: String) {}
        func close() {}
    }

    private let scripts: Mutex<[[EventFrame]]>

    init(_ scripts: [[EventFrame]]) { self.scripts = Mutex(scripts) }

    func open(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        let script = scripts.withLock { $0.isEmpty ? [] : $0.removeFirst() }
        handler(.opened)
        for frame in script { handler(.received(frame.text)) }
        handler(.closed("the end of the script"))
        return Connection()
    }
}
