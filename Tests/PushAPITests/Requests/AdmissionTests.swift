import DeviceLink
import Foundation
import NetworkSupport
import PushAPI
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Admission of callers", .suiteLimit)
struct AdmissionTests {
    /// The text of a request for the link, with more headers.
    private func upgrade(_ host: String = "127.0.0.1", _ headers: String...) -> String {
        let lines =
            [
                "GET /link HTTP/1.1", "Host: \(host)", "Connection: Upgrade", "Upgrade: websocket",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ] + headers
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private func answer(_ text: String, _ api: TestAPI) async throws -> Answer {
        try await RawConnection.open(api.port) { connection in
            try await connection.send(text)
            return try await connection.answer()
        }
    }

    @Test("On the loopback a request under another name is refused, also a push that could be sent")
    func hosts() async throws {
        try await TestAPI.run(settings: { $0.hostNames = ["push.example.com"] }) { api in
            try await api.addDevice()
            let table: [(host: String, status: Int)] = [
                ("127.0.0.1:\(api.port)", 200), ("localhost", 200), ("[::1]:80", 200), ("push.example.com", 200),
                ("PUSH.example.com:443", 200), ("evil.example", 421), ("push.example.com.evil.example", 421),
                ("127.0.0.1.evil.example", 421), ("evil.example:\(api.port)", 421),
            ]
            for (host, status) in table {
                for (method, target, body) in [("GET", "/health", nil), ("POST", "/v3/push", hello)] {
                    // Those behind the first come the short way, as the caller has proved itself.
                    let text = api.request(method, target, body)
                        .replacing("Host: 127.0.0.1", with: "Host: \(host)")
                    let answer = try await answer(text, api)
                    #expect(answer.status == status, "\(host) \(target)")
                    if status == 421 {
                        #expect(answer.message?.contains("'\(host)' is not a name of this server") == true)
                    }
                }
                let link = try await answer(upgrade(host), api)
                #expect(link.status == (status == 200 ? 101 : 421), "\(host) /link")
            }
        }
    }

    @Test("A page opens the link only if it is named")
    func origins() async throws {
        try await TestAPI.run(settings: { $0.linkOrigins = ["https://console.example.com"] }) { api in
            let table: [(origin: String, status: Int)] = [
                ("https://console.example.com", 101), ("https://evil.example", 403), ("null", 403),
                ("http://console.example.com", 403), ("https://console.example.com:8443", 403),
            ]
            for (origin, status) in table {
                let answer = try await answer(upgrade("127.0.0.1", "Origin: \(origin)"), api)
                #expect(answer.status == status, "\(origin)")
                if status == 403 {
                    #expect(answer.code == 1003)
                    #expect(answer.message?.contains("The origin '\(origin)' may not open a link") == true)
                }
            }
        }
    }

    @Test("Registrations count for whom a proxy names, and for the caller itself where it is no proxy")
    func proxies() async throws {
        for (proxies, codes) in [(["127.0.0.1"], [0, 0, 6011]), ([], [0, 6011, 6011])] {
            let rule = try ProxyRule(proxies)
            try await TestAPI.run(
                rules: { $0.link.registrationsPerMinute = 1 },
                settings: { $0.proxies = rule }
            ) { api in
                var found: [Int] = []
                for (number, address) in ["198.51.100.1", "198.51.100.2", "198.51.100.2"].enumerated() {
                    found.append(try await register(api, "\(number)", from: address))
                }
                #expect(found == codes, "\(proxies)")
            }
        }
    }

    /// Registers a device through a raw link.
    ///
    /// - Returns: the code of a refusal, or 0.
    private func register(_ api: TestAPI, _ installation: String, from address: String) async throws -> Int {
        try await RawConnection.open(api.port) { connection in
            let answer = try await connection.answer(to: upgrade("127.0.0.1", "X-Forwarded-For: \(address)"))
            #expect(answer.status == 101)
            let text = Array(api.registration(installation).text.utf8)
            let head: [UInt8] = [0x81, 0x80 | 126, UInt8(text.count >> 8), UInt8(text.count & 0xFF), 0, 0, 0, 0]
            try await connection.send(head + text)
            let heard = try await connection.received(atLeast: 40)
            return String(decoding: heard, as: UTF8.self).contains("\"code\":6011") ? 6011 : 0
        }
    }
}

@Suite("Rate window")
struct RateWindowTests {
    @Test("Lets that many calls through in 60 seconds from the first, and says what is left")
    func window() {
        var window = RateWindow(limit: 2)
        let start = Date(timeIntervalSince1970: 1000)
        let states = [0, 10, 20.5, 59.9, 60, 61].map { window.take(at: start.addingTimeInterval($0)) }
        #expect(states.map(\.isAllowed) == [true, true, false, false, true, true])
        #expect(states.map(\.remaining) == [1, 0, 0, 0, 1, 0])
        #expect(states.map(\.reset) == [60, 50, 40, 1, 60, 59])
        #expect(states.allSatisfy { $0.limit == 2 })
    }
}
