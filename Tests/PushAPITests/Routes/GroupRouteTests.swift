import Foundation
import PushAPI
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Group pushes over a socket", .suiteLimit)
struct GroupRouteTests {
    private struct Caller {
        var group: AppGroup
        var authorization: String
    }

    private func group(_ api: TestAPI, _ apps: [App.ID]) async throws -> Caller {
        let made = try await api.core.store.createGroup(name: "G", apps: apps, at: api.clock.date)
        return Caller(
            group: made.group,
            authorization: TestAPI.basic("group-\(made.group.key):\(made.masterSecret)")
        )
    }

    @Test("The answer has a group_msgid and what each app says, under its key")
    func push() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            let group = try await group(api, [api.app.id])
            for target in ["/v3/grouppush", "/v3/grouppush/"] {
                let answer = try await api.call("POST", target, hello, authorization: group.authorization)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.json?.keys == ["group_msgid", api.app.key.text])
                #expect(answer.json?["group_msgid"]?.string?.count == 20)
                #expect(answer.json?[api.app.key.text]?.object?["sendno"] == "18")
                #expect(answer.headers["x-rate-limit-limit"] == "60000")
            }
        }
    }

    @Test("A group uploads files of its own and pushes to them")
    func file() async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            let id = api.core.registry.registrationID(of: device.id).text
            let group = try await group(api, [api.app.id])
            let form = "--b\r\nContent-Disposition: form-data; name=\"filename\"; filename=\"a\"\r\n\r\n\(id)\r\n--b--"
            let uploaded = try await RawConnection.open(api.port) { connection in
                try await connection.send(
                    api.request(
                        "POST",
                        "/v3/files/registration_id",
                        form,
                        authorization: group.authorization,
                        headers: "Content-Type: multipart/form-data; boundary=b"
                    )
                )
                return try await connection.answer()
            }
            let file = try #require(uploaded.json?["file_id"]?.string)
            #expect(file.hasPrefix("\(group.group.key)-"))
            #expect(try await api.call("GET", "/v3/files").json?["total_count"] == 0, "It is not the app's.")
            let listed = try await api.call("GET", "/v3/files/\(file)", authorization: group.authorization)
            #expect(listed.json?["type"] == "registration_id")
            let body = hello.replacing("\"all\",\"n", with: "{\"file\":{\"file_id\":\"\(file)\"}},\"n")
            let answer = try await api.call("POST", "/v3/grouppush/file", body, authorization: group.authorization)
            #expect(answer.json?[api.app.key.text]?.object?["msg_id"] != nil, "\(answer.text)")
            let plain = try await api.call("POST", "/v3/grouppush", body, authorization: group.authorization)
            #expect(plain.code == 1003)
        }
    }

    @Test("Every failure has its code and status; an app is no group, and a group no app")
    func errors() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            let group = try await group(api, [api.app.id])
            let overriding = hello.replacing("\"sendno\":18", with: "\"override_msg_id\":1")
            let table: [(String, String, String?, Int, Int64)] = [
                ("POST", "/v3/grouppush", "", 400, 1002), ("POST", "/v3/grouppush", "{}", 400, 1002),
                ("POST", "/v3/grouppush", overriding, 400, 1003), ("POST", "/v3/grouppush/file", hello, 400, 1003),
                ("POST", "/v3/grouppush", hello.replacing("options", with: "option"), 400, 1009),
                ("GET", "/v3/grouppush", nil, 405, 1001), ("DELETE", "/v3/grouppush/file", nil, 405, 1001),
            ]
            for (method, target, body, status, code) in table {
                let answer = try await api.call(method, target, body, authorization: group.authorization)
                #expect(answer.status == status, "\(method) \(target): \(answer.text)")
                #expect(answer.code == code, "\(method) \(target): \(answer.text)")
            }
            let key = group.group.key.text
            for authorization in [
                nil, api.authorization, TestAPI.basic("group-\(key):x"), TestAPI.basic("group-:x"),
                TestAPI.basic("group-x:x"),
                TestAPI.basic("group-\(String(repeating: "0", count: 24)):x"),
                group.authorization.replacing("Basic", with: "Bearer"),
            ] {
                let answer = try await api.call("POST", "/v3/grouppush", hello, authorization: .some(authorization))
                #expect(answer.status == 401)
                #expect(answer.code == 1004)
            }
            #expect(try await api.call("POST", "/v3/push", hello, authorization: group.authorization).code == 1008)
        }
    }

    @Test("A group's calls are counted apart from those of its apps")
    func rate() async throws {
        try await TestAPI.run(callLimits: .all(1)) { api in
            try await api.addDevice()
            let group = try await group(api, [api.app.id])
            #expect(try await api.call("POST", "/v3/push", hello).status == 200)
            #expect(
                try await api.call("POST", "/v3/grouppush", hello, authorization: group.authorization).status == 200
            )
            let refused = try await api.call("POST", "/v3/grouppush", hello, authorization: group.authorization)
            #expect(refused.status == 429)
            #expect(refused.code == 2002)
        }
    }
}
