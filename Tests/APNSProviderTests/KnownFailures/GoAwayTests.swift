import APNSProvider
import APNSTransport
import Logging
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("pushy865_1025_everyGoAwayLosesPushes", .suiteLimit)
struct GoAwayTests {
    @Test("Requests above the last stream id are sent again at once, the others are answered")
    func above() async throws {
        let answered = Tally()
        try await TroubleServer.with { asked in
            if asked.number == 20 {
                asked.connection.goAway(lastStreamID: 25, debugData: Array(#"{"reason":"IdleTimeout"}"#.utf8))
            }
            // Thirteen streams are answered, some before and some after GOAWAY; the others never were.
            guard asked.request.streamID <= 25 else { return }
            answered.add(asked.id)
            asked.accept()
        } _: { server in
            let client = try server.client { $0.maxInFlight = 100 }
            // 308 is 23 full rounds of 13 and a rest that stays below 20.
            let pushes = (0..<308).map { _ in Example.push() }
            let outcomes = await client.outcomes(of: pushes)
            #expect(outcomes == Array(repeating: .accepted, count: 308))
            #expect(answered.all == Dictionary(uniqueKeysWithValues: pushes.map { ($0.id, 1) }))
            await client.shutdown()
        }
    }

    @Test("Pushes that a lost connection leaves undecided are sent again under the same apns-id")
    func undecided() async throws {
        let seen = Tally()
        let retried = Tally()
        try await TroubleServer.with { asked in
            let count = seen.add(asked.id)
            if count == 1, asked.number == 5 { asked.connection.close() }
            if count > 1 { asked.accept() }
        } _: { server in
            let client = try server.client { $0.retried = { retried.add($0.id + " " + $1) } }
            let pushes = (0..<5).map { _ in Example.push() }
            #expect(await client.outcomes(of: pushes) == Array(repeating: .accepted, count: 5))
            #expect(seen.all == Dictionary(uniqueKeysWithValues: pushes.map { ($0.id, 2) }))
            #expect(retried.all == Dictionary(uniqueKeysWithValues: pushes.map { ($0.id + " connection", 1) }))
            await client.shutdown()
        }
    }

    /// The large version is `Benchmarks/Sources/GoAwayStorm`.
    @Test("GOAWAY every 100 pushes with any last stream id: sent, answered and delivered once", arguments: [1, 2, 3])
    func storm(seed: UInt64) async throws {
        let delivered = Tally()
        let random = Mutex(SplitMix(seed: seed))
        let last = Mutex<[Int: Int]>([:])
        try await TroubleServer.with { asked in
            let stream = asked.request.streamID
            if asked.number % 100 == 0, last.withLock({ $0[asked.place] }) == nil {
                let chosen = random.withLock { Int.random(in: 0...stream, using: &$0) }
                last.withLock { $0[asked.place] = chosen }
                asked.connection.goAway(lastStreamID: chosen, debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
                // What is not above it was processed, and is answered late.
                if stream > chosen { return }
            }
            if let last = last.withLock({ $0[asked.place] }), stream > last { return }
            // The first half is answered at once, so that a late GOAWAY may name a stream below one that is answered.
            delivered.add(asked.id)
            asked.accept()
        } _: { server in
            let client = try server.client { $0.maxInFlight = 50 }
            let pushes = (0..<2000).map { _ in Example.push() }
            let outcomes = await client.outcomes(of: pushes)
            #expect(outcomes == Array(repeating: .accepted, count: pushes.count))
            #expect(delivered.all == Dictionary(uniqueKeysWithValues: pushes.map { ($0.id, 1) }))
            #expect(server.visitors.count > 10)
            await client.shutdown()
        }
    }

    @Test("A batch in full flow loses nothing either")
    func batch() async throws {
        let answered = Tally()
        try await TroubleServer.with { asked in
            if asked.number == 20 { asked.connection.goAway(lastStreamID: 25) }
            guard asked.request.streamID <= 25 else { return }
            answered.add(asked.id)
            asked.accept()
        } _: { server in
            let client = try server.client { $0.maxInFlight = 100 }
            var batch = APNSBatch(topic: Example.bundleID)
            for number in 0..<308 { batch.add([DeviceToken(bytes: [UInt8(number & 255), 7])], payload: [123, 125]) }
            #expect(await client.outcomes(of: batch) == Array(repeating: .accepted, count: 308))
            #expect(answered.total == 308)
            #expect(answered.all.count == 308)
            await client.shutdown()
        }
    }
}

@Suite("pushy312_twoGoAwaysAndOneWithoutAReason", .suiteLimit)
struct TwoGoAwaysTests {
    @Test("They are survived, push after push")
    func survived() async throws {
        try await TroubleServer.with { asked in
            asked.connection.goAway(debugData: [0xFF, 0x00])
            asked.connection.goAway(debugData: [])
            asked.accept()
        } _: { server in
            let client = try server.client()
            for _ in 0..<5 { #expect(await client.send(Example.push()) == .accepted) }
            await client.shutdown()
        }
    }

    @Test("The second lowers the number: what the first promised and the second does not is sent again")
    func lowers() async throws {
        let answered = Tally()
        try await TroubleServer.with { asked in
            if asked.place == 1 {
                guard asked.number == 10 else { return }
                asked.connection.goAway()
                asked.connection.goAway(lastStreamID: 0)
                return
            }
            answered.add(asked.id)
            asked.accept()
        } _: { server in
            let client = try server.client()
            let pushes = (0..<10).map { _ in Example.push() }
            #expect(await client.outcomes(of: pushes) == Array(repeating: .accepted, count: 10))
            #expect(answered.all == Dictionary(uniqueKeysWithValues: pushes.map { ($0.id, 1) }))
            await client.shutdown()
        }
    }
}

@Suite("nethttp2_39_theReasonInsideGoAway", .suiteLimit)
struct GoAwayReasonTests {
    @Test("It reaches the operator: callback, log and status")
    func reaches() async throws {
        let reasons = Mutex<[String]>([])
        let log = MemoryLog()
        try await TroubleServer.with { asked in
            asked.connection.goAway(debugData: Array(#"{"reason":"BadCertificate"}"#.utf8))
            asked.accept()
        } _: { server in
            let client = try server.client(logger: log.logger) { configuration in
                configuration.goAway = { text in reasons.withLock { $0.append(text) } }
            }
            #expect(await client.send(Example.push()) == .accepted)
            try await eventually("no connection is open") { client.status.connections == 0 }
            #expect(reasons.withLock(\.self) == [#"{"reason":"BadCertificate"}"#])
            #expect(client.status.lastTrouble == #"GOAWAY {"reason":"BadCertificate"}"#)
            let entry = log.entries.first { $0.message == "APNs ends the connection" }
            #expect(entry?.metadata["apns.reason"] == #"{"reason":"BadCertificate"}"#)
            await client.shutdown()
        }
    }
}
