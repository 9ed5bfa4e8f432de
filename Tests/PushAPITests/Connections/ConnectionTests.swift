import DeviceLink
import Foundation
import Logging
import NetworkSupport
import PushAPI
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Limits for unauthenticated clients of the service", .suiteLimit)
struct ConnectionTests {
    private static let health = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    /// Whether a new connection is served, and not closed.
    private static func isServed(_ api: TestAPI, from address: String = "127.0.0.1") async -> Bool {
        let answer = try? await RawConnection.open(api.port, from: address) { connection in
            try await connection.send(health)
            return try await connection.answer()
        }
        return answer?.status == 200
    }

    @Test(
        "One address gets so many connections and no more; others get theirs, and it one more when one of its own has ended"
    )
    func connectionsOfAnAddress() async throws {
        let log = MemoryLog()
        let limits = ConnectionLimits(total: 100, perAddress: 2, countsLoopback: true)
        try await TestAPI.run(log: log, settings: { $0.connections = limits }) { api in
            try await RawConnection.open(api.port) { first in
                try await first.send(Self.health)
                #expect(try await first.answer().status == 200)
                try await RawConnection.open(api.port) { second in
                    try await second.send(Self.health)
                    #expect(try await second.answer().status == 200)
                    for _ in 0..<3 { #expect(await !Self.isServed(api)) }
                    #expect(await Self.isServed(api, from: "127.0.0.2"))
                    try await first.send(Self.health)
                    #expect(try await first.answer().status == 200, "Who is there already stays.")
                }
                try await eventually("the end of one makes room for another") { await Self.isServed(api) }
            }
            let warnings = log.entries.filter { $0.message.hasPrefix("Connections are refused") }
            #expect(warnings.count == 1, "Once a minute is enough.")
            #expect(warnings.first?.message.contains("http.connectionsPerAddress") == true)
            #expect(warnings.first?.level == .warning)
        }
    }

    @Test("The loopback is not counted by address, unless it is said to be")
    func loopback() async throws {
        try await TestAPI.run(settings: { $0.connections = ConnectionLimits(total: 100, perAddress: 1) }) { api in
            try await RawConnection.open(api.port) { first in
                try await first.send(Self.health)
                #expect(try await first.answer().status == 200)
                #expect(await Self.isServed(api))
            }
        }
    }

    @Test("A proxy has connections for many, and is not counted by address")
    func connectionsOfProxies() async throws {
        let proxies = try ProxyRule(["127.0.0.2"])
        try await TestAPI.run(settings: {
            $0.connections = ConnectionLimits(total: 100, perAddress: 1, countsLoopback: true)
            $0.proxies = proxies
        }) { api in
            try await RawConnection.open(api.port, from: "127.0.0.2") { first in
                try await first.send(Self.health)
                #expect(try await first.answer().status == 200)
                #expect(await Self.isServed(api, from: "127.0.0.2"))
            }
        }
    }

    @Test("Logins that fail count for whom a proxy names, and for the caller itself where it is no proxy")
    func failedLoginsBehindProxies() async throws {
        for (proxies, statuses) in [(["127.0.0.1"], [401, 401, 429]), ([], [401, 429, 429])] {
            let rule = try ProxyRule(proxies)
            try await TestAPI.run(settings: { ($0.failedLogins, $0.proxies) = (1, rule) }) { api in
                var found: [Int] = []
                for address in ["198.51.100.1", "198.51.100.2", "198.51.100.2"] {
                    let request = api.request(
                        "GET",
                        "/v3/push/cid",
                        authorization: TestAPI.basic("\(api.app.key):a-wrong-secret"),
                        headers: "X-Forwarded-For: \(address)"
                    )
                    let answer = try await RawConnection.open(api.port) { connection in
                        try await connection.send(request)
                        return try await connection.answer()
                    }
                    found.append(answer.status)
                }
                #expect(found == statuses, "\(proxies)")
            }
        }
    }

    @Test("The service takes so many connections from all addresses together, links among them")
    func connectionsInTotal() async throws {
        try await TestAPI.run(settings: { $0.connections = ConnectionLimits(total: 2, perAddress: 100) }) { api in
            let (link, heard) = api.openLink()
            for await case .opened in heard { break }
            try await RawConnection.open(api.port) { connection in
                try await connection.send(Self.health)
                #expect(try await connection.answer().status == 200)
                for address in ["127.0.0.1", "127.0.0.2"] { #expect(await !Self.isServed(api, from: address)) }
                link.close()
                try await eventually("the end of the link makes room") { await Self.isServed(api) }
            }
        }
    }

    @Test("No more connections are taken than the process may have files")
    func files() {
        #expect(ConnectionLimits(total: 100_000).within(files: 20_000).total == 19_744)
        #expect(ConnectionLimits(total: 1000).within(files: 20_000).total == 1000)
        #expect(
            ConnectionLimits(total: 1000).within(files: 256).total == 128,
            "Half of few: the others take theirs too."
        )
        #expect(ConnectionLimits(total: 1000).within(files: 0).total == 1000, "The system does not say.")
    }

    /// Runs `body` on a connection that has been served, after which a request begins that trickles in.
    private static func trickle(
        _ start: @escaping (TestAPI) -> String,
        _ body: (inout RawConnection) async throws -> Void
    ) async throws {
        try await TestAPI.run(settings: { $0.requestLimit = .milliseconds(300) }) { api in
            try await RawConnection.open(api.port) { connection in
                try await connection.send(health)
                #expect(try await connection.answer().status == 200)
                try await connection.send(start(api))
                let trickle = connection.trickling("a")
                async let trickling: Void = trickle()
                try await body(&connection)
                await trickling
            }
            #expect(await isServed(api))
        }
    }

    @Test(
        "A request that trickles in is answered with 408 when its time is over, and ends its connection",
        arguments: ["head", "body"]
    )
    func trickledRequest(_ part: String) async throws {
        try await Self.trickle { api in
            part == "head"
                ? "GET /health HTTP/1.1\r\nX: "
                : api.request("POST", "/v3/push", headers: "Content-Length: 99999")
        } _: { connection in
            let answer = try await connection.answer()
            #expect(answer.status == 408)
            #expect(answer.message?.hasPrefix("The \(part) of the request was not complete 300 ms after") == true)
            #expect(answer.headers["connection"] == "close")
            let isEnded = try await connection.isEnded()
            #expect(isEnded)
        }
    }

    @Test("A request that is answered before it has come whole ends its connection too, when its time is over")
    func trickledAfterTheAnswer() async throws {
        try await Self.trickle { api in
            api.request("POST", "/v3/push", authorization: .some(nil), headers: "Content-Length: 99999")
        } _: { connection in
            #expect(try await connection.answer().status == 401)
            let isEnded = try await connection.isEnded()
            #expect(isEnded)
        }
    }

    @Test("A connection whose other end does not read its answers ends, whatever it asks for more")
    func unreadAnswers() async throws {
        try await TestAPI.run(settings: { $0.responseLimit = .milliseconds(300) }) { api in
            let requests = String(repeating: Self.health, count: 1000)
            try await event("the connection ends under who asks and does not read") {
                try await RawConnection.open(api.port) { connection in
                    while true {
                        do { try await connection.send(requests) } catch is CancellationError {
                            throw CancellationError()
                        } catch { return }
                    }
                }
            }
            #expect(await Self.isServed(api))
        }
    }

    @Test(
        "Logins that fail are logged without what was sent, and put off by address; what is right is let in all the time"
    )
    func failedLogins() async throws {
        let log = MemoryLog()
        try await TestAPI.run(log: log, settings: { $0.failedLogins = 3 }) { api in
            let wrong = TestAPI.basic("\(api.app.key):a-wrong-secret")
            func call(
                _ authorization: String,
                _ path: String = "/v3/push/cid",
                from address: String = "127.0.0.1"
            ) async throws -> Answer {
                try await RawConnection.open(api.port, from: address) { connection in
                    try await connection.send(api.request("GET", path, authorization: authorization))
                    return try await connection.answer()
                }
            }
            for _ in 0..<2 { #expect(try await call(wrong).status == 401) }
            // Of an app that is not known, sent in the place of the key.
            #expect(try await call(TestAPI.basic("\(api.masterSecret):\(api.masterSecret)")).status == 401)
            for authorization in [wrong, TestAPI.basic("group-\(api.masterSecret):a-wrong-secret")] {
                let path = authorization == wrong ? "/v3/push/cid" : "/v3/group/messages/detail?group_msgids=1"
                let refused = try await call(authorization, path)
                #expect(refused.status == 429)
                #expect(refused.code == 2002)
                #expect(refused.headers["retry-after"] == "60")
            }
            let developer = TestAPI.basic("\(api.masterSecret):a-wrong-secret")
            let refused = try await RawConnection.open(api.port) { connection in
                try await connection.send(api.request("POST", "/v1/app", "{}", authorization: developer))
                return try await connection.answer()
            }
            #expect(refused.status == 429)
            #expect(try await call(api.authorization).status == 200, "Others there know their secret.")
            #expect(try await call(wrong, from: "127.0.0.2").status == 401)
            await api.clock.advance(by: .seconds(20))
            #expect(try await call(wrong).headers["retry-after"] == "40")
            await api.clock.advance(by: .seconds(40))
            #expect(try await call(wrong).status == 401, "The minute is over.")
            let lines = log.entries.filter {
                $0.message.hasPrefix("A login failed") || $0.message.hasPrefix("Too many failed logins")
            }
            #expect(
                lines.map { $0.metadata["address"] } == [
                    "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.1",
                ]
            )
            #expect(
                lines.map(\.message).filter { $0.hasPrefix("Too many failed logins") } == [
                    "Too many failed logins: further ones get 429 for 60 s"
                ]
            )
            #expect(lines.first?.metadata["caller"] == "app \(api.app.key)")
            let text = log.entries.map { "\($0.message) \($0.metadata)" }.joined()
            #expect(!text.contains("a-wrong-secret"))
            #expect(!text.contains(api.masterSecret), "What is sent as a name may be a secret.")
        }
    }

    @Test(
        "Only listening beyond the loopback without TLS is reported",
        arguments: [
            ("127.0.0.1", false), ("127.1.2.3", false), ("localhost", false), ("::1", false), ("0.0.0.0", true),
            ("::", true),
            ("10.0.0.1", true), ("example.com", true),
        ]
    )
    func openToReaders(_ host: String, _ isOpen: Bool) {
        #expect(PushAPI.Settings { $0.host = host }.isOpenToReaders == isOpen)
    }
}
