import APNSProvider
import APNSTransport
import Foundation
import PushClock
import PushModel
import Testing

@testable import APNSGateway

@Suite("Updates of provider tokens")
struct ProviderTokenUpdateTests {
    /// A gateway, and what pushes to one of its tokens with a provider token each.
    struct Workers {
        let world: World
        let token: DeviceToken

        init(limit: Int? = nil) throws {
            var rules = GatewayRules()
            if let limit { rules.providerTokens = limit }
            world = try World(rules: rules)
            token = world.issueToken()
        }

        func sign() throws -> String { "bearer " + (try world.key.token(issuedAt: world.clock.date)) }

        /// Pushes with a provider token on a connection, a new one by default.
        func push(
            _ bearer: String,
            on connection: ProviderConnection = ProviderConnection(environment: .development)
        ) -> APNSAnswer {
            world.gateway.respond(to: world.request(to: token, ["authorization": bearer]), on: connection)
        }
    }

    @Test("Thirty workers with a token each: the first twenty work, and go on working")
    func thirtyWorkers() async throws {
        let workers = try Workers()
        let connections = (0..<30).map { _ in ProviderConnection(environment: .development) }
        let bearers = try (0..<30).map { _ in try workers.sign() }
        func statuses() -> [Int] { zip(bearers, connections).map { workers.push($0, on: $1).status } }
        let expected = Array(repeating: 200, count: 20) + Array(repeating: 429, count: 10)
        #expect(statuses() == expected)
        #expect(statuses() == expected)
        #expect(workers.push(bearers[29]).reason == "TooManyProviderTokenUpdates")
        // One of the twenty is as good on a connection of its own.
        #expect(workers.push(bearers[0]).status == 200)
        await workers.world.clock.advance(by: .seconds(20 * 60))
        #expect(statuses() == Array(repeating: 200, count: 30))
    }

    @Test("The limit is the key's: set to thirty, thirty connections have a token of their own each")
    func thirtyConnections() throws {
        let workers = try Workers(limit: 30)
        for second in 0..<30 {
            let date = workers.world.clock.date.addingTimeInterval(TimeInterval(-second))
            #expect(workers.push("bearer " + (try workers.world.key.token(issuedAt: date))).status == 200)
        }
        #expect(workers.push(try workers.sign()).status == 429)
    }

    @Test("One token shared by thirty workers is one")
    func shared() throws {
        let workers = try Workers(limit: 1)
        let bearer = try workers.sign()
        for _ in 0..<30 { #expect(workers.push(bearer).status == 200) }
        #expect(workers.push(try workers.sign()).status == 429)
    }

    @Test("Both environments count together, another key by itself")
    func keys() throws {
        let workers = try Workers(limit: 2)
        let gateway = workers.world.gateway
        let production = gateway.issueToken(topic: bundleID, environment: .production)
        let request = workers.world.request(to: production, ["authorization": try workers.sign()])
        #expect(gateway.respond(to: request, on: ProviderConnection(environment: .production)).status == 200)
        #expect(workers.push(try workers.sign()).status == 200)
        #expect(workers.push(try workers.sign()).status == 429)
        let other = gateway.generateKey(id: "SECOND", team: team)
        #expect(workers.push(try workers.world.bearer(other)).status == 200)
    }

    @Test("Each key of a connection has two new tokens there")
    func pair() throws {
        let workers = try Workers()
        let connection = ProviderConnection(environment: .development)
        let second = workers.world.gateway.generateKey(id: "SECOND", team: team)
        for _ in 0..<2 {
            #expect(workers.push(try workers.sign(), on: connection).status == 200)
            #expect(workers.push(try workers.world.bearer(second), on: connection).status == 200)
        }
        #expect(workers.push(try workers.sign(), on: connection).status == 429)
        #expect(workers.push(try workers.world.bearer(second), on: connection).status == 429)
    }

    @Test("A token that a connection refuses does not count for the others")
    func refused() throws {
        let workers = try Workers(limit: 3)
        let connection = ProviderConnection(environment: .development)
        let bearers = try (0..<10).map { _ in try workers.sign() }
        #expect(bearers.map { workers.push($0, on: connection).status == 200 }.count { $0 } == 2)
        #expect(workers.push(try workers.sign()).status == 200)
        #expect(workers.push(try workers.sign()).status == 429)
    }

    @Test("An invalid token counts for nobody")
    func invalid() throws {
        let workers = try Workers(limit: 1)
        for _ in 0..<5 { #expect(workers.push(String(try workers.sign().dropLast(4)) + "AAAA").status == 403) }
        #expect(workers.push(try workers.sign()).status == 200)
    }

    @Test("The limit can be set, and what was counted forgotten")
    func settings() throws {
        let workers = try Workers()
        let gateway = workers.world.gateway
        let connection = ProviderConnection(environment: .development)
        let bearer = try workers.sign()
        gateway.credentials.providerTokenLimit = 1
        #expect(workers.push(bearer, on: connection).status == 200)
        #expect(workers.push(try workers.sign()).status == 429)
        #expect(gateway.credentials.providerTokens(at: gateway.clock.date) == [keyID: 1])
        gateway.credentials.forgetProviderTokens()
        #expect(gateway.credentials.providerTokens(at: gateway.clock.date).isEmpty)
        #expect(workers.push(try workers.sign()).status == 200)
        #expect(workers.push(bearer, on: connection).status == 200)
        gateway.credentials.providerTokenLimit = 2
        #expect(workers.push(try workers.sign()).status == 200)
    }

    @Test("A script makes the limit stricter for a time")
    func script() async throws {
        let workers = try Workers()
        let gateway = workers.world.gateway
        let text =
            #"{"faults":[{"kind":"providerTokens","limit":1,"environment":"development","from":60,"until":120}]}"#
        gateway.run(try FaultScript(json: try JSONValue(parsing: text)))
        #expect(workers.push(try workers.sign()).status == 200)
        #expect(workers.push(try workers.sign()).status == 200)
        await workers.world.clock.advance(by: .seconds(60))
        #expect(workers.push(try workers.sign()).status == 429)
        let production = gateway.issueToken(topic: bundleID, environment: .production)
        let request = workers.world.request(to: production, ["authorization": try workers.sign()])
        #expect(gateway.respond(to: request, on: ProviderConnection(environment: .production)).status == 200)
        await workers.world.clock.advance(by: .seconds(60))
        #expect(workers.push(try workers.sign()).status == 200)
    }

    @Test("A key's tokens are forgotten when none of them can be valid any more")
    func bounded() {
        var updates = ProviderTokenUpdates()
        var now = Date(timeIntervalSince1970: 1_790_000_000)
        var admitted = 0
        for number in 0..<1000 {
            if updates.admit("token \(number)", limit: 5, at: now) { admitted += 1 }
            now += 60
            #expect(updates.count(at: now) <= 5)
            // Those of an hour and the skew of clocks, at five in 20 minutes.
            #expect(updates.admitted.count <= 20)
        }
        #expect(admitted == 250)
    }
}
