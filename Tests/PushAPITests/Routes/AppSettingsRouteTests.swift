import Foundation
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Settings of an app over a socket", .suiteLimit)
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
            let members = [
                "app_key", "name", "bundle_id", "environment", "quiet_hours", "strict", "aliases", "protected_tags",
                "has_alias_key", "time_zone",
            ]
            #expect(set.json?.keys == members)
            #expect(
                set.json?["time_zone"] == "GMT+0800",
                "The zone of the hosted service, unless the settings name another."
            )
            #expect(try await api.call("GET", Self.path).json?["quiet_hours"] == expected)
            for none in ["null", "false"] {
                #expect(try await api.call("PUT", Self.path, "{\"quiet_hours\":\(none)}").json?["quiet_hours"] == .null)
            }
        }
    }

    @Test("A member without effect is a warning, or an error of a strict push or app, whatever way the push takes")
    func strict() async throws {
        try await TestAPI.run { api in
            let id = api.core.registry.registrationID(of: try await api.addDevice().id)
            func push(_ options: String, _ target: String = #""audience":{"registration_id":["\#(id)"]}"#) -> String {
                #"{"platform":"all",\#(target),"notification":{"alert":"x"},"options":{"classification":1\#(options)}}"#
            }
            let cid = "\(api.app.key)-\(UUID().uuidString)"
            let target = #""target":"\#(id)""#
            let schedule =
                #"{"name":"n","enabled":true,"trigger":{"single":{"time":"2026-01-01 16:30:00"}},"push":\#(push(""))}"#
            // The second one is from a known caller.
            for path in ["/v3/push", "/v3/push", "/v3/push/validate"] {
                let answer = try await api.call("POST", path, push(""))
                let warning = answer.json?["warnings"]?.array?.first?.object
                #expect(warning?["code"] == "no_effect" && warning?["path"] == "options.classification")
                #expect(answer.headers["x-posthorn-warnings"] == "1")
                #expect(try await api.call("POST", path, push(#","x_strict":true"#)).code == 1009)
            }
            let made = try await api.call("POST", "/v3/schedules", schedule)
            #expect(made.json?["warnings"]?.array?.count == 1)
            let message = try await api.call("POST", "/v3/push", push("")).json?["msg_id"]?.string ?? ""
            let shown = try await api.call("GET", "/posthorn/v1/messages/\(message)")
            #expect(shown.json?["warnings"]?.array?.count == 1)
            let set = try await api.call("PUT", Self.path, "{\"strict\":true}")
            #expect(set.json?["strict"] == true && set.json?["quiet_hours"] == .null)
            #expect(try await api.call("PUT", Self.path, "{\"strict\":1.5}").code == 1003)
            for (options, code) in [("", 1009), (#","x_strict":false"#, nil), (#","x_strict":2"#, 1003)]
                as [(String, Int64?)]
            {
                for _ in 0..<2 { #expect(try await api.call("POST", "/v3/push", push(options)).code == code) }
                let batch = #"{"pushlist":{"\#(cid)":\#(push(options, target))}}"#
                let answer = try await api.call("POST", "/v3/push/batch/regid/single", batch)
                #expect(answer.json?[cid]?.object?["error"]?.object?["code"]?.integer == code)
            }
            #expect(try await api.call("POST", "/v3/schedules", schedule).code == 8100)
            let plain = push("").replacing(#""classification":1"#, with: #""sendno":1"#)
            #expect(try await api.call("POST", "/v3/push", plain).status == 200)
            #expect(try await api.call("POST", "/v3/push", plain.replacing(#""x""#, with: #""{{x}}""#)).code == 1003)
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
