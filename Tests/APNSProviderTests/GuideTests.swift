import APNSProvider
import APNSTransport
import Foundation
import PushModel
import TestSupport
import Testing

/// The code of the guides, block for block; ``GuideTests`` compares them.
private enum Guide {
    static func overview(key: APNSSigningKey, push: APNSPush) async {
        let client = APNSClient(credential: .key(key), endpoint: .apple(.production))
        let outcome = await client.send(push)
        _ = outcome
    }

    static func client(text: String) throws -> APNSClient {
        let key = try APNSSigningKey(p8: text, keyID: "ABC123DEFG", teamID: "TEAM123456")
        let client = APNSClient(credential: .key(key), endpoint: .apple(.development))
        return client
    }

    static func gateway() -> APNSEndpoint {
        let endpoint = APNSEndpoint(host: "localhost", port: 2197, trust: .file("posthorn-gateway/ca.pem"))
        return endpoint
    }

    static func push(digits: String, then use: (APNSPush) async -> Void) async throws {
        guard let token = DeviceToken(digits) else { return }
        let push = try APNSPush(
            APNSPayload(
                APS(alert: APSAlert(title: "Lunch", body: "It is ready."), badge: 1, sound: .default),
                custom: ["table": 7]
            ),
            to: token,
            app: "com.example.app"
        )
        await use(push)
    }

    static func send(_ push: APNSPush, by client: APNSClient, print: (Any) -> Void) async {
        switch await client.send(push) {
        case .accepted:
            print("APNs has it. It is delivered when the device can be reached.")
        case .refused(status: 410, _, let deadSince):
            print("Forget this token, unless it was registered again after \(String(describing: deadSince)).")
        case .refused(let status, let reason, _):
            print("APNs answered \(status) \(reason).")
        case .failed(let why):
            print("No answer: \(why)")
        }
        if let problem = push.problem { print(problem) }
        await client.shutdown()
    }

    static func explain(_ reason: APNSReason, _ push: APNSPush) {
        print(reason.advice.meaning, reason.advice.remedy)
        for caution in push.cautions { print(caution) }
    }

    static func batch(
        to tokens: [DeviceToken],
        until tonight: Date,
        by client: APNSClient,
        print: @escaping @Sendable (String) -> Void
    ) async throws {
        var batch = APNSBatch(topic: "com.example.app", priority: .immediately, expiration: .at(tonight))
        batch.add(tokens, payload: try APNSPayload(APS(alert: "Lunch is ready")).bytes())
        await client.send(batch) { results in
            for result in results where result.outcome != .accepted { print(tokens[result.index].abbreviation) }
        }
    }

    static func template(for devices: [(DeviceToken, Int)]) throws -> APNSBatch {
        let template = try APNSPayloadTemplate(APNSPayload(APS(alert: "Lunch is ready", sound: .default)))
        var batch = APNSBatch(topic: "com.example.app")
        for (token, unread) in devices { batch.add(token, template, badge: unread) }
        return batch
    }

    struct MatchState: Encodable {
        var home: Int
        var guests: Int
    }

    static func liveActivity(to token: DeviceToken, at now: Date, until later: Date) throws -> APNSPush {
        let state = try JSONValue(encoding: MatchState(home: 2, guests: 1))
        let update = APSLiveActivity(.update, timestamp: now, contentState: state, staleDate: later)
        let push = try APNSPush(
            APNSPayload(APS(liveActivity: update)),
            to: token,
            app: "com.example.app",
            pushType: .liveactivity,
            priority: .consideringPower
        )
        return push
    }

    static func channel(key: APNSSigningKey, state: JSONValue, now: Date, finalWhistle: Date) async throws {
        let channels = APNSChannels(app: "com.example.app", credential: .key(key), endpoints: .apple(.production))
        let match = try await channels.create(.mostRecentMessageStored)
        let goal = APSLiveActivity(.update, timestamp: now, contentState: state)
        try await channels.send(
            APNSBroadcast(APNSPayload(APS(liveActivity: goal)), to: match, expiration: .at(finalWhistle))
        )
        try await channels.delete(match)
        await channels.shutdown()
    }

