import APNSProvider
import APNSTransport
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("pushy794_476_486_theStreamLimitShrinksAndStreamsAreResetTwice", .suiteLimit)
struct ShrinkingLimitTests {
    @Test("One outcome for each push")
    func shrinks() async throws {
        try await TroubleServer.with { asked in
            if asked.number == 10 { asked.connection.setStreamLimit(2) }
            if asked.number % 7 == 0 {
                asked.reset(7)
                asked.reset(7)
            } else {
                asked.accept()
            }
        } _: { server in
            let client = try server.client { $0.maxInFlight = 50 }
            let outcomes = await client.outcomes(of: (0..<300).map { _ in Example.push() }, advancing: server.clock)
            #expect(outcomes == Array(repeating: .accepted, count: 300))
            await client.shutdown()
        }
    }

    @Test("A limit of one stream is kept to, and the raised one is used")
    func one() async throws {
        let open = Mutex((now: 0, most: 0))
        let waiting = Mutex<[TroubleServer.Asked]>([])
        try await TroubleServer.with { asked in
            if asked.number == 1 {
                asked.connection.setStreamLimit(1)
                return asked.accept()
            }
            open.withLock { open in
                open.now += 1
                open.most = max(open.most, open.now)
            }
            waiting.withLock { $0.append(asked) }
        } _: { server in
            let client = try server.client()
            #expect(await client.send(Example.push()) == .accepted)
            async let outcomes = client.outcomes(of: (0..<20).map { _ in Example.push() })
            for _ in 0..<5 {
                try await eventually("the server has the requests") { waiting.withLock { !$0.isEmpty } }
                let asked = waiting.withLock { $0.removeFirst() }
                open.withLock { $0.now -= 1 }
                asked.accept()
            }
            #expect(open.withLock(\.most) == 1)
            try await eventually("the server has the requests") { waiting.withLock { !$0.isEmpty } }
            waiting.withLock(\.first)?.connection.setStreamLimit(1000)
            try await eventually("the server has the requests") { waiting.withLock { $0.count == 15 } }
            for asked in waiting.withLock(\.self) { asked.accept() }
            #expect(await outcomes == Array(repeating: .accepted, count: 20))
            await client.shutdown()
        }
    }

    @Test("A refused stream is opened again; one that is reset time and again ends with words")
    func refused() async throws {
        let seen = Tally()
        try await TroubleServer.with { asked in
            if seen.add(asked.id) <= 2 { asked.reset(7) } else { asked.accept() }
        } _: { server in
            let client = try server.client()
            let pushes = (0..<10).map { _ in Example.push() }
            #expect(await client.outcomes(of: pushes) == Array(repeating: .accepted, count: 10))
            await client.shutdown()
        }
        try await TroubleServer.with {
            $0.reset(2)
        } _: { server in
            let client = try server.client { $0.attempts = 3 }
            let outcomes = await client.outcomes(of: [Example.push()], advancing: server.clock)
            guard case .failed(let text) = outcomes.first else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(text.hasPrefix("Given up after 3 attempts within 300.0 seconds: the stream was reset:"))
            await client.shutdown()
        }
    }
}

@Suite("apns2_163_largePayloadsAreThrottledBy64KiB", .suiteLimit)
struct LargePayloadTests {
    @Test("200 payloads of 4096 bytes arrive before the first is answered")
    func arrive() async throws {
        let waiting = Mutex<[TroubleServer.Asked]>([])
        try await TroubleServer.with { asked in
            let all = waiting.withLock { waiting in
                waiting.append(asked)
                return waiting.count == 200 ? waiting : []
            }
            for asked in all { asked.accept() }
        } _: { server in
            let client = try server.client()
            var push = Example.push()
            push.payload = Array(repeating: UInt8(ascii: " "), count: 4096)
            let pushes = (0..<200).map { _ in
                push.id = Example.push().id
                return push
            }
            #expect(await client.outcomes(of: pushes) == Array(repeating: .accepted, count: 200))
            await client.shutdown()
        }
    }
}
