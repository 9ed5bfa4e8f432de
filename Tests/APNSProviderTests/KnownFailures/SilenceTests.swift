import APNSProvider
import APNSTransport
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("pushy857_nodeapn191_theOtherSideStalls", .suiteLimit)
struct StallTests {
    @Test("The number of pushes in flight is bounded, the others wait, and all get their answer")
    func bounded() async throws {
        let waiting = Mutex<[TroubleServer.Asked]>([])
        let most = Mutex(0)
        try await TroubleServer.with { asked in
            waiting.withLock { waiting in
                waiting.append(asked)
                most.withLock { $0 = max($0, waiting.count) }
            }
        } _: { server in
            let client = try server.client { $0.maxInFlight = 10 }
            let pushes = (0..<50).map { _ in Example.push() }
            async let outcomes = client.outcomes(of: pushes)
            for _ in 0..<5 {
                try await eventually("the server has the requests") { waiting.withLock { $0.count == 10 } }
                #expect(client.status.inFlight == 10)
                for asked in waiting.withLock({ waiting in
                    defer { waiting = [] }
                    return waiting
                }) { asked.accept() }
            }
            #expect(await outcomes == Array(repeating: .accepted, count: 50))
            #expect(most.withLock(\.self) == 10)
            await client.shutdown()
        }
    }

    /// The large version, with a million pushes and the memory of the process, is `Benchmarks/Sources/StalledGateway`.
    @Test("A stall of 60 s slows the caller: what it makes for sending does not grow")
    func slows() async throws {
        let waiting = Mutex<[TroubleServer.Asked]>([])
        let isStalled = Mutex(true)
        let made = Tally()
        let accepted = Tally()
        try await TroubleServer.with { asked in
            let isHeld = isStalled.withLock { isStalled in
                if isStalled { waiting.withLock { $0.append(asked) } }
                return isStalled
            }
            if !isHeld { asked.accept() }
        } _: { server in
            let client = try server.client { configuration in
                configuration.maxInFlight = 20
                configuration.answerTimeout = .seconds(90)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        while made.add("") <= 2000 {
                            if await client.send(Example.push()) == .accepted { accepted.add("") }
                        }
                    }
                }
                try await eventually("the server has the requests") {
                    waiting.withLock { $0.count == 20 } && client.status.waiting == 20
                }
                await server.clock.advance(by: .seconds(60))
                #expect(made.total == 40)
                #expect(client.status.inFlight == 20)
                #expect(client.status.waiting == 20)
                isStalled.withLock { $0 = false }
                for asked in waiting.withLock(\.self) { asked.accept() }
            }
            #expect(accepted.total == 2000)
            await client.shutdown()
        }
    }

    @Test("A caller can set a shorter time limit")
    func limit() async throws {
        try await TroubleServer.with { _ in
        } _: { server in
            let client = try server.client { $0.maxInFlight = 1 }
            async let first = client.send(Example.push())
            try await eventually("the client has sent what it can") { client.status.inFlight == 1 }
            async let second = client.send(Example.push(), within: .seconds(5))
            try await eventually("the client has sent what it can") { client.status.waiting == 1 }
            await server.clock.advance(by: .seconds(5.01))
            #expect(await second == .failed("Its turn did not come in time."))
            await server.clock.advance(by: .seconds(300))
            guard case .failed = await first else {
                Issue.record("accepted by nobody")
                return
            }
            await client.shutdown()
        }
    }

    @Test("A task that is cancelled leaves the line, or takes its push back")
    func cancelled() async throws {
        try await TroubleServer.with { _ in
        } _: { server in
            let client = try server.client { $0.maxInFlight = 1 }
            let outcomes = try await withThrowingTaskGroup(of: APNSOutcome.self) { group in
                for _ in 0..<3 { group.addTask { await client.send(Example.push()) } }
                try await eventually("the client has sent what it can") {
                    client.status.inFlight == 1 && client.status.waiting == 2
                }
                group.cancelAll()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes == Array(repeating: .failed("The task was cancelled."), count: 3))
            #expect(client.status.inFlight == 0)
            await client.shutdown()
        }
    }
}

@Suite("nodeapn685_140_oneInAHundredWithoutAnAnswer", .suiteLimit)
struct NoAnswerTests {
    @Test("It is sent again under the same id, over the connection that answers others")
    func one() async throws {
        let seen = Tally()
        let unanswered = Mutex<Set<String>>([])
        try await TroubleServer.with { asked in
            if seen.add(asked.id) == 1, asked.number % 100 == 1 {
                unanswered.withLock { _ = $0.insert(asked.id) }
            } else {
                asked.accept()
            }
        } _: { server in
            let client = try server.client { $0.maxInFlight = 40 }
            let pushes = (0..<1000).map { _ in Example.push() }
            async let outcomes = client.outcomes(of: pushes)
            try await eventually("the server has the requests") { seen.total == 1000 && client.status.inFlight == 10 }
            await server.clock.advance(by: .seconds(30))
            #expect(await outcomes == Array(repeating: .accepted, count: 1000))
            #expect(server.visitors.count == 1)
            let lost = unanswered.withLock(\.self)
            #expect(lost.count == 10)
            #expect(lost.allSatisfy { seen[$0] == 2 })
            await client.shutdown()
        }
    }

    @Test("A server that never answers: one outcome each, by the deadline")
    func never() async throws {
        try await TroubleServer.with { _ in
        } _: { server in
            let client = try server.client { configuration in
                configuration.maxInFlight = 4
                configuration.random = { 0 }
            }
            let start = server.clock.now
            let pushes = (0..<8).map { _ in Example.push() }
            let outcomes = await client.outcomes(of: pushes, advancing: server.clock, limit: .seconds(31))
            #expect(outcomes.count == 8)
            for outcome in outcomes {
                if case .failed = outcome { continue }
                Issue.record("\(outcome)")
            }
            // Two turns of 300 s each.
            #expect(start.duration(to: server.clock.now) <= .seconds(600))
            await client.shutdown()
        }
    }

    @Test("A batch without an answer goes over another connection")
    func batch() async throws {
        let seen = Tally()
        try await TroubleServer.with { asked in
            seen.add("\(asked.place)")
            if asked.place > 1 { asked.accept() }
        } _: { server in
            let client = try server.client()
            var batch = APNSBatch(topic: Example.bundleID)
            for number in 0..<30 { batch.add([DeviceToken(bytes: [UInt8(number)])], payload: [123, 125]) }
            let ready = batch
            async let outcomes = client.outcomes(of: ready)
            try await eventually("the server has the requests") { seen["1"] == 30 }
            await server.clock.advance(by: .seconds(31))
            #expect(await outcomes == Array(repeating: .accepted, count: 30))
            await client.shutdown()
        }
    }
}
