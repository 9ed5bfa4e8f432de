import APNSProvider
import APNSTransport
import Foundation
import PushModel
import TestSupport
import Testing

@Suite("A probe shows the answer as it came", .suiteLimit)
struct ProbeTests {
    @Test("Accepted: with the ids that APNs gave")
    func accepted() async throws {
        try await TestServer.with(answering: { request in
            APNSAnswer(
                status: 200,
                headers: [
                    (name: "apns-id", value: request.header("apns-id") ?? ""), (name: "apns-unique-id", value: "U-1"),
                    (name: "date", value: "Tue, 24 Nov 2026 08:05:09 GMT"),
                ]
            )
        }) { server in
            let probe = APNSProbe(credential: .key(try Example.key()), endpoint: server.endpoint)
            var push = Example.push()
            push.priority = .consideringPower
            push.expiration = 60
            push.collapseID = "lunch"
            let answer = try await probe.send(push)
            #expect(answer.status == 200)
            #expect(answer.reason == nil)
            #expect(answer.id == push.id)
            #expect(answer.uniqueID == "U-1")
            #expect(answer.date == Date(timeIntervalSince1970: 1_795_507_509))
            let headers = try #require(server.received.first).headers
            #expect(headers.first?.name == "authorization")
            let rest = headers.dropFirst().map { "\($0.name): \($0.value)" }
            #expect(
                rest == [
                    "apns-id: \(push.id)", "apns-topic: com.example.app", "apns-push-type: alert", "apns-priority: 5",
                    "apns-expiration: 60", "apns-collapse-id: lunch",
                ]
            )
        }
    }

    @Test("Refused: once, with reason and timestamp, also for what the client would not even send")
    func refused() async throws {
        let body = Array(#"{"reason":"Unregistered","timestamp":1750000000123}"#.utf8)
        try await TestServer.with(answering: { _ in APNSAnswer(status: 410, headers: [], body: body) }) { server in
            let probe = APNSProbe(credential: .key(try Example.key()), endpoint: server.endpoint)
            var push = Example.push()
            push.payload = []
            push.priority = 77
            let answer = try await probe.send(push)
            #expect(answer.status == 410)
            #expect(answer.reason == .unregistered)
            #expect(answer.timestamp == Date(timeIntervalSince1970: 1_750_000_000.123))
            #expect(server.received.map { $0.header("apns-priority") } == ["77"])
        }
    }

    @Test("Header fields are replaced, added and taken out")
    func fields() async throws {
        try await TestServer.with { server in
            let probe = APNSProbe(credential: .key(try Example.key()), endpoint: server.endpoint)
            _ = try await probe.send(
                Example.push(),
                replacing: [("apns-topic", "other"), ("apns-push-type", nil), ("authorization", nil), ("x-y", "z w")]
            )
            let request = try #require(server.received.first)
            #expect(request.headers.map(\.name) == ["apns-id", "apns-topic", "x-y"])
            #expect(request.header("apns-topic") == "other")
            #expect(request.header("x-y") == "z w")
            for wrong in ["", "X", ":path", "a b", "a\r\nb"] {
                let error = await #expect(throws: APNSProbe.NoAnswer.self) {
                    try await probe.send(Example.push(), replacing: [(wrong, "v")])
                }
                #expect(error?.description.hasPrefix("'\(wrong)' is not a header field") == true)
            }
            let injected = await #expect(throws: APNSProbe.NoAnswer.self) {
                try await probe.send(Example.push(), replacing: [("x", "a\r\nb: c")])
            }
            #expect(injected?.description.hasPrefix("'x' is not a header field") == true)
            #expect(server.received.count == 1)
        }
    }

    @Test("Nobody there: says where and why")
    func nobody() async throws {
        let probe = APNSProbe(
            credential: .key(try Example.key()),
            endpoint: APNSEndpoint(host: "127.0.0.1", port: 1)
        )
        let error = await #expect(throws: APNSProbe.NoAnswer.self) { try await probe.send(Example.push()) }
        #expect(error?.description.hasPrefix("No connection to 127.0.0.1:1: ") == true)
        #expect(error?.isHandshake == false)
    }
}
