import APNSProvider
import APNSTransport
import Foundation
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("pushy971_apnsIsDownForTenMinutes", .suiteLimit)
struct DownTests {
    @Test("The deadline ends what cannot be sent, and the next push finds the server that came back")
    func back() async throws {
        try await TroubleServer.with { server in
            await server.stop()
            let client = try server.client { $0.longestPause = .seconds(8) }
            let outcomes = await client.outcomes(of: [Example.push()], advancing: server.clock)
            guard case .failed(let text) = outcomes.first else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(text.hasPrefix("No connection to localhost:\(server.port) in time:"))
            try await server.start()
            #expect(await client.outcomes(of: [Example.push()], advancing: server.clock) == [.accepted])
            await client.shutdown()
        }
    }

    @Test("A push with the patience for it is sent when the server is back after ten minutes")
    func patient() async throws {
        try await TroubleServer.with { server in
            let client = try server.client { configuration in
                configuration.deadline = .seconds(3600)
                configuration.longestPause = .seconds(8)
            }
            #expect(await client.send(Example.push()) == .accepted)
            await server.stop()
            let clock = server.clock
            let start = clock.now
            async let outcomes = client.outcomes(of: (0..<20).map { _ in Example.push() })
            await clock.skipPauses(upTo: .seconds(10), until: clock.now.advanced(by: .seconds(600)))
            try await server.start()
            let mover = Task { await clock.skipPauses(upTo: .seconds(10)) }
            #expect(await outcomes == Array(repeating: .accepted, count: 20))
            // Two of the longest pauses after the server came back, each with its jitter, and the step in which the ten minutes ended.
            let taken = start.duration(to: clock.now)
            #expect((.seconds(600)...(.seconds(640))).contains(taken))
            mover.cancel()
            await mover.value
            await client.shutdown()
        }
    }

    @Test("A restart of the server is survived without a word")
    func restart() async throws {
        try await TroubleServer.with { server in
            let client = try server.client()
            for _ in 0..<3 {
                #expect(await client.send(Example.push()) == .accepted)
                await server.stop()
                try await server.start()
            }
            #expect(await client.send(Example.push()) == .accepted)
            await client.shutdown()
        }
    }
}