    static func certificate(bytes: [UInt8]) throws -> APNSClient {
        let certificate = try APNSCertificate(p12: bytes, passPhrase: "secret")
        print(certificate.topics, certificate.environments)
        if let warning = certificate.warning(at: Date()) { print(warning) }
        let client = APNSClient(credential: .certificate(certificate), endpoint: .apple(.production))
        return client
    }

    static func certificate(chain: String, privateKey: String) throws -> APNSCertificate {
        let certificate = try APNSCertificate(pem: chain, key: privateKey)
        return certificate
    }

    static func teams(_ keys: [String: APNSSigningKey]) -> [String: APNSClient] {
        var clients: [String: APNSClient] = [:]
        for (team, key) in keys {
            clients[team] = APNSClient(credential: .key(key), endpoint: .apple(.production))
        }
        return clients
    }

    static func probe(_ push: APNSPush, with certificate: APNSCertificate) async throws {
        let probe = APNSProbe(credential: .certificate(certificate), endpoint: .apple(.development))
        let answer = try await probe.send(push)
        print(answer.status, answer.reason ?? "accepted", answer.uniqueID ?? "")
    }
}

@Suite("The guides")
struct GuideTests {
    @Test("Every piece of code in a guide is compiled here")
    func compiles() throws {
        let source = try lines(of: #filePath)
        let catalog = ProjectFolder.url.appending(path: "Sources/APNs/APNSProvider/APNSProvider.docc")
        let pages = try FileManager.default.contentsOfDirectory(atPath: catalog.path).filter { $0.hasSuffix(".md") }
        var blocks = 0
        for page in pages {
            let text = try lines(of: catalog.appending(path: page).path)
            for block in Self.code(in: text) {
                blocks += 1
                let isHere = source.contains(block)
                #expect(isHere, "\(page): \(block.joined(separator: "\n"))")
            }
        }
        #expect(blocks >= 16)
    }

    @Test("The push of the first guide arrives as it is written")
    func firstPush() async throws {
        let digits = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
        try await TestServer.with { server in
            let client = try Example.client(for: server)
            var printed: [String] = []
            try await Guide.push(digits: digits) { push in
                await Guide.send(push, by: client) { printed.append("\($0)") }
            }
            #expect(printed == ["APNs has it. It is delivered when the device can be reached."])
            let request = try #require(server.received.first)
            #expect(request.path == "/3/device/" + digits)
            #expect(request.header("apns-push-type") == "alert")
            let json =
                #"{"aps":{"alert":{"title":"Lunch","body":"It is ready."},"sound":"default","badge":1},"table":7}"#
            #expect(request.body == json)
        }
    }

    @Test("The batch of the second guide reaches everybody; who could not be reached is named")
    func manyDevices() async throws {
        let tokens = (0..<3).map { DeviceToken(bytes: Array(repeating: UInt8($0), count: 32)) }
        try await TestServer.with(answering: { request in
            let isDead = request.path.hasPrefix("/3/device/01")
            let body = isDead ? Array(#"{"reason":"Unregistered"}"#.utf8) : []
            return APNSAnswer(status: isDead ? 410 : 200, headers: [], body: body)
        }) { server in
            let client = try Example.client(for: server)
            try await confirmation { confirmation in
                let tonight = Date(timeIntervalSince1970: 1_750_000_000)
                try await Guide.batch(to: tokens, until: tonight, by: client) { text in
                    #expect(text == "01010101")
                    confirmation()
                }
            }
            #expect(try Guide.template(for: tokens.map { ($0, 3) }).count == 3)
            await client.shutdown()
            #expect(server.received.allSatisfy { $0.header("apns-expiration") == "1750000000" })
        }
    }

    private func lines(of path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The lines between ```` ```swift ```` and the end of the block.
    private static func code(in lines: [String]) -> [[String]] {
        var blocks: [[String]] = []
        var rest = lines[...]
        while let start = rest.firstIndex(of: "```swift") {
            rest = rest[(start + 1)...]
            let block = rest.prefix { $0 != "```" }
            blocks.append(Array(block))
            rest = rest[block.endIndex...]
        }
        return blocks
    }
}
