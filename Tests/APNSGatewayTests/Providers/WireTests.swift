import APNSGateway
import APNSTransport
import AppleDeveloper
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import PushModel
import TestSupport
import Testing

/// The faults on which real client libraries break first, on a real socket.
@Suite("On the wire", .suiteLimit)
struct WireTests {
    private func withGateway(
        alpn: [String] = [],
        _ body: (World, RawProvider) async throws -> Void
    ) async throws {
        let world = try World()
        let authority = try GatewayAuthority(folder: nil)
        let server = try await GatewayServer.start(world.gateway, authority: authority)
        let port = try #require(server.port(for: .development))
        let provider = try await RawProvider.connect(port: port, authority: authority.pem, alpn: alpn)
        try await body(world, provider)
        await provider.close()
        await server.close()
    }

    private func status(_ frame: HTTP2Frame?) -> String? {
        if case .headers(let headers) = frame?.payload { headers.headers.first(name: ":status") } else { nil }
    }

    @Test(
        "Without ALPN it is HTTP/2, and a 200 is one HEADERS frame with END_STREAM",
        arguments: [[], ["h2"]]
    )
    func success(_ alpn: [String]) async throws {
        try await withGateway(alpn: alpn) { world, provider in
            let token = world.issueToken()
            provider.send(world.request(to: token), stream: 1)
            let answer = await provider.answer(on: 1)
            #expect(answer.count == 1)
            #expect(status(answer.first) == "200")
        }
    }

    @Test("An error is HEADERS and exactly one DATA frame with END_STREAM")
    func failure() async throws {
        try await withGateway { world, provider in
            let token = world.issueToken()
            provider.send(world.request(to: token, ["apns-priority": "3"]), stream: 1)
            let answer = await provider.answer(on: 1)
            #expect(answer.count == 2)
            #expect(status(answer.first) == "400")
            guard case .data(let data) = answer.last?.payload, case .byteBuffer(let body) = data.data else {
                Issue.record("The second frame is not DATA.")
                return
            }
            #expect(data.endStream)
            #expect(String(buffer: body) == #"{"reason":"BadPriority"}"#)
        }
    }

    @Test("apns-id comes back byte for byte")
    func echo() async throws {
        try await withGateway { world, provider in
            let token = world.issueToken()
            let id = "ABCDEF00-1111-2222-3333-44445555AbCd"
            provider.send(world.request(to: token, ["apns-id": id]), stream: 1)
            provider.send(world.request(to: token, ["apns-id": id, "apns-priority": "3"]), stream: 3)
            for stream in [1, 3] {
                guard case .headers(let headers) = await provider.answer(on: stream).first?.payload else {
                    Issue.record("No answer on stream \(stream).")
                    continue
                }
                #expect(headers.headers.first(name: "apns-id") == id)
            }
        }
    }

    @Test("SETTINGS and a wide window leave before any request")
    func settings() async throws {
        try await withGateway { _, provider in
            try await eventually("the window is open") { provider.connectionWindow >= 16 << 20 }
            guard case .settings(.settings(let settings)) = provider.received.first?.payload else {
                Issue.record("The first frame is not SETTINGS.")
                return
            }
            #expect(settings.contains(HTTP2Setting(parameter: .maxConcurrentStreams, value: 1000)))
            #expect(settings.contains(HTTP2Setting(parameter: .maxHeaderListSize, value: 8000)))
        }
    }

    @Test("The header host may stand in for :authority")
    func host() async throws {
        try await withGateway { world, provider in
            let token = world.issueToken()
            let request = world.request(to: token, ["host": "api.sandbox.push.apple.com"])
            let pseudo = [(":method", "POST"), (":scheme", "https"), (":path", request.path)]
            provider.send(request, stream: 1, pseudo: pseudo)
            #expect(status(await provider.answer(on: 1).first) == "200")
        }
    }

    @Test("apns2_163: twenty full payloads at once are not throttled by a 64 KiB window")
    func window() async throws {
        try await withGateway { world, provider in
            let token = world.issueToken()
            let payload = #"{"x":""# + String(repeating: "x", count: 4088) + #""}"#
            for number in 0..<20 {
                provider.send(world.request(to: token, payload: payload), stream: 1 + 2 * number)
            }
            for number in 0..<20 { #expect(status(await provider.answer(on: 1 + 2 * number).first) == "200") }
        }
    }

    @Test("A body that is far too large is drained and answered, not reset; one byte a frame is fine")
    func neverResets() async throws {
        try await withGateway { world, provider in
            let token = world.issueToken()
            let large = String(repeating: "x", count: 3 << 20)
            provider.send(world.request(to: token, payload: large), stream: 1)
            provider.send(world.request(to: token, payload: #"{"aps":{}}"#), stream: 3, piece: 1)
            #expect(status(await provider.answer(on: 3).first) == "200")
            let answer = await provider.answer(on: 1)
            #expect(status(answer.first) == "413")
            #expect(answer.count == 2)
            #expect(provider.isOpen)
        }
    }
}
