import Foundation
import PushAPI
import PushModel
import PushService
import TestSupport
import Testing

@Suite("The size of an audience over a socket", .suiteLimit)
struct AudienceRouteTests {
    private static let path = "/posthorn/v1/audience"

    @Test("The devices of an audience are counted by environment, and nothing is sent")
    func counts() async throws {
        try await TestAPI.run { api in
            for number in 0..<3 {
                let device = try await api.addDevice()
                let id = api.core.registry.registrationID(of: device.id).text
                let tag = number == 0 ? "few" : "many"
                _ = try await api.call("POST", "/v3/devices/\(id)", "{\"tags\":{\"add\":[\"\(tag)\"]}}")
            }
            let body = "{\"devices\":[{\"token\":\"00ff\",\"environment\":\"development\",\"tags\":[\"many\"]}]}"
            #expect(try await api.call("POST", "/posthorn/v1/devices/import", body).status == 200)
            let table = [
                ("\"all\"", 4, 3, 1), ("{\"tag\":[\"many\"]}", 3, 2, 1), ("{\"tag\":[\"none\"]}", 0, 0, 0),
                ("{\"tag_not\":[\"many\"]}", 1, 1, 0), ("{\"segment\":[\"s\"]}", 0, 0, 0),
            ]
            for (audience, devices, production, development) in table {
                let answer = try await api.call("POST", Self.path, "{\"platform\":[\"ios\"],\"audience\":\(audience)}")
                #expect(
                    answer.text == """
                        {"devices":\(devices),"production":\(production),"development":\(development),\
                        "without_token":0,"refused":0,"push_off":0}
                        """
                )
            }
            let others = try await api.call("POST", Self.path, "{\"platform\":[\"android\"],\"audience\":\"all\"}")
            #expect(others.json?["devices"] == 0)
            let messages = try await api.call("GET", "/posthorn/v1/messages")
            #expect(messages.json?["messages"] == [])
        }
    }

    @Test("An audience that a push would be refused for is refused here, and so is any other member")
    func refuses() async throws {
        try await TestAPI.run { api in
            let table: [(String, Int, Int64)] = [
                ("", 400, 1002), ("[]", 400, 1002), ("{\"platform\":\"all\"}", 400, 1002),
                ("{\"audience\":\"some\"}", 400, 1003), ("{\"audience\":{}}", 400, 1003),
                ("{\"audience\":\"all\",\"platform\":\"phones\"}", 400, 1003),
                ("{\"audience\":{\"tags\":[\"a\"]}}", 400, 1009), ("{\"audience\":\"all\",\"options\":{}}", 400, 1009),
                ("{\"audience\":{\"file\":{\"file_id\":\"none\"}}}", 404, 1003),
            ]
            for (body, status, code) in table {
                let answer = try await api.call("POST", Self.path, body)
                #expect(answer.status == status, "\(body)")
                #expect(answer.code == code, "\(body): \(answer.text)")
            }
            let wrong = try await api.call("GET", Self.path)
            #expect(wrong.status == 405)
            #expect(wrong.headers["allow"] == "POST")
            let stranger = try await api.call("POST", Self.path, "{\"audience\":\"all\"}", authorization: "Basic eDp5")
            #expect(stranger.status == 400 || stranger.status == 401)
        }
    }

    @Test("The rule of a segment has a size, and is refused beyond it")
    func segmentLimits() async throws {
        try await TestAPI.run { api in
            let path = "/posthorn/v1/segments/a"
            for (bytes, code) in [(100, nil), (300, 1003), (3_800_000, 1005)] as [(Int, Int64?)] {
                let version = "1" + String(repeating: ".1", count: bytes / 2)
                let answer = try await api.call("PUT", path, "{\"app_version\":{\"from\":\"\(version)\"}}")
                #expect(answer.code == code, "\(bytes): \(answer.text.prefix(200))")
            }
            let value = String(repeating: "v", count: 9000)
            let answer = try await api.call("PUT", path, "{\"attributes\":{\"a\":[\"\(value)\"]}}")
            #expect(answer.code == 1003)
        }
    }

    @Test("A segment is made, counted, pushed to and deleted")
    func segments() async throws {
        try await TestAPI.run { api in
            let path = "/posthorn/v1/segments"
            for number in 0..<3 {
                let id = api.core.registry.registrationID(of: try await api.addDevice().id).text
                let tag = number == 0 ? "few" : "many"
                _ = try await api.call("POST", "/v3/devices/\(id)", "{\"tags\":{\"add\":[\"\(tag)\"]}}")
            }
            #expect(try await api.call("GET", path).text == "{\"segments\":[]}")
            let rule = "{\"audience\":{\"tag\":[\"many\"]}}"
            let made = try await api.call("PUT", "\(path)/m%C3%A4", rule)
            #expect(made.code == 1003)
            let segment = try await api.call("PUT", "\(path)/regulars", rule)
            #expect(segment.json?["counts"]?.object?["devices"] == 2, "\(segment.text)")
            #expect(segment.json?["rule"] == (try JSONValue(parsing: rule)))
            let shown = try await api.call("GET", "\(path)/regulars")
            #expect(shown.text == segment.text)
            let audience = "{\"segment\":[\"regulars\"]}"
            let push = "{\"platform\":\"all\",\"audience\":\(audience),\"notification\":{\"alert\":\"x\"}}"
            #expect(try await api.call("POST", "/v3/push", push).status == 200)
            let count = try await api.call("POST", Self.path, "{\"audience\":\(audience)}")
            #expect(count.json?["devices"] == 2)
            // The same name gets another rule.
            _ = try await api.call("PUT", "\(path)/regulars", "{\"audience\":{\"tag\":[\"few\"]}}")
            let list = try await api.call("GET", path)
            #expect(list.json?["segments"]?.array?.compactMap { $0.object?["counts"]?.object?["devices"] } == [1])
            let first = api.core.registry.registrationID(of: DeviceID(app: api.app.id, ordinal: 0)).text
            _ = try await api.call("POST", "/v3/devices/\(first)", "{\"attributes\":{\"plan\":\"pro\"}}")
            let paying = "{\"attributes\":{\"plan\":[\"pro\",\"team\"]}}"
            #expect(try await api.call("PUT", "\(path)/paying", paying).json?["counts"]?.object?["devices"] == 1)
            for wrong in ["[]", "\"pro\"", "[1]", "null"] {
                let rule = "{\"attributes\":{\"plan\":\(wrong)}}"
                #expect(try await api.call("PUT", "\(path)/wrong", rule).code == 1003, "\(wrong)")
            }
            #expect(try await api.call("DELETE", "\(path)/paying").status == 200)
            #expect(try await api.call("DELETE", "\(path)/regulars").status == 200)
            #expect(try await api.call("DELETE", "\(path)/regulars").status == 404)
            let refused = try await api.call("POST", "/v3/push", push)
            #expect(refused.code == 1011)
            #expect(refused.text.contains("no segment 'regulars'"))
            #expect(try await api.call("POST", "\(path)/regulars", rule).status == 405)
        }
    }

    @Test("A segment named in other code points is another segment, and a push reaches its devices")
    func segmentsInOtherCodePoints() async throws {
        try await TestAPI.run { api in
            for (name, tag) in [("\u{F914}", "one"), ("\u{6A02}", "two")] {
                let id = api.core.registry.registrationID(of: try await api.addDevice().id).text
                _ = try await api.call("POST", "/v3/devices/\(id)", "{\"tags\":{\"add\":[\"\(tag)\"]}}")
                let path = "/posthorn/v1/segments/" + percentEncoded(name)
                let made = try await api.call("PUT", path, "{\"audience\":{\"tag\":[\"\(tag)\"]}}")
                #expect(made.status == 200, "\(made.text)")
            }
            let list = try await api.call("GET", "/posthorn/v1/segments")
            #expect(list.json?["segments"]?.array?.count == 2)
            for (name, tag) in [("\u{F914}", "one"), ("\u{6A02}", "two")] {
                let shown = try await api.call("GET", "/posthorn/v1/segments/" + percentEncoded(name))
                #expect(shown.json?["rule"] == ["audience": ["tag": [.string(tag)]]])
                let audience = "{\"audience\":{\"segment\":[\"\(name)\"],\"tag\":[\"\(tag)\"]}}"
                #expect(try await api.call("POST", Self.path, audience).json?["devices"] == 1)
            }
            #expect(try await api.call("DELETE", "/posthorn/v1/segments/" + percentEncoded("\u{F914}")).status == 200)
            #expect(try await api.call("GET", "/posthorn/v1/segments/" + percentEncoded("\u{F914}")).status == 404)
            #expect(try await api.call("GET", "/posthorn/v1/segments/" + percentEncoded("\u{6A02}")).status == 200)
        }
    }

    @Test(
        "A device with an attribute in two scalars is not in a segment with one, and may change from one to the other"
    )
    func attributeInOtherScalars() async throws {
        try await TestAPI.run { api in
            let id = api.core.registry.registrationID(of: try await api.addDevice().id).text
            let path = "/posthorn/v1/segments/travellers"
            let rule = "{\"attributes\":{\"city\":[\"Malm\u{F6}\"]}}"
            for (city, count) in [("Malmo\u{308}", 0), ("Malm\u{F6}", 1), ("Malmo\u{308}", 0)] {
                _ = try await api.call("POST", "/v3/devices/\(id)", "{\"attributes\":{\"city\":\"\(city)\"}}")
                let segment = try await api.call("PUT", path, rule)
                #expect(segment.json?["counts"]?.object?["devices"] == .number(count))
                let device = try await api.call("GET", "/posthorn/v1/devices/\(id)")
                #expect(device.json?["attributes"] == ["city": .string(city)])
            }
        }
    }

    private func percentEncoded(_ name: String) -> String {
        name.utf8.map { "%" + String($0, radix: 16) }.joined()
    }

    @Test("The devices of a file are counted, and the calls count towards the limit of Posthorn's own calls")
    func file() async throws {
        try await TestAPI.run(callLimits: .all(20)) { api in
            let device = try await api.addDevice()
            let id = api.core.registry.registrationID(of: device.id).text
            let part = "Content-Disposition: form-data; name=\"filename\"; filename=\"a.txt\""
            let form = "--b\r\n\(part)\r\n\r\n\(id)\n\r\n--b--\r\n"
            let type = "Content-Type: multipart/form-data; boundary=b"
            let made = try await RawConnection.open(api.port) { connection in
                try await connection.send(api.request("POST", "/v3/files/registration_id", form, headers: type))
                return try await connection.answer()
            }
            let file = try #require(made.json?["file_id"]?.string, "\(made.text)")
            let answer = try await api.call("POST", Self.path, "{\"audience\":{\"file\":{\"file_id\":\"\(file)\"}}}")
            #expect(answer.json?["production"] == 1, "\(answer.text)")
            #expect(answer.headers["x-rate-limit-limit"] == "20")
        }
    }
}
