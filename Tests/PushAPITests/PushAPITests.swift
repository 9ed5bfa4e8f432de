import Foundation
import PushAPI
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Push API over a socket", .suiteLimit)
struct PushAPITests {
    @Test("A push is answered with sendno and msg_id as strings, in JSON, with status 200")
    func push() async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            let answer = try await api.call("POST", "/v3/push", hello)
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
            #expect(answer.json?.keys == ["sendno", "msg_id"])
            #expect(answer.json?["sendno"] == "18")
            let messageID = try #require(answer.json?["msg_id"]?.string)
            #expect(MessageID(messageID) != nil)
            let checked = try await api.call("POST", "/v3/push/validate", hello)
            #expect(checked.json?.keys == ["sendno", "msg_id"])
            #expect(checked.json?["msg_id"]?.string != messageID)
            let asked = #"{"platform":"ios","audience":"all","notification":{"alert":"a"},"x_forecast":true}"#
            let forecast = try await api.call("POST", "/v3/push/validate", asked)
            #expect(forecast.json?["forecast"]?.object?["targeted"] == 1)
            #expect(try await api.call("POST", "/v3/push", asked).code == 1003)
            let registrationID = api.core.registry.registrationID(of: device.id)
            let journey = try await api.call("GET", "/posthorn/v1/journeys/\(messageID)/\(registrationID)")
            #expect(journey.status == 200)
            let apnsID = try #require(journey.json?["apns_id"]?.string)
            let same = try await api.call("GET", "/posthorn/v1/apns/\(apnsID)")
            #expect(same.json?["msg_id"]?.string == messageID)
        }
    }

    @Test("Business errors carry their code; 1011 has its msg_id beside the error")
    func businessErrors() async throws {
        try await TestAPI.run { api in
            let nobody = try await api.call("POST", "/v3/push", hello)
            #expect(nobody.status == 400)
            #expect(nobody.code == 1011)
            #expect(nobody.json?["msg_id"]?.string?.isEmpty == false)
            let table = [
                ("", 1002), ("{\"platform\":\"all\",}", 1002),
                (hello.replacing("all\",\"aud", with: "palm\",\"aud"), 1003),
                (hello.replacing("options", with: "option"), 1009),
                (hello.replacing("\"hi\"", with: "\"\(String(repeating: "x", count: 4000))\""), 1005),
            ]
            for (body, code) in table {
                let answer = try await api.call("POST", "/v3/push", body)
                #expect(answer.status == 400)
                #expect(answer.code == Int64(code), "\(body)")
                #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
            }
        }
    }

    @Test("Callers that cannot authenticate are told apart: malformed key 1008, all else 1004")
    func authentication() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            let key = api.app.key.text
            let table: [(String?, Int, Int64)] = [
                (nil, 401, 1004), ("", 401, 1004), ("Bearer x", 401, 1004), ("Basic", 401, 1004),
                ("Basic !!!", 401, 1004),
                (TestAPI.basic(key), 401, 1004), (TestAPI.basic("\(key):"), 401, 1004),
                (TestAPI.basic("\(key):x"), 401, 1004),
                (TestAPI.basic("\(String(key.reversed()))0:x"), 400, 1008), (TestAPI.basic("short:x"), 400, 1008),
                (TestAPI.basic("\(String(repeating: "0", count: 24)):x"), 401, 1004),
                (TestAPI.basic("\(key):\(api.masterSecret) "), 401, 1004),
            ]
            for (authorization, status, code) in table {
                for target in ["/v3/push", "/v3/push/validate"] {
                    let answer = try await api.call("POST", target, hello, authorization: .some(authorization))
                    #expect(answer.status == status, "\(authorization ?? "none")")
                    #expect(answer.code == code, "\(authorization ?? "none")")
                }
            }
            let lower = "basic" + api.authorization.dropFirst(5)
            #expect(try await api.call("POST", "/v3/push", hello, authorization: .some(lower)).status == 200)
        }
    }

    @Test(
        "http-auth #121: any number of blanks after the scheme, in any case, in every family",
        arguments: [
            ("POST", "/v3/push"), ("POST", "/v3/push/validate"), ("GET", "/v3/devices/none"), ("GET", "/v3/schedules"),
            ("GET", "/v3/received?msg_ids=1"), ("GET", "/v3/files"), ("GET", "/v3/tags"),
            ("GET", "/posthorn/v1/app"),
        ]
    )
    func httpAuth121_blanksAfterTheScheme(_ method: String, _ target: String) async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            let body = method == "POST" ? hello : nil
            let expected = try await api.call(method, target, body).status
            #expect(expected != 401)
            for scheme in ["Basic  ", "BASIC   ", "bAsIc "] {
                let authorization = scheme + api.authorization.dropFirst("Basic ".count)
                #expect(
                    try await api.call(method, target, body, authorization: .some(authorization)).status == expected
                )
            }
        }
    }

    @Test("http-auth #121: the same for operators")
    func httpAuth121_operators() async throws {
        let token = "a-token-of-more-than-twenty-letters"
        try await TestAPI.run(settings: { $0.operatorToken = SecretHash(of: token) }) { api in
            for scheme in ["Bearer ", "bearer  ", "BEARER   "] {
                let path = "/posthorn/v1/operator/app.list"
                let answer = try await api.call("POST", path, "{}", authorization: .some(scheme + token))
                #expect(answer.status == 200)
                let wrong = try await api.call("POST", path, "{}", authorization: .some(scheme + "x"))
                #expect(wrong.status == 401)
            }
        }
    }

    @Test(
        "RFC 9112, section 3.2: a request without one valid Host is refused, in JSON, and ends the connection",
        arguments: [
            "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: y\r\nhOST: other\r\n\r\n", "GET /health HTTP/1.1\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: 127.0.0.1/x\r\n\r\n", "GET /health HTTP/1.1\r\nHost: a b\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: user@127.0.0.1\r\n\r\n",
        ]
    )
    func rfc9112_oneHost(_ request: String) async throws {
        try await TestAPI.run { api in
            try await RawConnection.open(api.port) { connection in
                let answer = try await connection.answer(to: request)
                #expect(answer.status == 400 && answer.code == 1003)
                #expect(answer.message?.contains("Host") == true)
                #expect(try await connection.isEnded())
            }
            // It does not overtake the answer to the request before it.
            try await RawConnection.open(api.port) { connection in
                try await connection.send(api.request("GET", "/health") + request)
                #expect(try await connection.answer().status == 200)
                #expect(try await connection.answer().status == 400)
            }
        }
    }

    @Test("A Host may be empty or have a port, and HTTP/1.0 needs none")
    func validHosts() async throws {
        try await TestAPI.run { api in
            for request in [
                "GET /health HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", "GET /health HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
                "GET /health HTTP/1.0\r\n\r\n",
            ] {
                try await RawConnection.open(api.port) { connection in
                    try await connection.send(request)
                    #expect(try await connection.answer().status == 200, "\(request)")
                }
            }
        }
    }

    @Test(
        "new-api #4913, harper #1438: an encoded body is refused with the name of its coding, also from a known caller",
        arguments: [("POST", "/v3/push"), ("POST", "/v3/devices/a"), ("PUT", "/v3/schedules/a")]
    )
    func newAPI4913_contentEncoding(_ method: String, _ target: String) async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            let id = api.core.registry.registrationID(of: device.id)
            let body = hello.replacing(#""audience":"all""#, with: #""audience":{"registration_id":["\#(id)"]}"#)
            #expect(try await api.call("POST", "/v3/push", body).status == 200)
            for coding in ["gzip", "deflate", "br", "x-gzip", "GZIP", "identity, gzip"] {
                try await RawConnection.open(api.port) { connection in
                    try await connection.send(api.request(method, target, body, headers: "Content-Encoding: \(coding)"))
                    let answer = try await connection.answer()
                    #expect(answer.status == 415 && answer.code == 1003)
                    #expect(answer.headers["accept-encoding"] == "identity")
                    let name = coding.split(separator: " ").last.map(String.init) ?? ""
                    #expect(answer.message?.contains("'\(name)'") == true, "\(answer.text)")
                }
            }
            try await RawConnection.open(api.port) { connection in
                try await connection.send(api.request("POST", "/v3/push", body, headers: "Content-Encoding: identity"))
                #expect(try await connection.answer().status == 200)
            }
        }
    }

    @Test("A placeholder that was not filled in is answered with a warning, whatever way the push takes")
    func placeholderIsWarnedOf() async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            let id = api.core.registry.registrationID(of: device.id)
            let plain = hello.replacing(#""audience":"all""#, with: #""audience":{"registration_id":["\#(id)"]}"#)
            let push = plain.replacing(#""hi""#, with: #""Hi {{name}}""#)
            // The second one is from a known caller.
            for path in ["/v3/push", "/v3/push", "/v3/push/validate"] {
                let answer = try await api.call("POST", path, push)
                let warning = answer.json?["warnings"]?.array?.first?.object
                #expect(answer.status == 200 && answer.json?["msg_id"] != nil)
                #expect(warning?["code"] == "placeholder" && warning?["path"] == "notification.alert")
                #expect(warning?["message"]?.string?.contains("{{name}}") == true)
                #expect(answer.headers["x-posthorn-warnings"] == "1")
                #expect(try await api.call("POST", path, plain).json?.keys == ["sendno", "msg_id"])
            }
            let cids = (0..<2).map { _ in "\(api.app.key)-\(UUID().uuidString)" }
            let entries = zip(cids, ["hi", "Hi {{name}}"]).map { cid, alert in
                #""\#(cid)":{"platform":"all","target":"\#(id)","notification":{"alert":"\#(alert)"}}"#
            }
            let batch = #"{"pushlist":{\#(entries.joined(separator: ","))}}"#
            for _ in 0..<2 {
                let answer = try await api.call("POST", "/v3/push/batch/regid/single", batch)
                #expect(answer.json?[cids[0]]?.object?.keys == ["msg_id"])
                #expect(answer.json?[cids[1]]?.object?.keys == ["msg_id", "warnings"])
            }
            // JPush's SDK for Java takes an unknown member for an error, and the push would be sent again.
            // The pushes of this batch are new ones: those that repeat take another road.
            let again = batch.replacing("\"\(api.app.key)-", with: "\"\(api.app.key)-f")
            for (path, body) in [("/v3/push", push), ("/v3/push/batch/regid/single", again)] {
                try await RawConnection.open(api.port) { connection in
                    try await connection.send(api.request("POST", path, body, headers: "User-Agent: okhttp/4.9.3"))
                    let answer = try await connection.answer()
                    #expect(answer.status == 200 && !answer.text.contains("warnings"))
                }
            }
        }
    }

    @Test("A request that the parser has no word for is named all the same")
    func namesTheParsersError() async throws {
        try await TestAPI.run { api in
            try await RawConnection.open(api.port) { connection in
                try await connection.send(api.request("POST", "/v3/push", headers: "Transfer-Encoding: gzip"))
                let answer = try await connection.answer()
                #expect(answer.status == 400)
                #expect(answer.message?.contains("Transfer-Encoding other than chunked") == true, "\(answer.text)")
            }
            try await RawConnection.open(api.port) { connection in
                let answer = try await connection.answer(to: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
                #expect(answer.status == 400)
                #expect(
                    answer.message?.contains("it is HTTP/2, which this end does not speak") == true,
                    "\(answer.text)"
                )
            }
        }
    }

    @Test(
        "Doubled and trailing slashes lead to the same place",
        arguments: ["/v3/push/", "/v3//push", "//v3/push//", "/v3/push?x=1", "/v3/push/?", "/v3//push/validate"]
    )
    func slashes(_ target: String) async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            #expect(try await api.call("POST", target, hello).status == 200)
            #expect(try await api.call("GET", "//health/", authorization: .some(nil)).status == 200)
        }
    }

    @Test("Every failure has an error body that client libraries can parse")
    func errorBodies() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            let large = String(repeating: " ", count: PushAPI.bodyLimit + 1)
            let table: [(String, String, String?, Int, Int64)] = [
                ("GET", "/nowhere", nil, 404, 1003), ("POST", "/", "", 405, 1001), ("GET", "/v3", nil, 404, 1003),
                ("GET", "/v3/push", nil, 405, 1001), ("PUT", "/v3/push", "", 405, 1001),
                ("DELETE", "/v3/push", nil, 405, 1001),
                ("PATCH", "/v3/push", "", 405, 1001), ("OPTIONS", "/v3/push", nil, 405, 1001),
                ("GET", "/v3/push/validate/", nil, 405, 1001), ("POST", "/v3/push", large, 413, 1005),
                ("GET", "/posthorn/v1/journeys/x/0f", nil, 400, 1003),
                ("GET", "/posthorn/v1/journeys/1/a-b", nil, 400, 1003),
                ("GET", "/posthorn/v1/journeys/1/0f", nil, 404, 1003), ("GET", "/posthorn/v1/apns/x", nil, 404, 1003),
                ("DELETE", "/v3/push/quota", nil, 405, 1001),
                ("POST", "/v1/app", "{}", 401, 4004), ("POST", "/v3/push/template", "{}", 400, 1002),
                ("POST", "/v3/push_plan/create", "{}", 400, 1002),
            ]
            for (method, target, body, status, code) in table {
                let answer = try await api.call(method, target, body)
                #expect(answer.status == status, "\(method) \(target): \(answer.text)")
                #expect(answer.code == code, "\(method) \(target): \(answer.text)")
                #expect(answer.message?.isEmpty == false)
                #expect((answer.headers["allow"] != nil) == (status == 405), "\(method) \(target)")
                #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
            }
            #expect(try await api.call("GET", "/nowhere").message?.contains("/nowhere") == true)
        }
    }

    @Test("Unknown paths are reported to apps only, and count as a call")
    func familiesToCome() async throws {
        try await TestAPI.run { api in
            let stranger = try await api.call("POST", "/v3/test/model/add", "{}", authorization: .some(nil))
            #expect(stranger.status == 401)
            #expect(stranger.code == 1004)
            let app = try await api.call("POST", "/v3/test/model/add", "{}")
            #expect(app.code == 2007)
            #expect(app.headers["x-rate-limit-remaining"] == "59999")
        }
    }

    @Test("An encrypted push is refused as such", arguments: ["/v3/push", "/v3/push/validate"])
    func encrypted(_ target: String) async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            try await RawConnection.open(api.port) { connection in
                try await connection.send(api.request("POST", target, hello, headers: "X-Encrypt-Type: SM2"))
                let answer = try await connection.answer()
                #expect(answer.status == 400)
                #expect(answer.code == 1003)
                #expect(answer.message?.contains("X-Encrypt-Type") == true)
            }
        }
    }

    @Test(
        "Bytes that are not HTTP are answered in JSON, and the connection ends",
        arguments: [
            "\u{16}\u{3}\u{1} garbage\r\n\r\n", "GET\r\n\r\n",
            "POST /v3/push HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
            "GET /health HTTP/1.1\r\nX: \(String(repeating: "x", count: 300_000))\r\n\r\n",
            "GET /health HTTP/2.0\r\n\r\n",
        ]
    )
    func malformed(_ request: String) async throws {
        try await TestAPI.run { api in
            func refuses(_ connection: inout RawConnection) async throws {
                let answer = try await connection.answer()
                #expect(answer.status == 400)
                #expect(answer.code == 1003)
                #expect(answer.headers["connection"] == "close")
                #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
                #expect(try await connection.isEnded())
            }
            try await RawConnection.open(api.port) { connection in
                try await connection.send(request)
                try await refuses(&connection)
            }
            // After a request, and with it.
            try await RawConnection.open(api.port) { connection in
                try await connection.send(api.request("GET", "/health"))
                #expect(try await connection.answer().status == 200)
                try await connection.send(api.request("GET", "/health") + request)
                #expect(try await connection.answer().status == 200)
                try await refuses(&connection)
            }
        }
    }

    @Test("A connection without a first request ends", arguments: ["", "GET /health HTTP/1.1\r\nHost:"])
    func firstRequestIsLate(_ start: String) async throws {
        try await TestAPI.run(firstRequestLimit: .milliseconds(100)) { api in
            try await RawConnection.open(api.port) { connection in
                // It may be over before the first octet is sent.
                if !start.isEmpty { try? await connection.send(start) }
                let isEnded = try await connection.isEnded()
                #expect(isEnded)
            }
        }
    }

    @Test("A connection with a first request stays, however long the next one takes")
    func laterRequestIsLate() async throws {
        // Long enough for a busy machine to serve the first request in time.
        try await TestAPI.run(firstRequestLimit: .seconds(5)) { api in
            try await RawConnection.open(api.port) { connection in
                try await connection.send(api.request("GET", "/health"))
                #expect(try await connection.answer().status == 200)
                // A silent connection opened later has been ended: the time for a first request is over for both.
                try await RawConnection.open(api.port) { silent in
                    let isEnded = try await silent.isEnded()
                    #expect(isEnded)
                }
                try await connection.send(api.request("GET", "/health"))
                #expect(try await connection.answer().status == 200)
            }
        }
    }

    @Test("HEAD / is answered, as a client library asks before its first call")
    func head() async throws {
        try await TestAPI.run { api in
            let answer = try await api.call("HEAD", "/", authorization: .some(nil))
            #expect(answer.status == 200)
        }
    }

    @Test("Each answer says what is left of the window; beyond it is 429 with 2002 until the window is over")
    func rateLimit() async throws {
        try await TestAPI.run(callLimits: .all(2)) { api in
            try await api.addDevice()
            for remaining in ["1", "0"] {
                let answer = try await api.call("POST", "/v3/push", remaining == "1" ? hello : "{}")
                #expect(answer.status == (remaining == "1" ? 200 : 400))
                #expect(answer.headers["x-rate-limit-limit"] == "2")
                #expect(answer.headers["x-rate-limit-quota"] == "2")
                #expect(answer.headers["x-rate-limit-remaining"] == remaining)
                #expect(answer.headers["x-rate-limit-reset"] == "60")
            }
            await api.clock.advance(by: .seconds(20))
            let refused = try await api.call("POST", "/v3/push", hello)
            #expect(refused.status == 429)
            #expect(refused.code == 2002)
            #expect(refused.headers["x-rate-limit-remaining"] == "0")
            #expect(refused.headers["x-rate-limit-reset"] == "40")
            #expect(try await api.call("GET", "/health").status == 200)
            await api.clock.advance(by: .seconds(40))
            #expect(try await api.call("POST", "/v3/push", hello).status == 200)
        }
    }

    @Test("Requests on one connection are answered in their order, also when they come at once")
    func pipelining() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            try await RawConnection.open(api.port) { connection in
                let requests = (1...20).map { api.request("POST", "/v3/push", hello.replacing("18", with: "\($0)")) }
                try await connection.send(requests.joined())
                for number in 1...20 {
                    let answer = try await connection.answer()
                    #expect(answer.status == 200)
                    #expect(answer.json?["sendno"]?.string == "\(number)")
                }
                try await connection.send(api.request("GET", "/nowhere"))
                #expect(try await connection.answer().status == 404)
                try await connection.send(api.request("GET", "/health"))
                #expect(try await connection.answer().status == 200)
            }
        }
    }

    @Test("Expect: 100-continue is answered before the body comes")
    func expectContinue() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            try await RawConnection.open(api.port) { connection in
                let request = api.request("POST", "/v3/push", hello, headers: "Expect: 100-continue")
                try await connection.send(String(request.dropLast(hello.count)))
                #expect(try await connection.answer().status == 100)
                try await connection.send(hello)
                #expect(try await connection.answer().status == 200)
                try await connection.send(api.request("POST", "/v3/push", hello))
                #expect(try await connection.answer().status == 200)
            }
        }
    }

    @Test("An offer to go on in HTTP/2 is passed over, as libcurl makes it in the clear")
    func ignoresH2C() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            try await RawConnection.open(api.port) { connection in
                let request = api.request(
                    "POST",
                    "/v3/push",
                    hello,
                    headers: "Connection: Upgrade, HTTP2-Settings",
                    "Upgrade: h2c",
                    "HTTP2-Settings: AAMAAABkAAQAAP__"
                )
                try await connection.send(request)
                #expect(try await connection.answer().status == 200)
            }
        }
    }

    @Test("A WebSocket elsewhere is answered in JSON")
    func foreignWebSocket() async throws {
        try await TestAPI.run { api in
            try await RawConnection.open(api.port) { connection in
                let request = api.request(
                    "GET",
                    "/nowhere",
                    headers: "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
                )
                let answer = try await connection.answer(to: request)
                #expect(answer.status == 404)
                #expect(answer.code == 1003)
            }
        }
    }

    @Test("A malformed content type does not matter")
    func contentType() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            for type in ["application/json;charset:utf-8", "text/plain", "application/x-www-form-urlencoded"] {
                try await RawConnection.open(api.port) { connection in
                    try await connection.send(api.request("POST", "/v3/push", hello, headers: "Content-Type: \(type)"))
                    let answer = try await connection.answer()
                    #expect(answer.status == 200)
                }
            }
        }
    }

    @Test("Ends in order though a connection stands open")
    func shutdown() async throws {
        try await confirmation { ended in
            try await TestAPI.run { api in
                try await api.addDevice()
                try await RawConnection.open(api.port) { connection in
                    let answer = try await connection.answer(to: api.request("POST", "/v3/push", hello))
                    #expect(answer.status == 200)
                }
            }
            ended()
        }
    }
}
