import APNSProvider
import APNSTransport
import AppleDeveloper
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import APNSGateway

@Suite("Broadcast channels", .suiteLimit)
struct ChannelTests {
    private let connection = ProviderConnection(environment: .development)

    private static let newest = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
    private static let nothing = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#

    private static func management(
        _ method: String,
        _ world: World,
        _ channel: String? = nil,
        place: String = "channels",
        body: String = ""
    ) -> APNSRequest {
        var headers = [(name: "authorization", value: world.bearer)]
        if let channel { headers.append((name: "apns-channel-id", value: channel)) }
        let path = "/1/apps/\(bundleID)/\(place)"
        return APNSRequest(method: method, path: path, headers: headers, body: Array(body.utf8))
    }

    private static func message(_ world: World, to channel: String, expiration: Int? = 0) -> APNSRequest {
        var headers = [
            (name: "authorization", value: world.bearer), (name: "apns-channel-id", value: channel),
            (name: "apns-push-type", value: "liveactivity"),
        ]
        if let expiration { headers.append((name: "apns-expiration", value: String(expiration))) }
        let path = "/4/broadcasts/apps/\(bundleID)"
        return APNSRequest(method: "POST", path: path, headers: headers, body: Array("{}".utf8))
    }

    private static func create(_ world: World, _ body: String) throws -> String {
        let request = management("POST", world, body: body)
        let answer = world.gateway.manage(request, on: ProviderConnection(environment: .development))
        #expect(answer.status == 201)
        #expect(answer.body.isEmpty)
        return try #require(answer.header("apns-channel-id"))
    }

    // MARK: - Managing

    @Test("A channel is made, read, listed and deleted, and belongs to one environment")
    func life() throws {
        let world = try World()
        let channel = try Self.create(world, Self.newest)
        let second = try Self.create(world, Self.nothing)
        func manage(_ request: APNSRequest, _ connection: ProviderConnection? = nil) -> APNSAnswer {
            world.gateway.manage(request, on: connection ?? self.connection)
        }
        let read = manage(Self.management("GET", world, channel))
        #expect(read.status == 200)
        #expect(try JSONValue(parsing: read.body) == JSONValue(parsing: Self.newest))
        let list = manage(Self.management("GET", world, place: "all-channels"))
        #expect(try JSONValue(parsing: list.body) == ["channels": [.string(channel), .string(second)]])
        let production = ProviderConnection(environment: .production)
        #expect(manage(Self.management("GET", world, channel), production).reason == "ChannelNotRegistered")
        let deleted = manage(Self.management("DELETE", world, channel))
        #expect(deleted.status == 204)
        #expect(deleted.body.isEmpty)
        #expect(manage(Self.management("DELETE", world, channel)).reason == "ChannelNotRegistered")
        #expect(world.gateway.channels(ofApp: bundleID, .development) == [second])
    }

    @Test("apns-request-id comes back octet for octet, or is made up")
    func requestID() throws {
        let world = try World()
        let channel = try Self.create(world, Self.nothing)
        let id = "ABCDEF00-1111-2222-3333-44445555AbCd"
        var request = Self.message(world, to: channel)
        request.headers.append((name: "apns-request-id", value: id))
        let answer = world.gateway.respond(to: request, on: connection)
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.header("apns-request-id") == id)
        #expect(answer.header("apns-unique-id") != nil)
        let other = world.gateway.manage(Self.management("GET", world, "AAAA"), on: connection)
        #expect(UUID(uuidString: other.header("apns-request-id") ?? "") != nil)
        #expect(other.header("content-type") == "application/json")
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var status: Int
        var reason: String
        var why: String
        var prepare: @Sendable (inout APNSRequest, World) throws -> Void
        var testDescription: String { "\(status) \(reason): \(why)" }

