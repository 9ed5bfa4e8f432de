import APNSTransport
import Foundation
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import APNSGateway

/// When and how often a fault is carried out, without a socket: by the answers of a connection of its own.
@Suite("Faults: when, where, how often", .suiteLimit)
struct FaultTimeTests {
    private let trouble = Fault.Kind.answer(FaultAnswer(.tooManyRequests))

    /// The statuses of pushes one after the other, over one connection.
    private func statuses(
        _ count: Int,
        _ setting: FaultyGateway,
        to token: DeviceToken
    ) async throws -> [Int] {
        var statuses: [Int] = []
        try await setting.provider { provider in
            for number in 0..<count {
                provider.send(setting.world.request(to: token), stream: 1 + 2 * number)
                statuses.append(await provider.wholeAnswer(on: 1 + 2 * number).status)
            }
        }
        return statuses
    }

    @Test("The next two, and no more")
    func next() async throws {
        try await FaultyGateway.with(try World()) { setting in
            setting.gateway.add(Fault(trouble, next: 2))
            let seen = try await statuses(4, setting, to: setting.token())
            #expect(seen == [429, 429, 200, 200])
            #expect(setting.gateway.faults.isEmpty)
            #expect(setting.gateway.faultLog().map(\.number) == [1, 2])
        }
    }

    @Test("Every third, until it is lifted")
    func every() async throws {
        try await FaultyGateway.with(try World()) { setting in
            let token = setting.token()
            let fault = setting.gateway.add(Fault(trouble, every: 3))
            let seen = try await statuses(7, setting, to: token)
            #expect(seen == [200, 200, 429, 200, 200, 429, 200])
            #expect(setting.gateway.faults.map(\.met) == [7])
            #expect(setting.gateway.faults.map(\.carriedOut) == [2])
            #expect(setting.gateway.liftFault(fault.id))
            #expect(!setting.gateway.liftFault(fault.id))
            let later = try await statuses(3, setting, to: token)
            #expect(later == [200, 200, 200])
        }
    }

    @Test("The first of two faults that answer does, and the other does not count it")
    func order() async throws {
        try await FaultyGateway.with(try World()) { setting in
            setting.gateway.add(Fault(trouble, next: 1))
            setting.gateway.add(Fault(.answer(FaultAnswer(.internalServerError)), next: 1))
            let seen = try await statuses(3, setting, to: setting.token())
            #expect(seen == [429, 500, 200])
        }
    }

    @Test("From second 10 to second 20 on the gateway's clock")
    func window() async throws {
        try await FaultyGateway.with(try World()) { setting in
            let token = setting.token()
            setting.gateway.run(FaultScript(faults: [Fault(trouble, from: 10, until: 20)]))
            var seen: [Int] = []
            for seconds in [0, 9, 1, 9, 1] {
                await setting.world.clock.advance(by: .seconds(seconds))
                seen += try await statuses(1, setting, to: token)
            }
            #expect(seen == [200, 200, 429, 429, 200])
            #expect(setting.gateway.faultLog().map { $0.seconds.rounded() } == [10, 19])
        }
    }