@Suite("aioHTTPClient715_aConnectionThatWasClosedWhileIdle", .suiteLimit)
struct IdleCloseTests {
    @Test("It is not handed a push that is then lost", arguments: [true, false])
    func idle(isSeen: Bool) async throws {
        let delivered = Tally()
        try await TroubleServer.with { asked in
            delivered.add(asked.id)
            asked.accept()
        } _: { server in
            let client = try server.client()
            for round in 1...5 {
                #expect(await client.send(Example.push()) == .accepted)
                #expect(server.visitors.count == round)
                server.visitors.connections.last?.close()
                // Once the client knows, and once it is just about to learn it.
                if isSeen { try await eventually("no connection is open") { client.status.connections == 0 } }
            }
            #expect(delivered.all.count == 5)
            // What the server takes in while it closes comes again under the same apns-id.
            if isSeen { #expect(delivered.total == 5) }
            await client.shutdown()
        }
    }

    @Test("IdleTimeout in a GOAWAY is no trouble")
    func idleTimeout() async throws {
        try await TroubleServer.with { server in
            let client = try server.client()
            #expect(await client.send(Example.push()) == .accepted)
            server.visitors.connections.last?.goAway(debugData: Array(#"{"reason":"IdleTimeout"}"#.utf8))
            try await eventually("no connection is open") { client.status.connections == 0 }
            #expect(await client.send(Example.push()) == .accepted)
            #expect(server.visitors.count == 2)
            await client.shutdown()
        }
    }
}

@Suite("gorush_429AndTransportErrorsAreLoggedAndDropped", .suiteLimit)
struct RetryTests {
    @Test(
        "429 and 5xx are tried again with growing pauses",
        arguments: [APNSReason.tooManyRequests, .internalServerError, .serviceUnavailable, .shutdown]
    )
    func pauses(_ reason: APNSReason) async throws {
        let count = Tally()
        try await TroubleServer.with { asked in
            if count.add("") <= 3 { asked.refuse(reason) } else { asked.accept() }
        } _: { server in
            let client = try server.client { $0.random = { 1 } }
            let start = server.clock.now
            #expect(await client.outcomes(of: [Example.push()], advancing: server.clock) == [.accepted])
            #expect(start.duration(to: server.clock.now) == .seconds(7))
            await client.shutdown()
        }
    }

    @Test("The same in a batch")
    func batch() async throws {
        let seen = Tally()
        try await TroubleServer.with { asked in
            if seen.add(asked.id) == 1 { asked.refuse(.tooManyRequests) } else { asked.accept() }
        } _: { server in
            let client = try server.client { $0.random = { 1 } }
            var batch = APNSBatch(topic: Example.bundleID)
            for number in 0..<20 { batch.add([DeviceToken(bytes: [UInt8(number)])], payload: [123, 125]) }
            let ready = batch
            async let outcomes = client.outcomes(of: ready)
            // The pauses of all that were refused.
            try await eventually("the server has the requests") { seen.total == 20 && client.status.inFlight == 20 }
            await server.clock.advance(by: .seconds(1))
            #expect(await outcomes == Array(repeating: .accepted, count: 20))
            #expect(seen.total == 40)
            await client.shutdown()
        }
    }

    @Test("Not beyond the expiration: a push that is of no more use then is given up")
    func expiration() async throws {
        let count = Tally()
        try await TroubleServer.with { asked in
            count.add("")
            asked.refuse(.serviceUnavailable)
        } _: { server in
            let client = try server.client { $0.random = { 1 } }
            var push = Example.push()
            push.expiration = .at(server.clock.date.addingTimeInterval(5))
            let start = server.clock.now
            let outcomes = await client.outcomes(of: [push], advancing: server.clock)
            #expect(
                outcomes == [.failed("Given up after 3 attempts within 300.0 seconds: ServiceUnavailable.")],
                "after 0, 1 and 3 seconds; 7 would be too late"
            )
            #expect(start.duration(to: server.clock.now) == .seconds(3))
            push.expiration = .oneAttempt
            #expect(
                await client.send(push)
                    == .failed("Given up after 1 attempts within 300.0 seconds: ServiceUnavailable.")
            )
            #expect(count.total == 4)
            await client.shutdown()
        }
    }

    @Test("A gateway's retry-after is kept to")
    func retryAfter() async throws {
        let count = Tally()
        try await TroubleServer.with { asked in
            guard count.add("") == 1 else { return asked.accept() }
            var answer = APNSAnswer.refusal(.tooManyRequests)
            answer.headers.append((name: "retry-after", value: "9"))
            asked.reply(answer)
        } _: { server in
            let client = try server.client()
            let start = server.clock.now
            #expect(await client.outcomes(of: [Example.push()], advancing: server.clock) == [.accepted])
            #expect(start.duration(to: server.clock.now) == .seconds(9))
            await client.shutdown()
        }
    }

    @Test("A reason that is not known, and a body that is not JSON, break nothing")
    func unknown() async throws {
        try await TroubleServer.with { asked in
            let body = asked.number == 1 ? #"{"reason":"TooFunny"}"# : "<html>"
            asked.reply(APNSAnswer(status: 418, headers: [], body: Array(body.utf8)))
        } _: { server in
            let client = try server.client()
            let funny = await client.send(Example.push())
            #expect(funny == .refused(status: 418, APNSReason(rawValue: "TooFunny"), timestamp: nil))
            let odd = await client.send(Example.push())
            #expect(odd == .refused(status: 418, APNSReason(rawValue: "HTTP 418"), timestamp: nil))
            await client.shutdown()
        }
    }
}

@Suite("pushy399_oneTeamPerConnection_moreConnectionsWhenLatencyClimbs", .suiteLimit)
struct PoolTests {
    @Test("Two teams never share a connection")
    func teams() async throws {
        let teams = Mutex<[Int: Set<String>]>([:])
        try await TroubleServer.with { asked in
            teams.withLock { _ = $0[asked.place, default: []].insert(asked.authorization ?? "") }
            asked.accept()
        } _: { server in
            let one = try server.client(key: try Example.key(teamID: "TEAM000001")) { $0.connections = 2...2 }
            let other = try server.client(key: try Example.key(teamID: "TEAM000002"))
            let pushes = (0..<50).map { Example.push(to: DeviceToken(bytes: [UInt8($0)])) }
            async let first = one.outcomes(of: pushes)
            async let second = other.outcomes(of: pushes)
            #expect(await first + second == Array(repeating: .accepted, count: 100))
            #expect(teams.withLock { $0.values.allSatisfy { $0.count == 1 } })
            await one.shutdown()
            await other.shutdown()
        }
    }