        init(
            _ status: Int,
            _ reason: String,
            _ why: String,
            _ prepare: @escaping @Sendable (inout APNSRequest, World) throws -> Void
        ) {
            self.status = status
            self.reason = reason
            self.why = why
            self.prepare = prepare
        }

        /// With a field set, or taken out.
        init(_ status: Int, _ reason: String, _ why: String, _ name: String, _ value: String?) {
            self.init(status, reason, why) { request, _ in
                request.headers.removeAll { $0.name == name }
                if let value { request.headers.append((name: name, value: value)) }
            }
        }
    }

    private static func narrow(_ request: inout APNSRequest, _ world: World) throws {
        let key = world.gateway.generateKey(id: "NARROW", team: team, scope: .topics(["com.example.second"]))
        request.headers[0].value = try world.bearer(key)
    }

    private static func body(_ text: String) -> @Sendable (inout APNSRequest, World) -> Void {
        { request, _ in
            request.method = "POST"
            request.body = Array(text.utf8)
            request.bodyBytes = text.utf8.count
        }
    }

    /// Rows for a GET of a channel that exists.
    static let managementRows: [Row] = [
        Row(400, "DuplicateHeaders", "two channels") { request, _ in
            request.headers.append((name: "apns-channel-id", value: "AAAA"))
        },
        Row(404, "BadPath", "another place") { request, _ in request.path += "/more" },
        Row(405, "MethodNotAllowed", "PUT") { request, _ in request.method = "PUT" },
        Row(405, "MethodNotAllowed", "POST to the list") { request, _ in
            request.method = "POST"
            request.path = "/1/apps/\(bundleID)/all-channels"
        },
        Row(403, "MissingProviderToken", "no token", "authorization", nil),
        Row(403, "InvalidProviderToken", "nonsense", "authorization", "bearer nonsense"),
        Row(403, "ExpiredProviderToken", "an old token") { request, world in
            let key = world.gateway.generateKey(id: "OLD", team: team)
            request.headers[0].value = try world.bearer(key, age: 3601)
        },
        Row(403, "TopicMismatch", "the key is for another app", narrow),
        Row(400, "BadMessageId", "no UUID", "apns-request-id", "1234"),
        Row(400, "BadRequestParams", "no bundle id") { request, _ in request.path = "/1/apps/a%20b/channels" },
        Row(400, "MissingChannelId", "none", "apns-channel-id", nil),
        Row(400, "BadChannelId", "no base64", "apns-channel-id", "not base64!"),
        Row(400, "ChannelNotRegistered", "never made", "apns-channel-id", "AAAAAAAAAAAAAAAAAAAAAA=="),
        Row(400, "PayloadEmpty", "no body", body("")),
        Row(413, "PayloadTooLarge", "5121 octets", body(String(repeating: " ", count: 5121))),
        Row(400, "BadRequestPayload", "no JSON", body("nonsense")),
        Row(400, "MissingPushType", "none", body(#"{"message-storage-policy":0}"#)),
        Row(400, "InvalidPushType", "another", body(#"{"message-storage-policy":0,"push-type":"alert"}"#)),
        Row(400, "MissingChannelQueueSize", "none", body(#"{"push-type":"LiveActivity"}"#)),
        Row(400, "MissingChannelQueueSize", "two", body(#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#)),
        Row(503, "ServiceUnavailable", "trouble") { _, world in
            world.gateway.credentials.outage = .serviceUnavailable
        },
    ]

    /// Rows for a message to a channel that stores nothing.
    static let broadcastRows: [Row] = [
        Row(400, "DuplicateHeaders", "two channels") { request, _ in
            request.headers.append((name: "apns-channel-id", value: "AAAA"))
        },
        Row(404, "BadPath", "something behind the app") { request, _ in request.path += "/more" },
        Row(405, "MethodNotAllowed", "GET") { request, _ in request.method = "GET" },
        Row(403, "MissingProviderToken", "no token", "authorization", nil),
        Row(400, "TopicDisallowed", "the key is for another app", narrow),
        Row(400, "BadMessageId", "no UUID", "apns-request-id", "1234"),
        Row(400, "BadRequestParams", "no bundle id") { request, _ in request.path = "/4/broadcasts/apps/" },
        Row(400, "MissingChannelId", "none", "apns-channel-id", nil),
        Row(400, "BadChannelId", "no base64", "apns-channel-id", "not base64!"),
        Row(400, "ChannelNotRegistered", "never made", "apns-channel-id", "AAAAAAAAAAAAAAAAAAAAAA=="),
        Row(400, "MissingPushType", "none", "apns-push-type", nil),
        Row(400, "InvalidPushType", "another", "apns-push-type", "alert"),
        Row(400, "BadPriority", "seven", "apns-priority", "7"),
        Row(400, "BadExpirationDate", "words", "apns-expiration", "tomorrow"),
        Row(400, "BadExpirationDate", "a date where nothing is stored", "apns-expiration", "1800000000"),
        Row(400, "PayloadEmpty", "no body", body("")),
        Row(413, "PayloadTooLarge", "5121 octets", body(String(repeating: " ", count: 5121))),
        Row(503, "Shutdown", "trouble") { _, world in world.gateway.credentials.outage = .shutdown },
    ]

    @Test("Each reason of managing", arguments: managementRows)
    func refusesManagement(_ row: Row) throws {
        let world = try World()
        var request = Self.management("GET", world, try Self.create(world, Self.nothing))
        try row.prepare(&request, world)
        let answer = world.gateway.manage(request, on: connection)
        #expect(answer.status == row.status)
        #expect(answer.reason == row.reason)
    }

    @Test("Each reason of sending", arguments: broadcastRows)
    func refusesMessage(_ row: Row) throws {
        let world = try World()
        var request = Self.message(world, to: try Self.create(world, Self.nothing))
        try row.prepare(&request, world)
        let answer = world.gateway.respond(to: request, on: connection)
        #expect(answer.status == row.status)
        #expect(answer.reason == row.reason)
    }

    @Test("An app has 10,000 channels in each environment and no more")
    func limit() throws {
        let world = try World()
        let request = Self.management("POST", world, body: Self.nothing)
        for _ in 0..<10_000 { #expect(world.gateway.manage(request, on: connection).status == 201) }
        #expect(world.gateway.manage(request, on: connection).reason == "CannotCreateChannelConfig")
        let production = ProviderConnection(environment: .production)
        #expect(world.gateway.manage(request, on: production).status == 201)
    }

    // MARK: - Storing

    @Test("A channel keeps the newest message until its date, eight hours at most")
    func keeps() async throws {
        let world = try World()
        let keeper = Task { await world.gateway.runExpirations() }
        defer { keeper.cancel() }
        let channel = try Self.create(world, Self.newest)
        let ids = (0..<2).map { _ in UUID().uuidString.lowercased() }
        for id in ids {
            let date = Int(world.clock.date.timeIntervalSince1970) + 24 * 3600
            var request = Self.message(world, to: channel, expiration: date)
            request.headers.append((name: "apns-request-id", value: id))
            #expect(world.gateway.respond(to: request, on: connection).status == 200)
        }
        func kept() -> APNSID? { world.gateway.storedBroadcast(inChannel: channel, ofApp: bundleID, .development)?.id }
        #expect(kept()?.text == ids[1])
        #expect(world.sink.kinds(of: ids[0]) == [.stored, .coalesced])
        try await world.clock.sleeper()
        await world.clock.advance(by: .seconds(8 * 3600 - 1))
        #expect(kept()?.text == ids[1])
        await world.clock.advance(by: .seconds(1))
        #expect(kept() == nil)
        try await eventually("the journey ends in expired") { world.sink.kinds(of: ids[1]) == [.stored, .expired] }
    }

    @Test("A message without a date, or to a channel that stores nothing, is over at once", arguments: [true, false])
    func keepsNothing(_ isStoring: Bool) throws {
        let world = try World()
        let channel = try Self.create(world, isStoring ? Self.newest : Self.nothing)
        let id = UUID().uuidString.lowercased()
        var request = Self.message(world, to: channel, expiration: isStoring ? nil : 0)
        request.headers.append((name: "apns-request-id", value: id))
        #expect(world.gateway.respond(to: request, on: connection).status == 200)
        #expect(world.gateway.storedBroadcast(inChannel: channel, ofApp: bundleID, .development) == nil)
        #expect(world.sink.kinds(of: id) == [.expired])
    }

    @Test("A certificate of the app manages channels and sends to them")
    func certificate() throws {
        let world = try World()
        let connection = ProviderConnection(environment: .development) { CertificateOrder().facts }
        let other = ProviderConnection(environment: .development) { CertificateOrder(userID: "com.other").facts }
        let channel = try Self.create(world, Self.nothing)
        #expect(world.gateway.manage(Self.management("GET", world, channel), on: connection).status == 200)
        #expect(world.gateway.manage(Self.management("GET", world, channel), on: other).reason == "TopicMismatch")
        #expect(world.gateway.respond(to: Self.message(world, to: channel), on: connection).status == 200)
        #expect(world.gateway.respond(to: Self.message(world, to: channel), on: other).reason == "TopicDisallowed")
    }

    // MARK: - Over sockets

    @Test(
        "The provider's client makes, reads, lists, deletes and sends, in both environments",
        arguments: [false, true]
    )
    func client(_ hasCertificate: Bool) async throws {
        try await withTemporaryPath { folder in
            let world = try World()
            let authority = try GatewayAuthority(folder: folder)
            let server = try await GatewayServer.start(
                world.gateway,
                authority: authority,
                configuration: GatewayServer.Configuration { $0.managementPorts = [.development: 0, .production: 0] }
            )
            let identity = try CertificateMaker(folder: folder).make(CertificateOrder())
            let certificate = try APNSCertificate(pem: identity.certificate, key: identity.key)
            let trust = APNSEndpoint.Trust.file(try #require(authority.path))
            func endpoint(_ port: Int?) throws -> APNSEndpoint {
                APNSEndpoint(host: "localhost", port: try #require(port), trust: trust)
            }
            for environment in APNSEnvironment.allCases {
                let channels = APNSChannels(
                    app: bundleID,
                    credential: hasCertificate ? .certificate(certificate) : .key(world.key),
                    endpoints: APNSChannels.Endpoints(
                        management: try endpoint(server.managementPort(for: environment)),
                        broadcast: try endpoint(server.port(for: environment))
                    ),
                    clock: world.clock
                )
                let channel = try await channels.create(.mostRecentMessageStored)
                #expect(try await channels.configuration(of: channel).messageStoragePolicy == .mostRecentMessageStored)
                #expect(try await channels.list() == [channel])
                let end = world.clock.date.addingTimeInterval(3600)
                let push = APNSBroadcast(to: channel, payload: Array(#"{"aps":{}}"#.utf8), expiration: .at(end))
                try await channels.send(push)
                let kept = world.gateway.storedBroadcast(inChannel: channel.rawValue, ofApp: bundleID, environment)
                #expect(kept?.payload == push.payload)
                #expect(kept?.id.text == push.requestID.uuidString.lowercased())
                try await channels.delete(channel)
                await #expect(throws: (any Error).self) { try await channels.send(push) }
                do throws(APNSChannelError) {
                    try await channels.delete(channel)
                    Issue.record("A channel was deleted twice.")
                } catch {
                    guard case .refused(400, .channelNotRegistered, _?) = error else {
                        Issue.record("\(error)")
                        return
                    }
                }
                await channels.shutdown()
            }
            await server.close()
        }
    }
}
