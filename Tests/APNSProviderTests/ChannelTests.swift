import APNSProvider
import APNSTransport
import Foundation
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("Broadcast channels", .suiteLimit)
struct ChannelTests {
    private static let requestID = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"
    private static let uuid = UUID(uuidString: requestID) ?? UUID()
    private static let channel: APNSChannelID = "dHN0LXNyY2gtY2hubA=="

    private func withChannels<Result: Sendable>(
        clock: any CivilClock = SystemClock(),
        answering script: @escaping TestServer.Script,
        _ body: (APNSChannels, TestServer) async throws -> Result
    ) async throws -> Result {
        try await TestServer.with(answering: script) { server in
            let channels = APNSChannels(
                app: Example.bundleID,
                credential: .key(try Example.key()),
                endpoints: .init(management: server.endpoint, broadcast: server.endpoint),
                clock: clock
            )
            let result = try await body(channels, server)
            await channels.shutdown()
            return result
        }
    }

    /// The headers that arrived, without the authorization, as lines.
    private func wire(_ request: TestServer.Received) -> [String] {
        #expect(request.header("authorization")?.hasPrefix("bearer ey") == true)
        let headers = request.headers.filter { $0.name != "authorization" }.map { "\($0.name): \($0.value)" }
        return ["\(request.method) \(request.path)"] + headers + (request.body.isEmpty ? [] : [request.body])
    }

