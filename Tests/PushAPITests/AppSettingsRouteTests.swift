import Foundation
import PushModel
import Testing

@Suite("Settings of an app over a socket", .timeLimit(.minutes(5)))
struct AppSettingsRouteTests {
    private static let path = "/posthorn/v1/app"

    @Test("Quiet hours are set, told and taken away")
    func quietHours() async throws {
        try await TestAPI.run { api in
            let before = try await api.call("GET", Self.path)
            #expect(before.json?["quiet_hours"] == .null)
            let set = try await api.call("PUT", Self.path, "{\"quiet_hours\":{\"from\":\"22:00\",\"to\":\"07:00\"}}")
            let expected: JSONValue = [
                "from": "22:00", "to": "07:00", "zone": "device", "allow_time_sensitive": false,
            ]
            #expect(set.status == 200, "\(set.text)")
            #expect(set.json?["quiet_hours"] == expected)
            #expect(set.json?.keys == ["app_key", "name", "bundle_id", "environment", "quiet_hours"])
            #expect(try await api.call("GET", Self.path).json?["quiet_hours"] == expected)
            for none in ["null", "false"] {
                #expect(try await api.call("PUT", Self.path, "{\"quiet_hours\":\(none)}").json?["quiet_hours"] == .null)
            }
        }
    }

    @Test("Invalid settings are refused, and change nothing")
    func refuses() async throws {
        try await TestAPI.run { api in
            let table: [(String, Int64)] = [
                ("", 1002), ("[]", 1002), ("{}", 1002), ("{\"quiet_hours\":true}", 1003),
                ("{\"quiet_hours\":{\"from\":\"22:00\"}}", 1003),
                ("{\"quiet_hours\":{\"from\":\"22:00\",\"to\":\"22:00\"}}", 1003), ("{\"name\":\"x\"}", 1009),
            ]
            for (body, code) in table {
                let answer = try await api.call("PUT", Self.path, body)
                #expect(answer.status == 400, "\(body)")
                #expect(answer.code == code, "\(body): \(answer.text)")
            }
            #expect(try await api.call("GET", Self.path).json?["quiet_hours"] == .null)
            let wrong = try await api.call("POST", Self.path, "{}")
            #expect(wrong.status == 405)
            #expect(wrong.headers["allow"] == "GET, PUT")
        }
    }
}
