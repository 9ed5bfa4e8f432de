import APNSProvider
import APNSTransport
import Foundation
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

/// Batches as the push service hands them over: with ids and headers of its own, and what has to wait is its affair.
@Suite("Batches of a sender that keeps its pushes", .timeLimit(.minutes(3)))
struct StepBatchTests {
    private func results(
        of batch: APNSBatch,
        over client: APNSClient,
        pausing: Bool = false
    ) async -> [APNSResult] {
        let all = Mutex<[APNSResult]>([])
        await client.send(batch, pausing: pausing) { some in all.withLock { $0 += some } }
        return all.withLock { $0.sorted { $0.index < $1.index } }
    }

    @Test("Each push has the id and the headers that it came with")
    func ownHeaders() async throws {
        let seen = Mutex<[String: [String: String]]>([:])
        try await TroubleServer.with { asked in
            let headers = Dictionary(asked.request.headers.map { ($0.name, $0.value) }) { $1 }
            seen.withLock { $0[asked.id] = headers }
            asked.accept()
        } _: { server in
            let client = try server.client()
            var batch = APNSBatch(topic: Example.bundleID)
            var pushes: [APNSPush] = []
            for number in 0..<6 {
                var push = Example.push(to: DeviceToken(bytes: [UInt8](repeating: UInt8(number), count: 32)))
                push.id = push.id.lowercased()
                push.priority = number < 3 ? 10 : 5
                push.expiration = .at(server.clock.date.addingTimeInterval(Double(number)))
                push.collapseID = number.isMultiple(of: 2) ? "c\(number)" : nil
                pushes.append(push)
                batch.add(push)
            }
            #expect((0..<6).map { batch[$0] } == pushes)
            let results = await results(of: batch, over: client)
            #expect(results.map(\.outcome) == Array(repeating: .accepted, count: 6))
            for push in pushes {
                let headers = try #require(seen.withLock { $0[push.id] })
                #expect(headers["apns-priority"] == push.priority?.description)
                #expect(headers["apns-expiration"] == push.expiration?.description)
                #expect(headers["apns-collapse-id"] == push.collapseID)
            }
            await client.shutdown()
        }
    }

    @Test("An id that is no UUID is refused with its reason, and the others are sent")
    func misnamed() async throws {
        try await TroubleServer.with { server in
            let client = try server.client()
            var batch = APNSBatch(topic: Example.bundleID)
            var push = Example.push()
            batch.add(push)
            push.id = "not a UUID"
            batch.add(push)
            let results = await results(of: batch, over: client)
            #expect(results.map(\.outcome) == [.accepted, .refused(status: 400, .badMessageId, timestamp: nil)])
            await client.shutdown()
        }
    }

    @Test("Pushes to be sent again later come back at once, with the reason and the requested pause")
    func noPause() async throws {
        let count = Tally()
        try await TroubleServer.with { asked in
            count.add("")
            guard asked.request.path.hasSuffix(String(repeating: "01", count: 32)) else { return asked.accept() }
            var answer = APNSAnswer.refusal(.tooManyRequests)
            answer.headers.append((name: "retry-after", value: "9"))
            asked.reply(answer)
        } _: { server in
            let client = try server.client()
            var batch = APNSBatch(topic: Example.bundleID)
            for number: UInt8 in 0..<3 {
                batch.add([DeviceToken(bytes: [UInt8](repeating: number, count: 32))], payload: Array("{}".utf8))
            }
            // Nobody moves the clock.
            let results = await results(of: batch, over: client)
            #expect(results.map { $0.outcome == .accepted } == [true, false, true])
            #expect(results[1].retries == ["TooManyRequests"])
            #expect(results[1].pause == .seconds(9))
            #expect(count.total == 3)
            await client.shutdown()
        }
    }

    @Test("A push that was sent is awaited beyond the deadline for attempts")
    func awaited() async throws {
        let held = Mutex<[TroubleServer.Asked]>([])
        let count = Tally()
        try await TroubleServer.with { asked in
            count.add("")
            held.withLock { $0.append(asked) }
        } _: { server in
            let client = try server.client {
                $0.deadline = .seconds(10)
                $0.answerTimeout = .seconds(30)
            }
            let push = Example.push()
            async let outcome = client.send(push)
            try await eventually("the push has arrived") { count.total == 1 }
            await server.clock.advance(by: .seconds(20))
            held.withLock { for asked in $0 { asked.accept() } }
            #expect(await outcome == .accepted)
            #expect(count.total == 1)
            await client.shutdown()
        }
    }
}
