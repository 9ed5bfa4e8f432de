import APNSTransport
import Foundation
import PushModel
import Testing

@testable import APNSGateway

/// Source: Apple, "Establishing a token-based connection to APNs", sections "Team-scoped keys" and "Topic-specific keys", and "Handling
/// notification responses from APNs", read November 2026.
@Suite("Judgement of keys")
struct KeyJudgementTests {
    /// One key of each kind, in a gateway with two apps of one team and one of another.
    struct Keys {
        static let second = "com.example.second"
        static let foreign = "com.other.app"

        let world: World
        /// A provider token of each.
        private let bearers: [Name: String]

        enum Name: CaseIterable {
            case team
            case secondOfTeam
            case development
            case production
            case topic
            case related
            case unrelated
            case developmentTopic
            case revoked
            case otherTeam
        }

        init() throws {
            world = try World()
            let gateway = world.gateway
            gateway.setBundleIDs([bundleID, Self.second], ofTeam: team)
            gateway.setBundleIDs([Self.foreign], ofTeam: "OTHERTEAM1")
            let app = GatewayKey.Scope.topics([bundleID])
            let both = GatewayKey.Scope.topics([bundleID, Self.second])
            let generated: [Name: GeneratedKey] = [
                .team: gateway.generateKey(id: "TEAM", team: team),
                .secondOfTeam: gateway.generateKey(id: "SECOND", team: team),
                .development: gateway.generateKey(id: "DEVELOPMENT", team: team, environments: [.development]),
                .production: gateway.generateKey(id: "PRODUCTION", team: team, environments: [.production]),
                .topic: gateway.generateKey(id: "TOPIC", team: team, scope: app),
                .related: gateway.generateKey(id: "RELATED", team: team, scope: both, relatedTo: "TOPIC"),
                .unrelated: gateway.generateKey(id: "UNRELATED", team: team, scope: both),
                .developmentTopic: gateway.generateKey(
                    id: "DEVTOPIC",
                    team: team,
                    environments: [.development],
                    scope: app
                ),
                .revoked: gateway.generateKey(id: "REVOKED", team: team),
                .otherTeam: gateway.generateKey(id: "OTHER", team: "OTHERTEAM1"),
            ]
            let world = world
            bearers = try generated.mapValues { try world.bearer($0) }
            try gateway.revoke("REVOKED")
        }

        /// Pushes with the provider token of a key.
        func push(_ name: Name, to topic: String, on connection: ProviderConnection) throws -> APNSAnswer {
            let bearer = try #require(bearers[name])
            let token = world.gateway.issueToken(topic: topic, environment: connection.environment)
            let fields: [String: String?] = ["authorization": bearer, "apns-topic": topic]
            return world.gateway.respond(to: world.request(to: token, fields), on: connection)
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        /// The key of the connection's first push; nil if the judged push is the first.
        var first: Keys.Name?
        var name: Keys.Name
        var topic = bundleID
        var environment = APNSEnvironment.production
        /// Nil if the push is accepted.
        var reason: APNSReason?

        var testDescription: String {
            let before = first.map { " after \($0)" } ?? ""
            return "\(name)\(before), \(topic), \(environment): \(reason?.rawValue ?? "accepted")"
        }

        init(
            _ name: Keys.Name,
            after first: Keys.Name? = nil,
            to topic: String = bundleID,
            in environment: APNSEnvironment = .production,
            _ reason: APNSReason? = nil
        ) {
            self.first = first
            self.name = name
            self.topic = topic
            self.environment = environment
            self.reason = reason
        }
    }

    static let ofEnvironments: [Row] = [
        Row(.team), Row(.team, in: .development), Row(.production), Row(.development, in: .development),
        Row(.developmentTopic, in: .development),
        Row(.production, in: .development, .badEnvironmentKeyInToken),
        Row(.development, .badEnvironmentKeyInToken),
        Row(.developmentTopic, .badEnvironmentKeyInToken),
        // The environment is judged before the connection.
        Row(.development, after: .production, .badEnvironmentKeyInToken),
    ]