    @Test("More connections while answers are slow, up to the bound, and fewer when there is little to do")
    func grows() async throws {
        let waiting = Mutex<[TroubleServer.Asked]>([])
        try await TroubleServer.with { asked in
            waiting.withLock { $0.append(asked) }
        } _: { server in
            let client = try server.client { configuration in
                configuration.connections = 1...3
                configuration.maxInFlight = 30
            }
            /// Pushes that are answered after so many milliseconds on the clock.
            func wave(_ count: Int, _ milliseconds: Int) async throws {
                let pushes = (0..<count).map { Example.push(to: DeviceToken(bytes: [UInt8($0)])) }
                async let outcomes = client.outcomes(of: pushes)
                try await eventually("the server has the requests") { waiting.withLock { $0.count == count } }
                await server.clock.advance(by: .milliseconds(milliseconds))
                for asked in waiting.withLock({ waiting in
                    defer { waiting = [] }
                    return waiting
                }) { asked.accept() }
                #expect(await outcomes == Array(repeating: .accepted, count: count))
            }
            for _ in 0..<3 {
                try await wave(2, 50)
                await server.clock.advance(by: .seconds(1))
            }
            #expect(client.status.connections == 1)
            for _ in 0..<40 {
                try await wave(30, 900)
                await server.clock.advance(by: .milliseconds(500))
            }
            try await eventually("3 connections are open") { client.status.connections == 3 }
            for _ in 0..<200 {
                try await wave(2, 50)
                await server.clock.advance(by: .seconds(2))
            }
            #expect(client.status.connections == 1)
            await client.shutdown()
        }
    }

    @Test("Pushes for one device go over one connection, one behind the other")
    func sticky() async throws {
        let order = Mutex<[String: [(Int, Int)]]>([:])
        try await TroubleServer.with { asked in
            order.withLock { $0[asked.request.path, default: []].append((asked.place, asked.number)) }
            asked.accept()
        } _: { server in
            let client = try server.client { $0.connections = 3...3 }
            await withTaskGroup(of: Void.self) { group in
                for device in 0..<60 {
                    group.addTask {
                        for _ in 0..<10 {
                            let push = Example.push(to: DeviceToken(bytes: [UInt8(device), 9]))
                            #expect(await client.send(push) == .accepted)
                        }
                    }
                }
            }
            let devices = order.withLock { Array($0.values) }
            // While the connections were being opened the first pushes may have taken the one that stood first.
            #expect(devices.allSatisfy { Set($0.dropFirst(9).map(\.0)).count == 1 })
            #expect(Set(devices.compactMap { $0.last?.0 }).count == 3)
            await client.shutdown()
        }
    }

    @Test("A batch takes the ways that its pushes would take by themselves")
    func batch() async throws {
        let places = Mutex<[String: Set<Int>]>([:])
        try await TroubleServer.with { asked in
            places.withLock { _ = $0[asked.request.path, default: []].insert(asked.place) }
            asked.accept()
        } _: { server in
            let client = try server.client { $0.connections = 3...3 }
            #expect(await client.send(Example.push()) == .accepted)
            try await eventually("3 connections are open") { client.status.connections == 3 }
            var batch = APNSBatch(topic: Example.bundleID)
            for device in 0..<60 {
                let token = DeviceToken(bytes: [UInt8(device), 5])
                #expect(await client.send(Example.push(to: token)) == .accepted)
                batch.add([token], payload: [123, 125])
            }
            #expect(await client.outcomes(of: batch) == Array(repeating: .accepted, count: 60))
            let all = places.withLock { $0.filter { $0.key.hasSuffix("05") }.values }
            #expect(all.count == 60)
            #expect(all.allSatisfy { $0.count == 1 })
            #expect(Set(all.flatMap(\.self)).count == 3)
            await client.shutdown()
        }
    }