    @Test("A channel is made, with what it stores", arguments: APNSMessageStoragePolicy.allCases)
    func create(_ policy: APNSMessageStoragePolicy) async throws {
        let answer = APNSAnswer(status: 201, headers: [(name: "apns-channel-id", value: Self.channel.rawValue)])
        try await withChannels { _ in
            answer
        } _: { channels, server in
            let created = try await channels.create(policy, requestID: Self.uuid)
            #expect(created == Self.channel)
            #expect(
                server.received.map(wire) == [
                    [
                        "POST /1/apps/com.example.app/channels", "apns-request-id: \(Self.requestID)",
                        #"{"message-storage-policy":\#(policy.rawValue),"push-type":"LiveActivity"}"#,
                    ]
                ]
            )
        }
    }

    @Test("A channel is read")
    func read() async throws {
        let body = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
        try await withChannels { _ in
            APNSAnswer(status: 200, headers: [], body: Array(body.utf8))
        } _: { channels, server in
            let configuration = try await channels.configuration(of: Self.channel, requestID: Self.uuid)
            #expect(configuration == APNSChannelConfiguration(messageStoragePolicy: .mostRecentMessageStored))
            #expect(
                server.received.map(wire) == [
                    [
                        "GET /1/apps/com.example.app/channels", "apns-request-id: \(Self.requestID)",
                        "apns-channel-id: \(Self.channel)",
                    ]
                ]
            )
        }
    }

    @Test("A channel is deleted")
    func delete() async throws {
        try await withChannels { _ in
            APNSAnswer(status: 204, headers: [])
        } _: { channels, server in
            try await channels.delete(Self.channel, requestID: Self.uuid)
            #expect(
                server.received.map(wire) == [
                    [
                        "DELETE /1/apps/com.example.app/channels", "apns-request-id: \(Self.requestID)",
                        "apns-channel-id: \(Self.channel)",
                    ]
                ]
            )
        }
    }

    @Test("All channels are listed")
    func list() async throws {
        try await withChannels { _ in
            APNSAnswer(status: 200, headers: [], body: Array(#"{"channels":["YQ==","Yg=="]}"#.utf8))
        } _: { channels, server in
            let listed = try await channels.list(requestID: Self.uuid)
            #expect(listed == ["YQ==", "Yg=="])
            #expect(
                server.received.map(wire) == [
                    ["GET /1/apps/com.example.app/all-channels", "apns-request-id: \(Self.requestID)"]
                ]
            )
        }
    }

    @Test("A push to a channel names it, and no topic")
    func send() async throws {
        try await withChannels { _ in
            APNSAnswer(status: 200, headers: [(name: "apns-request-id", value: Self.requestID)])
        } _: { channels, server in
            let moment = Date(timeIntervalSince1970: 1_750_000_000)
            let update = APSLiveActivity(.update, timestamp: moment, contentState: ["score": "2:1"])
            let push = try APNSBroadcast(
                APNSPayload(APS(liveActivity: update)),
                to: Self.channel,
                expiration: .at(moment + 3600),
                priority: .consideringPower,
                requestID: Self.uuid
            )
            try await channels.send(push)
            let plain = APNSBroadcast(to: Self.channel, payload: Array("{}".utf8), requestID: Self.uuid)
            try await channels.send(plain)
            #expect(
                server.received.map(wire) == [
                    [
                        "POST /4/broadcasts/apps/com.example.app", "apns-channel-id: \(Self.channel)",
                        "apns-push-type: liveactivity", "apns-expiration: 1750003600", "apns-priority: 5",
                        "apns-request-id: \(Self.requestID)",
                        #"{"aps":{"timestamp":1750000000,"event":"update","content-state":{"score":"2:1"}}}"#,
                    ],
                    [
                        "POST /4/broadcasts/apps/com.example.app", "apns-channel-id: \(Self.channel)",
                        "apns-push-type: liveactivity", "apns-expiration: 0",
                        "apns-request-id: \(Self.requestID)", "{}",
                    ],
                ]
            )
        }
    }

    @Test("A refusal carries status, reason and the id of the request")
    func refused() async throws {
        try await withChannels { _ in
            APNSAnswer(
                status: 400,
                headers: [(name: "apns-request-id", value: Self.requestID)],
                body: Array(#"{"reason":"ChannelNotRegistered"}"#.utf8)
            )
        } _: { channels, _ in
            let error = await #expect(throws: APNSChannelError.self) { try await channels.delete(Self.channel) }
            #expect(error == .refused(status: 400, .channelNotRegistered, requestID: Self.requestID))
            #expect(error?.description == "APNs answered 400 ChannelNotRegistered to request \(Self.requestID).")
        }
    }

    @Test(
        "A reason that only channels have says what to do",
        arguments: [
            APNSReason.featureNotEnabled, .missingChannelId, .badChannelId, .channelNotRegistered, .badRequestParams,
            .badRequestPayload, .missingPushType, .cannotCreateChannelConfig, .topicMismatch,
        ]
    )
    func advises(_ reason: APNSReason) {
        let unknown: APNSAdvice = APNSReason(rawValue: "TooFunny").advice
        #expect(reason.advice.action == .reportProblem)
        #expect(reason.advice.meaning != unknown.meaning)
        #expect(reason.advice.remedy != unknown.remedy)
        #expect(reason.status == (reason == .topicMismatch ? 403 : 400))
    }

    @Test("An answer that is not understood is an error with its text, never an empty list")
    func nonsense() async throws {
        try await withChannels { request in
            APNSAnswer(status: request.method == "POST" ? 201 : 200, headers: [], body: Array("<html>".utf8))
        } _: { channels, _ in
            let text = APNSChannelError.failed("APNs answered 200 with '<html>', which is not understood.")
            await #expect(throws: text) { try await channels.list() }
            await #expect(throws: text) { try await channels.configuration(of: Self.channel) }
            let nameless = APNSChannelError.failed(
                "APNs has created a channel without reporting its id: there is no 'apns-channel-id'."
            )
            await #expect(throws: nameless) { try await channels.create(.noMessageStored) }
        }
    }

    @Test("A request that APNs would refuse is not sent")
    func problems() async throws {
        try await withChannels { _ in
            APNSAnswer(status: 200, headers: [])
        } _: { channels, server in
            func reason(_ push: APNSBroadcast) async -> APNSReason? {
                let error = await #expect(throws: APNSChannelError.self) { try await channels.send(push) }
                if case .problem(let problem) = error { return problem.reason }
                return nil
            }
            let payload = Array("{}".utf8)
            #expect(await reason(APNSBroadcast(to: "", payload: payload)) == .missingChannelId)
            #expect(await reason(APNSBroadcast(to: "a\r\nb", payload: payload)) == .badChannelId)
            #expect(await reason(APNSBroadcast(to: "YQ==", payload: [])) == .payloadEmpty)
            let large = Array(repeating: UInt8(32), count: 5121)
            #expect(await reason(APNSBroadcast(to: "YQ==", payload: large)) == .payloadTooLarge)
            #expect(await reason(APNSBroadcast(to: "YQ==", payload: payload, priority: 2)) == .badPriority)
            #expect(APNSBroadcast(to: "YQ==", payload: Array(large.dropLast())).problem == nil)
            let long = APNSPayload(custom: ["a": .string(String(repeating: "x", count: 5120))])
            let problem = #expect(throws: APNSPayloadProblem.self) { try APNSBroadcast(long, to: "YQ==") }
            #expect(
                problem?.description == "'payload' is 5128 bytes long; expected at most 5120 for a broadcast."
            )
            #expect(server.received.isEmpty)
        }
    }

    @Test("One connection serves all requests of a kind, and both share no connection")
    func connections() async throws {
        try await withChannels { request in
            let body = request.method == "GET" ? #"{"channels":[]}"# : ""
            return APNSAnswer(status: 200, headers: [], body: Array(body.utf8))
        } _: { channels, server in
            for _ in 0..<3 {
                #expect(try await channels.list() == [])
                try await channels.send(APNSBroadcast(to: "YQ==", payload: Array("{}".utf8)))
            }
            #expect(server.received.map(\.connection) == [1, 2, 1, 2, 1, 2])
        }
    }

    @Test("A silent server ends a request in time; what does no harm is asked once more, the rest is not")
    func silence() async throws {
        let clock = VirtualClock()
        try await TestServer.with(answering: { _ in nil }) { server in
            let channels = APNSChannels(
                app: Example.bundleID,
                credential: .key(try Example.key()),
                endpoints: .init(management: server.endpoint, broadcast: server.endpoint),
                clock: clock
            )
            func failure(_ body: @escaping @Sendable () async throws -> Void) async -> String? {
                await withTaskGroup(of: String?.self) { group in
                    group.addTask {
                        do { try await body() } catch { return "\(error)" }
                        return nil
                    }
                    group.addTask {
                        // Time passes once the server has the request, and once for each.
                        var seen = server.received.count
                        while !Task.isCancelled {
                            try? await eventually("the server has the next request") { server.received.count > seen }
                            try? await clock.sleeper()
                            guard !Task.isCancelled else { break }
                            seen += 1
                            await clock.advanceToNextDeadline()
                        }
                        return nil
                    }
                    let text = await group.next()
                    group.cancelAll()
                    return text ?? nil
                }
            }
            let text = "No answer from localhost:\(server.endpoint.port): no answer within 30.0 seconds."
            let start = clock.now
            #expect(await failure { _ = try await channels.list() } == text)
            #expect(server.received.count == 2)
            #expect(start.duration(to: clock.now) == .seconds(60), "Thirty seconds for each of the two requests.")
            #expect(await failure { _ = try await channels.create(.noMessageStored) } == text)
            #expect(server.received.count == 3)
            #expect(start.duration(to: clock.now) == .seconds(90))
            let push = APNSBroadcast(to: "YQ==", payload: Array("{}".utf8))
            #expect(await failure { try await channels.send(push) } == text)
            #expect(server.received.count == 4)
            #expect(start.duration(to: clock.now) == .seconds(120))
            await channels.shutdown()
            #expect(await failure { _ = try await channels.list() } == "The client was shut down.")
        }
    }

    @Test("Apple's hosts and ports for management and for pushes")
    func endpoints() {
        let production = APNSChannels.Endpoints.apple(.production)
        #expect(production.management.host == "api-manage-broadcast.push.apple.com")
        #expect(production.management.port == 2196)
        #expect(production.broadcast.host == "api.push.apple.com")
        #expect(production.broadcast.port == 443)
        let development = APNSChannels.Endpoints.apple(.development)
        #expect(development.management.host == "api-manage-broadcast.sandbox.push.apple.com")
        #expect(development.management.port == 2195)
        #expect(development.broadcast.host == "api.sandbox.push.apple.com")
        #expect(development.broadcast.port == 443)
    }
}