    static let ofTopics: [Row] = [
        Row(.team, to: Keys.second), Row(.topic), Row(.related, to: Keys.second),
        Row(.topic, to: Keys.second, .topicDisallowed),
        Row(.team, to: Keys.foreign, .topicDisallowed),
        Row(.otherTeam, .topicDisallowed),
        // Tokens of both keys of a pair may be used; each is for its own topics.
        Row(.topic, after: .related, to: Keys.second, .topicDisallowed),
    ]

    static let ofConnections: [Row] = [
        Row(.secondOfTeam, after: .team), Row(.production, after: .team), Row(.team, after: .production),
        Row(.related, after: .topic), Row(.topic, after: .related), Row(.related, after: .topic, to: Keys.second),
        Row(.topic, after: .topic), Row(.unrelated, after: .unrelated, to: Keys.second),
        Row(.unrelated, after: .topic, .unrelatedKeyIdInToken),
        Row(.unrelated, after: .related, .unrelatedKeyIdInToken),
        Row(.topic, after: .unrelated, .unrelatedKeyIdInToken),
        Row(.topic, after: .team, .unrelatedKeyIdInToken),
        Row(.team, after: .topic, .unrelatedKeyIdInToken),
        Row(.developmentTopic, after: .topic, in: .development, .unrelatedKeyIdInToken),
        Row(.otherTeam, after: .team, to: Keys.foreign, .invalidProviderToken),
        Row(.team, after: .otherTeam, .invalidProviderToken),
        Row(.revoked, .forbidden), Row(.revoked, after: .team, .forbidden),
    ]

    @Test("Each key", arguments: ofEnvironments + ofTopics + ofConnections)
    func judges(_ row: Row) throws {
        let keys = try Keys()
        let connection = ProviderConnection(environment: row.environment)
        if let first = row.first {
            let topic = first == .otherTeam ? Keys.foreign : bundleID
            #expect(try keys.push(first, to: topic, on: connection).status == 200)
        }
        let answer = try keys.push(row.name, to: row.topic, on: connection)
        #expect(answer.reason == row.reason?.rawValue)
        #expect(answer.status == row.reason?.status ?? 200)
        guard let first = row.first else { return }
        // A refused push does not change what the connection belongs to.
        let topic = first == .otherTeam ? Keys.foreign : bundleID
        #expect(try keys.push(first, to: topic, on: connection).status == 200)
    }

    @Test("A key with a refused token does not bind the connection")
    func refusedFirst() throws {
        let keys = try Keys()
        let connection = ProviderConnection(environment: .production)
        #expect(try keys.push(.development, to: bundleID, on: connection).status == 403)
        #expect(try keys.push(.revoked, to: bundleID, on: connection).status == 403)
        #expect(try keys.push(.topic, to: bundleID, on: connection).status == 200)
        #expect(try keys.push(.team, to: bundleID, on: connection).reason == "UnrelatedKeyIdInToken")
    }

    @Test("A key made later may follow on a connection that its related key has opened")
    func relatedLater() throws {
        let keys = try Keys()
        let connection = ProviderConnection(environment: .production)
        #expect(try keys.push(.unrelated, to: bundleID, on: connection).status == 200)
        var order = KeyOrder(teamID: team)
        order.scope = .topics([bundleID])
        order.relatedTo = "UNRELATED"
        let made = try keys.world.gateway.makeKey(order)
        let key = GeneratedKey(id: made.key.id, teamID: team, p8: try #require(made.p8))
        let token = keys.world.gateway.issueToken(topic: bundleID, environment: .production)
        let request = keys.world.request(to: token, ["authorization": try keys.world.bearer(key)])
        #expect(keys.world.gateway.respond(to: request, on: connection).status == 200)
    }
}
