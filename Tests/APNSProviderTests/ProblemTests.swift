import APNSProvider
import Foundation
import PushModel
import TestSupport
import Testing

@Suite("A push that any APNs would refuse is refused before it is sent")
struct ProblemTests {
    private static func push(_ change: (inout APNSPush) -> Void) -> APNSPush {
        var push = APNSPush(
            id: "123e4567-e89b-12d3-a456-426614174000",
            token: DeviceToken(bytes: [1]),
            topic: Example.bundleID,
            payload: Array("{}".utf8)
        )
        change(&push)
        return push
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        var push: APNSPush
        var reason: APNSReason
        var sentence: String
        var testDescription: String { reason.rawValue }
    }

    static let wrong: [Wrong] = [
        Wrong(
            push: push { $0.token = DeviceToken(bytes: []) },
            reason: .missingDeviceToken,
            sentence: "The push has no device token; expected the bytes that the app was given, mostly 32."
        ),
        Wrong(
            push: push { $0.id = "123e4567e89b12d3a456426614174000" },
            reason: .badMessageId,
            sentence: "The apns-id is '123e4567e89b12d3a456426614174000'; "
                + "expected a UUID such as 123e4567-e89b-12d3-a456-426614174000."
        ),
        Wrong(
            push: push { $0.pushType = APNSPushType(rawValue: "Alert") },
            reason: .invalidPushType,
            sentence: "The push type is 'Alert'; expected 'alert': case matters."
        ),
        Wrong(
            push: push { $0.pushType = APNSPushType(rawValue: "live activity") },
            reason: .invalidPushType,
            sentence: "The push type is 'live activity'; expected one of alert, background, voip, complication, "
                + "fileprovider, location, liveactivity, pushtotalk, widgets, controls, accessory, nowplaying, mdm."
        ),
        Wrong(
            push: push { $0.topic = "com.example app" },
            reason: .badTopic,
            sentence: "The topic is 'com.example app'; expected a bundle id: letters, digits, '.', '-' and '_'."
        ),
        Wrong(
            push: push { $0.topic = "com.example.app\r\nx: y" },
            reason: .badTopic,
            sentence: "The topic is 'com.example.app\r\nx: y'; "
                + "expected a bundle id: letters, digits, '.', '-' and '_'."
        ),
        Wrong(
            push: push { $0.pushType = .liveactivity },
            reason: .badTopic,
            sentence: "The topic 'com.example.app' does not fit the push type 'liveactivity'; "
                + "expected the bundle id with '.push-type.liveactivity' at its end."
        ),
        Wrong(
            push: push { $0.priority = 7 },
            reason: .badPriority,
            sentence: "The priority is 7; expected one of 10, 5, 1 for 'alert'."
        ),
        Wrong(
            push: push {
                $0.pushType = .background
                $0.priority = .immediately
            },
            reason: .badPriority,
            sentence: "The priority is 10; expected one of 5, 1 for 'background'."
        ),
        Wrong(
            push: push { $0.collapseID = String(repeating: "ä", count: 33) },
            reason: .badCollapseId,
            sentence: "The collapse id has 66 bytes; 64 are allowed."
        ),
        Wrong(
            push: push { $0.collapseID = "a\u{0}b" },
            reason: .badCollapseId,
            sentence: "The collapse id has a control character; a header field cannot carry it."
        ),
        Wrong(
            push: push { $0.collapseID = " order 7" },
            reason: .badCollapseId,
            sentence: "The collapse id begins or ends with a space; a header field cannot carry it."
        ),
        Wrong(
            push: push { $0.payload = [] },
            reason: .payloadEmpty,
            sentence: "The payload is empty; expected a JSON object, '{}' at least."
        ),
        Wrong(
            push: push { $0.payload = Array(repeating: 32, count: 4097) },
            reason: .payloadTooLarge,
            sentence: "The payload has 4097 bytes; 4096 are allowed for 'alert'."
        ),
    ]

    @Test("With the reason that APNs has for it, and a sentence", arguments: wrong)
    func refuses(_ wrong: Wrong) async throws {
        let problem = try #require(wrong.push.problem)
        #expect(problem.reason == wrong.reason)
        #expect(problem.description == wrong.sentence)
        // Nothing listens there: what is refused is not sent.
        let client = try Example.client(endpoint: APNSEndpoint(host: "localhost", port: 1))
        let refused = APNSOutcome.refused(status: wrong.reason.status, wrong.reason, timestamp: nil)
        #expect(await client.send(wrong.push) == refused)
        await client.shutdown()
    }

