import APNSGateway
import Foundation
import Hummingbird
import NIOCore
import PushModel
import TestSupport
import Testing

@Suite("Pages at the control endpoint", .suiteLimit)
struct ControlPagesTests {
    /// A page that shows how many pushes there are.
    private struct Page: ControlPages {
        static let segment = "console"

        func respond(to request: Request, _ facts: ControlFacts) async -> Response {
            let count = (try? facts.pushes([]).count) ?? -1
            let json: JSONValue = ["path": .string(request.uri.path), "pushes": .integer(Int64(count))]
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
        }
    }

    private static func withPages(
        token: String? = nil,
        _ body: @Sendable (FaultyGateway, ControlClient) async throws -> Void
    ) async throws {
        try await FaultyGateway.withControl(try World(), token: token, pages: Page(), body)
    }

    @Test("A page sees what the resources show; the root leads to it")
    func pages() async throws {
        try await Self.withPages { setting, control in
            try await setting.provider { provider in
                provider.send(setting.world.request(to: setting.token()), stream: 1)
                _ = await provider.wholeAnswer(on: 1)
            }
            #expect(try await control("GET", "console").json == ["path": "/console", "pushes": 1])
            #expect(try await control("GET", "console/files/1/a.js").json["path"]?.string == "/console/files/1/a.js")
            #expect(try await control("GET", "").json["path"]?.string == "/console")
            #expect(try await control("POST", "console", "{}").status == 404)
        }
    }

    @Test("An own page may change something, with JSON; a page of another site may not, and reads nothing")
    func origins() async throws {
        try await Self.withPages { setting, control in
            let own = "http://127.0.0.1:\(control.port)"
            let json = ["Content-Type": "application/json"]
            let fault = #"{"kind":"answer","reason":"TooManyRequests","next":1}"#
            let rows: [(headers: [String: String], method: String, path: String, status: Int)] = [
                (["Origin": own], "POST", "faults", 201),
                (["Origin": own, "Sec-Fetch-Site": "same-origin"], "POST", "faults", 201),
                (["Origin": own, "Content-Type": "text/plain"], "POST", "faults", 415),
                (["Origin": own, "Content-Type": "application/x-www-form-urlencoded"], "POST", "faults", 415),
                (["Origin": "https://example.com"], "POST", "faults", 403),
                (["Origin": "http://127.0.0.1:1"], "POST", "faults", 403), (["Origin": "null"], "POST", "faults", 403),
                (["Origin": own, "Sec-Fetch-Site": "cross-site"], "POST", "faults", 403),
                (["Origin": own, "Sec-Fetch-Site": "same-site"], "POST", "faults", 403),
                (["Origin": "https://example.com"], "DELETE", "faults", 403),
                (["Sec-Fetch-Site": "cross-site"], "GET", "pushes", 403),
                (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"], "GET", "console", 403),
                (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"], "GET", "pushes", 403),
                // Links, the address bar, and programs.
                (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"], "GET", "console", 200),
                (["Sec-Fetch-Site": "none"], "GET", "console", 200), ([:], "GET", "pushes", 200),
            ]
            for row in rows {
                let client = ControlClient(port: control.port, headers: json.merging(row.headers) { $1 })
                let answer = try await client(row.method, row.path, row.method == "POST" ? fault : nil)
                #expect(answer.status == row.status, "\(row)")
            }
            #expect(setting.gateway.faults.count == 2)
            // A program need not name the type.
            #expect(try await control("POST", "faults", fault).status == 201)
        }
    }

    @Test("Without pages no page may ask, not even one from this address")
    func withoutPages() async throws {
        try await FaultyGateway.withControl(try World()) { _, control in
            let own = ControlClient(port: control.port, headers: ["Origin": "http://127.0.0.1:\(control.port)"])
            #expect(try await own("GET", "faults").status == 403)
            let error = try await control("GET", "console").error
            #expect(error?.hasPrefix("There is no GET /console; the resources are") == true)
        }
    }

    @Test("With a token, a browser asks for it as the password; without pages a password is no token")
    func password() async throws {
        @Sendable func basic(_ text: String) -> [String: String] {
            ["Authorization": "Basic " + Data(text.utf8).base64EncodedString()]
        }
        try await Self.withPages(token: "secret") { _, control in
            let rows: [(headers: [String: String], status: Int)] = [
                ([:], 401), (basic("any:secret"), 200), (basic(":secret"), 200), (basic("secret:"), 401),
                (basic("secret"), 401), (basic("any:wrong"), 401), (["Authorization": "Basic !"], 401),
                (["Authorization": "Bearer secret"], 200),
            ]
            for row in rows {
                let client = ControlClient(port: control.port, headers: row.headers)
                // Foundation's client does not return from a challenge, which only a page gets; a browser's test has that.
                for path in row.status == 200 ? ["console", "pushes"] : ["pushes"] {
                    let answer = try await client("GET", path)
                    #expect(answer.status == row.status, "\(row) \(path)")
                    #expect(answer.challenge == nil)
                }
            }
        }
        try await FaultyGateway.withControl(try World(), token: "secret") { _, control in
            let client = ControlClient(port: control.port, headers: basic("any:secret"))
            let status = try await client("GET", "pushes").status
            #expect(status == 401)
        }
    }
}