    @Test("Tasks may run where the connections live")
    func executor() async throws {
        try await TroubleServer.with { server in
            let client = try server.client()
            let accepted = Tally()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask(executorPreference: client.executor) {
                        for _ in 0..<10 where await client.send(Example.push()) == .accepted { accepted.add("") }
                    }
                }
            }
            #expect(accepted.total == 500)
            await client.shutdown()
        }
    }
}

@Suite("Credentials that are refused", .suiteLimit)
struct RefusedCredentialTests {
    @Test("An expired provider token is replaced, on a new connection, once for all pushes")
    func expired() async throws {
        let first = Mutex<String?>(nil)
        let expired = Mutex<[TroubleServer.Asked]>([])
        let places = Tally()
        try await TroubleServer.with { asked in
            let isFirst = first.withLock { first in
                if first == nil { first = asked.authorization }
                return first == asked.authorization
            }
            places.add("\(asked.place)")
            guard isFirst else { return asked.accept() }
            // Refused together, so that each of them was sent with the first token.
            let all = expired.withLock { expired in
                expired.append(asked)
                return expired.count == 20 ? expired : []
            }
            for asked in all { asked.refuse(.expiredProviderToken) }
        } _: { server in
            let client = try server.client()
            // ES256 signs at random, so that two tokens of one second differ.
            let pushes = (0..<20).map { _ in Example.push() }
            #expect(await client.outcomes(of: pushes) == Array(repeating: .accepted, count: 20))
            #expect(places.all == ["1": 20, "2": 20])
            await client.shutdown()
        }
    }

    @Test("One that stays expired ends with APNs' word, and pauses the credential")
    func staysExpired() async throws {
        let count = Tally()
        try await TroubleServer.with { asked in
            count.add("")
            asked.refuse(.expiredProviderToken)
        } _: { server in
            let client = try server.client()
            for _ in 0..<5 {
                #expect(
                    await client.send(Example.push()) == .refused(status: 403, .expiredProviderToken, timestamp: nil)
                )
            }
            #expect(count.total == 2, "the second has shut the gate")
            #expect(client.status.isCredentialPaused)
            await client.shutdown()
        }
    }

    @Test("A refused key is not tried with each push; from time to time one is the trial")
    func paused() async throws {
        let count = Tally()
        let isGood = Mutex(false)
        try await TroubleServer.with { asked in
            count.add("")
            if isGood.withLock(\.self) { asked.accept() } else { asked.refuse(.invalidProviderToken) }
        } _: { server in
            let client = try server.client()
            let refused = APNSOutcome.refused(status: 403, .invalidProviderToken, timestamp: nil)
            for _ in 0..<100 { #expect(await client.send(Example.push()) == refused) }
            #expect(count.total == 1)
            await server.clock.advance(by: .seconds(10))
            for _ in 0..<100 { #expect(await client.send(Example.push()) == refused) }
            #expect(count.total == 2)
            isGood.withLock { $0 = true }
            await server.clock.advance(by: .seconds(10))
            #expect(await client.send(Example.push()) == refused)
            await server.clock.advance(by: .seconds(10))
            for _ in 0..<100 { #expect(await client.send(Example.push()) == .accepted) }
            #expect(!client.status.isCredentialPaused)
            await client.shutdown()
        }
    }

    @Test("Too many new tokens: the push waits and goes over another connection")
    func tooMany() async throws {
        try await TroubleServer.with { asked in
            if asked.place == 1 { asked.refuse(.tooManyProviderTokenUpdates) } else { asked.accept() }
        } _: { server in
            let client = try server.client { $0.random = { 1 } }
            let start = server.clock.now
            #expect(await client.outcomes(of: [Example.push()], advancing: server.clock) == [.accepted])
            #expect(start.duration(to: server.clock.now) == .seconds(1))
            await client.shutdown()
        }
    }
}