    struct Condition: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Given the token of the first request.
        var conditions: @Sendable (DeviceToken) -> FaultConditions
    }

    static let conditions = [
        Condition(testDescription: "token") { FaultConditions(token: $0) },
        Condition(testDescription: "path") { FaultConditions(path: "/3/device/" + $0.hexadecimal) },
        Condition(testDescription: "path with a star") {
            FaultConditions(path: "/3/device/" + $0.hexadecimal.prefix(8) + "*")
        },
        Condition(testDescription: "topic") { _ in FaultConditions(topic: bundleID) },
    ]

    @Test("One token, path or topic and no other", arguments: conditions)
    func matches(_ condition: Condition) async throws {
        let other = "com.example.second"
        let world = try World()
        world.gateway.setBundleIDs([bundleID, other], ofTeam: team)
        try await FaultyGateway.with(world) { setting in
            let token = setting.token()
            let stranger = setting.gateway.issueToken(topic: other, environment: .development)
            setting.gateway.add(Fault(trouble, where: condition.conditions(token)))
            try await setting.provider { provider in
                provider.send(world.request(to: stranger, ["apns-topic": other]), stream: 1)
                #expect(await provider.wholeAnswer(on: 1).status == 200)
                provider.send(world.request(to: token), stream: 3)
                #expect(await provider.wholeAnswer(on: 3).status == 429)
            }
        }
    }

    @Test("One environment and not the other")
    func environment() async throws {
        try await FaultyGateway.with(try World()) { setting in
            setting.gateway.add(Fault(trouble, where: FaultConditions(environment: .production)))
            for (environment, status) in [(APNSEnvironment.development, 200), (.production, 429)] {
                try await setting.provider(environment) { provider in
                    provider.send(setting.world.request(to: setting.token(environment)), stream: 1)
                    #expect(await provider.wholeAnswer(on: 1).status == status)
                }
            }
        }
    }

    @Test("An expired provider token stays expired on the connection that it met, and on no other")
    func connection() async throws {
        try await FaultyGateway.with(try World()) { setting in
            let token = setting.token()
            let expired = Fault.Kind.answer(FaultAnswer(.expiredProviderToken))
            setting.gateway.add(Fault(expired, where: FaultConditions(connection: .first)))
            try await setting.provider { first in
                try await setting.provider { second in
                    for (provider, stream, status) in [(first, 1, 403), (second, 1, 200), (first, 3, 403)] {
                        provider.send(setting.world.request(to: token), stream: stream)
                        let answer = await provider.wholeAnswer(on: stream)
                        #expect(answer.status == status)
                        #expect((answer.reason == "ExpiredProviderToken") == (status == 403))
                    }
                }
            }
        }
    }

    // MARK: - Chance

    private static let script: [Fault] = [
        Fault(.answer(FaultAnswer(.serviceUnavailable)), chance: 0.3),
        Fault(.answer(FaultAnswer(.internalServerError)), every: 2, chance: 0.5, from: 5),
    ]

    /// The effects of a script on 60 pushes, a second apart.
    private func story(seed: UInt64?) async throws -> (seed: UInt64, log: [FaultRecord], statuses: [Int]) {
        let world = try World()
        let seeds = Mutex<[UInt64]>([])
        let statuses = Mutex<[Int]>([])
        try await FaultyGateway.with(world) { setting in
            let token = setting.token()
            let running = setting.gateway.run(FaultScript(seed: seed, faults: Self.script))
            seeds.withLock { $0.append(running.seed) }
            try await setting.provider { provider in
                for number in 0..<60 {
                    let id = "00000000-0000-4000-8000-0000000000" + String(10 + number)
                    provider.send(world.request(to: token, ["apns-id": id]), stream: 1 + 2 * number)
                    let status = await provider.wholeAnswer(on: 1 + 2 * number).status
                    statuses.withLock { $0.append(status) }
                    await world.clock.advance(by: .seconds(1))
                }
            }
        }
        let used = seeds.withLock { $0.first }
        return (try #require(used), world.gateway.faultLog(), statuses.withLock { $0 })
    }

    @Test("The same seed and the same requests have the same faults, and another seed has others")
    func replay() async throws {
        let first = try await story(seed: 7)
        let again = try await story(seed: 7)
        #expect(first.statuses == again.statuses)
        #expect(first.log.map(\.seconds) == again.log.map(\.seconds))
        #expect(first.log.map(\.fault) == again.log.map(\.fault))
        #expect(first.log.map(\.apnsID) == again.log.map(\.apnsID))
        #expect(Set(first.statuses) == [200, 500, 503])
        let other = try await story(seed: 8)
        #expect(other.statuses != first.statuses)
    }

    @Test("Without a seed the gateway draws one and says which, and it tells the same story again")
    func drawn() async throws {
        let first = try await story(seed: nil)
        #expect(first.seed < 1 << 53)
        let again = try await story(seed: first.seed)
        #expect(first.statuses == again.statuses)
    }
}