    @Test(
        "A batch refuses what its pushes have in common, and one by one what they have not",
        arguments: [
            (APNSBatch(topic: "a b"), APNSReason.badTopic),
            (APNSBatch(topic: nil), .missingTopic),
            (APNSBatch(topic: "a", priority: 3), .badPriority),
            (APNSBatch(topic: "a", collapseID: String(repeating: "c", count: 65)), .badCollapseId),
        ]
    )
    func batches(_ batch: APNSBatch, _ reason: APNSReason) async throws {
        try await TestServer.with { server in
            let client = try Example.client(for: server)
            var batch = batch
            batch.add([DeviceToken(bytes: [1]), DeviceToken(bytes: [2])], payload: Array("{}".utf8))
            #expect(await client.outcomes(of: batch) == Array(repeating: .refused(reason), count: 2))
            var good = APNSBatch(topic: "a")
            good.add([DeviceToken(bytes: []), DeviceToken(bytes: [1])], payload: Array("{}".utf8))
            good.add(DeviceToken(bytes: [2]), payload: [])
            good.add(DeviceToken(bytes: [3]), payload: Array(repeating: 32, count: 4097))
            let expected: [APNSOutcome] = [
                .refused(.missingDeviceToken), .accepted, .refused(.payloadEmpty), .refused(.payloadTooLarge),
            ]
            #expect(await client.outcomes(of: good) == expected)
            await client.shutdown()
            #expect(server.received.map(\.path) == ["/3/device/01"])
        }
    }

    @Test("A valid push is sent: each known push type, and one that Apple may add", arguments: APNSPushType.known)
    func accepts(_ type: APNSPushType) throws {
        let push = try APNSPush(
            APNSPayload(APS(alert: "Hello")),
            to: DeviceToken(bytes: Array(repeating: 0xAB, count: 32)),
            app: Example.bundleID,
            pushType: type,
            expiration: .at(Date(timeIntervalSince1970: 1_750_000_000.5)),
            collapseID: String(repeating: "x", count: 64)
        )
        #expect(push.problem == nil)
        #expect(push.topic == Example.bundleID + (type.topicSuffix ?? "?"))
        #expect(push.priority == (type == .background ? 5 : nil))
        #expect(push.expiration == 1_750_000_000)
        #expect(push.id == push.id.lowercased())
        #expect(Self.push { $0.pushType = APNSPushType(rawValue: "hologram") }.problem == nil)
    }

    @Test("With a signing key a push needs a topic")
    func topicWithKey() throws {
        let credential = APNSCredential.key(try Example.key())
        let problem = credential.problem(with: Example.push(topic: nil))
        #expect(problem?.reason == .missingTopic)
        #expect(
            problem?.description
                == "The push has no topic; with a signing key it needs one, which is the app's bundle id."
        )
        #expect(credential.problem(with: Example.push()) == nil)
    }

    @Test(
        "With a certificate the topic has to be one of its own",
        .enabled(if: OpenSSL.isInstalled, "apt-get install openssl")
    )
    func topicWithCertificate() async throws {
        try await withTemporaryPath { folder in
            let openssl = OpenSSL(folder: folder)
            try openssl.makeCertificate()
            let certificate = try APNSCertificate(
                pem: try openssl.text("client.pem"),
                key: try openssl.text("client.key")
            )
            let credential = APNSCredential.certificate(certificate)
            let missing = credential.problem(with: Example.push(topic: nil))
            #expect(
                missing?.description
                    == "The push has no topic, and the certificate is for several; "
                    + "expected one of com.example.app, com.example.app.voip."
            )
            let other = credential.problem(with: Example.push(topic: "com.example.application"))
            #expect(other?.reason == .topicDisallowed)
            #expect(
                other?.description
                    == "The topic 'com.example.application' is not one of the certificate's: "
                    + "com.example.app, com.example.app.voip."
            )
            for topic in ["com.example.app", "com.example.app.voip", "com.example.app.pushkit.fileprovider"] {
                #expect(credential.problem(with: Example.push(topic: topic)) == nil)
            }
        }
    }
}

extension APNSOutcome {
    fileprivate static func refused(_ reason: APNSReason) -> Self {
        .refused(status: reason.status, reason, timestamp: nil)
    }
}
