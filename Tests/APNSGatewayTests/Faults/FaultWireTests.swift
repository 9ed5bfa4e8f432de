import APNSProvider
import APNSTransport
import Foundation
import NIOCore
import NIOHTTP2
import PushClock
import PushModel
import TestSupport
import Testing

@testable import APNSGateway

/// Each kind of fault over TLS and HTTP/2, frame by frame.
@Suite("Faults on the wire", .suiteLimit)
struct FaultWireTests {
    private func resetCode(_ frames: [HTTP2Frame]) -> Int? {
        guard case .rstStream(let code) = frames.last?.payload else { return nil }
        return Int(http2ErrorCode: code)
    }

    @Test("An answer has whatever it is told to have, the request's id, and nothing is taken in")
    func answer() async throws {
        try await FaultyGateway.with(try World()) { setting in
            let token = setting.token()
            let id = UUID().uuidString
            let date: Int64 = 1_700_000_000_123
            setting.gateway.add(
                Fault(.answer(FaultAnswer(status: 410, reason: .expiredToken, timestamp: date)), next: 1)
            )
            setting.gateway.add(Fault(.answer(FaultAnswer(status: 502, body: "<html>", retryAfter: 3)), next: 1))
            try await setting.provider { provider in
                provider.send(setting.world.request(to: token, ["apns-id": id]), stream: 1)
                let first = await provider.wholeAnswer(on: 1)
                #expect(first.status == 410)
                #expect(first.header("apns-id") == id)
                #expect(first.header("apns-unique-id") != nil)
                #expect(
                    String(decoding: first.body, as: UTF8.self)
                        == #"{"reason":"ExpiredToken","timestamp":1700000000123}"#
                )
                provider.send(setting.world.request(to: token), stream: 3)
                let second = await provider.wholeAnswer(on: 3)
                #expect(second.status == 502)
                #expect(second.header("retry-after") == "3")
                #expect(second.header("content-type") == nil)
                #expect(String(decoding: second.body, as: UTF8.self) == "<html>")
            }
            #expect(setting.gateway.statistics.waiting == 0)
        }
    }

    @Test("A late request is taken in when its time has come, not before")
    func latency() async throws {
        try await FaultyGateway.with(try World()) { setting in
            let clock = setting.world.clock
            let id = UUID().uuidString
            setting.gateway.add(Fault(.latency(5...5), next: 1))
            try await setting.provider { provider in
                provider.send(setting.world.request(to: setting.token(), ["apns-id": id]), stream: 1)
                try await clock.sleeper()
                await clock.advance(by: .milliseconds(4900))
                #expect(setting.gateway.standing(of: id) == nil)
                await clock.advance(by: .milliseconds(100))
                let answer = await provider.wholeAnswer(on: 1)
                #expect(answer.status == 200)
                #expect(answer.header("apns-id") == id)
                #expect(setting.gateway.standing(of: id)?.state == "waiting")
            }
        }
    }

    @Test("Requests after a late one are not late")
    func overtakes() async throws {
        try await FaultyGateway.with(try World()) { setting in
            let token = setting.token()
            setting.gateway.add(Fault(.latency(1...2), next: 1))
            try await setting.provider { provider in
                provider.send(setting.world.request(to: token), stream: 1)
                provider.send(setting.world.request(to: token), stream: 3)
                #expect(await provider.wholeAnswer(on: 3).status == 200)
                #expect(provider.received.allSatisfy { $0.streamID != 1 })
                try await setting.world.clock.sleeper()
                await setting.world.clock.advance(by: .seconds(2))
                #expect(await provider.wholeAnswer(on: 1).status == 200)
            }
        }
    }

    @Test("A stalled request is answered when the fault is lifted, when it is over, or after its time")
    func stall() async throws {
        try await FaultyGateway.with(try World()) { setting in
            let clock = setting.world.clock
            let token = setting.token()
            try await setting.provider { provider in
                let fault = setting.gateway.add(Fault(.stall(nil), next: 1))
                provider.send(setting.world.request(to: token), stream: 1)
                provider.send(setting.world.request(to: token), stream: 3)
                // The second one overtakes, so the first one is being held.
                #expect(await provider.wholeAnswer(on: 3).status == 200)
                #expect(provider.received.allSatisfy { $0.streamID != 1 })
                setting.gateway.liftFault(fault.id)
                #expect(await provider.wholeAnswer(on: 1).status == 200)

                setting.gateway.add(Fault(.stall(nil), until: 60))
                setting.gateway.add(Fault(.latency(0...0), next: 1))
                provider.send(setting.world.request(to: token), stream: 5)
                try await eventually("3 faults are logged") { setting.gateway.faultLog().count == 3 }
                await clock.advance(by: .seconds(60))
                #expect(await provider.wholeAnswer(on: 5).status == 200)

                setting.gateway.add(Fault(.stall(30), next: 1))
                provider.send(setting.world.request(to: token), stream: 7)
                try await eventually("4 faults are logged") { setting.gateway.faultLog().count == 4 }
                try await clock.sleeper()
                await clock.advance(by: .seconds(30))
                #expect(await provider.wholeAnswer(on: 7).status == 200)
            }
        }
    }

    @Test("A request whose connection is gone while it waits is not taken in")
    func abandoned() async throws {
        try await FaultyGateway.with(try World()) { setting in
            let fault = setting.gateway.add(Fault(.stall(nil)))
            let id = UUID().uuidString
            try await setting.provider { provider in
                provider.send(setting.world.request(to: setting.token(), ["apns-id": id]), stream: 1)
                try await eventually("1 faults are logged") { setting.gateway.faultLog().count == 1 }
            }
            try await eventually("no provider is connected") { setting.gateway.providers.isEmpty }
            setting.gateway.liftFault(fault.id)
            #expect(setting.gateway.standing(of: id) == nil)
        }
    }

    @Test("RST_STREAM with any code; the push is taken in, or not", arguments: [false, true])
    func reset(_ isTaken: Bool) async throws {
        try await FaultyGateway.with(try World()) { setting in
            let id = UUID().uuidString
            setting.gateway.add(Fault(.reset(code: 7, isTaken: isTaken), next: 1))
            try await setting.provider { provider in
                let token = setting.token()
                provider.send(setting.world.request(to: token, ["apns-id": id]), stream: 1)
                #expect(resetCode(await provider.answer(on: 1)) == 7)
                #expect((setting.gateway.standing(of: id) != nil) == isTaken)
                provider.send(setting.world.request(to: token), stream: 3)
                #expect(await provider.wholeAnswer(on: 3).status == 200)
            }
        }
    }

    @Test("The connection is closed in the middle; the push is taken in, or not", arguments: [false, true])
    func close(_ isTaken: Bool) async throws {
        try await FaultyGateway.with(try World()) { setting in
            let id = UUID().uuidString
            setting.gateway.add(Fault(.close(isTaken: isTaken), next: 1))
            try await setting.provider { provider in
                provider.send(setting.world.request(to: setting.token(), ["apns-id": id]), stream: 1)
                try await eventually("the connection is closed") { !provider.isOpen }
                #expect((setting.gateway.standing(of: id) != nil) == isTaken)
            }
        }
    }

    struct GoAwayRow: CustomTestStringConvertible, Sendable {
        var goAway: FaultGoAway
        /// The last stream ids in the frames that come for the request on stream 3.
        var lasts: [Int]
        var code = 0
        var text: String
        var isAnswered: Bool
        var testDescription: String { "\(goAway.last), \(text)" }
    }

    static let goAways = [
        GoAwayRow(
            goAway: FaultGoAway(reason: .shutdown),
            lasts: [3],
            text: #"{"reason":"Shutdown"}"#,
            isAnswered: true
        ),
        GoAwayRow(
            goAway: FaultGoAway(reason: .badCertificate, last: .before),
            lasts: [1],
            text: #"{"reason":"BadCertificate"}"#,
            isAnswered: false
        ),
        GoAwayRow(
            goAway: FaultGoAway(debugData: "no JSON", code: 11, last: .all),
            lasts: [0x7FFF_FFFF],
            code: 11,
            text: "no JSON",
            isAnswered: true
        ),
        GoAwayRow(
            goAway: FaultGoAway(reason: .idleTimeout, last: .stream(1), isTwice: true),
            lasts: [0x7FFF_FFFF, 1],
            text: #"{"reason":"IdleTimeout"}"#,
            isAnswered: false
        ),
    ]

    @Test("GOAWAY with any reason, code and last stream, also twice", arguments: goAways)
    func goAway(_ row: GoAwayRow) async throws {
        try await FaultyGateway.with(try World()) { setting in
            let token = setting.token()
            let id = UUID().uuidString
            try await setting.provider { provider in
                provider.send(setting.world.request(to: token), stream: 1)
                #expect(await provider.wholeAnswer(on: 1).status == 200)
                setting.gateway.add(Fault(.goAway(row.goAway), next: 1))
                provider.send(setting.world.request(to: token, ["apns-id": id]), stream: 3)
                try await eventually("GOAWAY has come") { provider.goAways.count == row.lasts.count }
                #expect(provider.goAways.map(\.last) == row.lasts)
                #expect(provider.goAways.allSatisfy { $0.code == row.code && $0.text == row.text })
                if row.isAnswered { #expect(await provider.wholeAnswer(on: 3).status == 200) }
                #expect((setting.gateway.standing(of: id) != nil) == row.isAnswered)
                guard row.goAway.last != .all else { return }
                try await eventually("the connection is closed, as no later request is answered") { !provider.isOpen }
            }
        }
    }

    @Test("Pushes of our client arrive over GOAWAY, resets and closed connections")
    func clientSurvives() async throws {
        try await FaultyGateway.with(try World()) { setting in
            let device = FakeDevice("phone", at: setting.gateway)
            let token = try device.register()
            setting.gateway.run(
                FaultScript(
                    seed: 1,
                    faults: [
                        Fault(.goAway(FaultGoAway(reason: .shutdown, last: .before)), next: 3, every: 40),
                        Fault(.goAway(FaultGoAway(reason: .shutdown, isTwice: true)), next: 2, every: 50),
                        Fault(.reset(code: 7, isTaken: false), next: 3, every: 30),
                        Fault(.close(isTaken: true), next: 1, every: 100),
                    ]
                )
            )
            let pushes = (0..<300).map { _ in setting.world.push(to: token) }
            try await setting.client { client in
                let outcomes = await send(pushes, by: client, advancing: setting.world.clock)
                #expect(outcomes.allSatisfy { $0 == .accepted })
            }
            let ids = Set(pushes.map { $0.id.lowercased() })
            try await eventually("the device has its pushes") { Set(device.pushes) == ids }
            #expect(setting.gateway.faultLog().count == 9)
        }
    }

    @Test("The stream limit shrinks for all connections, for those that come later too, and is restored")
    func streamLimit() async throws {
        try await FaultyGateway.with(try World()) { setting in
            try await setting.provider { first in
                try await eventually("the stream limit is announced") { first.streamLimits == [1000] }
                setting.gateway.run(FaultScript(faults: [Fault(.streamLimit(2), from: 10, until: 20)]))
                try await setting.world.clock.sleeper()
                await setting.world.clock.advance(by: .seconds(10))
                try await eventually("the stream limit is announced") { first.streamLimits == [1000, 2] }
                try await setting.provider { second in
                    try await eventually("the stream limit is announced") { second.streamLimits == [1000, 2] }
                    try await setting.world.clock.sleeper()
                    await setting.world.clock.advance(by: .seconds(10))
                    try await eventually("both connections are told of the end") {
                        first.streamLimits == [1000, 2, 1000] && second.streamLimits == [1000, 2, 1000]
                    }
                }
                let fault = setting.gateway.add(Fault(.streamLimit(1)))
                try await eventually("the stream limit is announced") { first.streamLimits.last == 1 }
                setting.gateway.liftFault(fault.id)
                try await eventually("the stream limit is announced") { first.streamLimits.last == 1000 }
                #expect(first.streamLimits == [1000, 2, 1000, 1, 1000])
            }
        }
    }
}

extension RawProvider {
    /// The contents of the GOAWAY frames.
    var goAways: [(last: Int, code: Int, text: String)] {
        received.compactMap { frame -> (last: Int, code: Int, text: String)? in
            guard case .goAway(let last, let code, let data) = frame.payload else { return nil }
            return (Int(last), Int(http2ErrorCode: code), data.map { String(buffer: $0) } ?? "")
        }
    }
}

/// Sends all at once, and moves the clock on while the client pauses before it sends one again.
private func send(_ pushes: [APNSPush], by client: APNSClient, advancing clock: VirtualClock) async -> [APNSOutcome] {
    await withTaskGroup(of: APNSOutcome?.self) { group in
        for push in pushes { group.addTask { await client.send(push) } }
        group.addTask {
            // What is timed longer than this waits for the socket instead.
            await clock.skipPauses(upTo: .seconds(10))
            return nil
        }
        var outcomes: [APNSOutcome] = []
        for await case let outcome? in group {
            outcomes.append(outcome)
            if outcomes.count == pushes.count { group.cancelAll() }
        }
        return outcomes
    }
}
