import Foundation
import PushModel
import PushService
import TestSupport
import Testing

/// Virtual time begins on 1 January 2026 at 08:00 UTC: 16:00 in China.
@Suite("Files and file pushes over a socket", .suiteLimit)
struct FileRouteTests {
    private static func form(_ parts: [(disposition: String, content: String)]) -> String {
        parts.map { "--b\r\nContent-Disposition: form-data; \($0)\r\n\r\n\($1)\r\n" }.joined() + "--b--\r\n"
    }

    private static func form(_ content: String, name: String = "a.txt", ttl: String? = nil) -> String {
        let file = (disposition: "name=\"filename\"; filename=\"\(name)\"", content: content)
        return form([file] + (ttl.map { [(disposition: "name=\"ttl\"", content: $0)] } ?? []))
    }

    private func upload(
        _ api: TestAPI,
        _ body: String,
        to kind: String = "alias",
        type: String = "multipart/form-data; boundary=b",
        authorization: String?? = .none
    ) async throws -> Answer {
        try await RawConnection.open(api.port) { connection in
            let target = "/v3/files/\(kind)"
            let head = api.request("POST", target, body, authorization: authorization, headers: "Content-Type: \(type)")
            try await connection.send(head)
            return try await connection.answer()
        }
    }

    private func bob(_ api: TestAPI) async throws -> RegisteredDevice {
        let device = try await api.addDevice()
        let changed = try await api.core.store.updateDevices([device.id.ordinal], of: api.app.id, keepingTags: []) {
            $0.alias = "bob"
        }
        api.core.registry.apply(changed)
        return device
    }

    @Test("The library for Go uploads a file without its last boundary, with the length that it announced")
    func goSDK_uploadWithoutLastBoundary() async throws {
        try await TestAPI.run { api in
            _ = try await bob(api)
            let whole = Self.form("bob\n")
            let answer = try await upload(api, String(whole.dropLast("\r\n--b--\r\n".count)))
            let id = try #require(answer.json?["file_id"]?.string, "\(answer.text)")
            let push = """
                {"platform":"all","audience":{"file":{"file_id":"\(id)"}},"notification":{"alert":"x"}}
                """
            #expect(try await api.call("POST", "/v3/push/file", push).status == 200)
        }
    }

    @Test("A file is uploaded, listed, read, pushed to and deleted, in exactly the keys of JPush")
    func life() async throws {
        try await TestAPI.run { api in
            _ = try await bob(api)
            let answer = try await upload(api, Self.form("bob\r\nann\r\n", name: "别名.txt", ttl: "24"))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json?.keys == ["file_id"])
            let id = try #require(answer.json?["file_id"]?.string)
            #expect(id.hasPrefix("\(api.app.key)-"))
            #expect(UUID(uuidString: String(id.dropFirst(25))) != nil)
            let plain = try await upload(api, Self.form("0f", name: ""), to: "registration_id/")
            let plainID = try #require(plain.json?["file_id"]?.string)
            let list = try await api.call("GET", "/v3/files/")
            #expect(list.json?.keys == ["total_count", "files"])
            #expect(list.json?["total_count"] == 2)
            let one = try await api.call("GET", "/v3/files/\(id)")
            let expected: JSONObject = [
                "file_id": .string(id), "type": "alias", "file_name": "别名.txt", "create_time": "2026-01-01 16:00:00",
                "expire_time": "2026-01-02 16:00:00",
            ]
            #expect(one.json == expected)
            let other: JSONObject = [
                "file_id": .string(plainID), "type": "registration_id", "create_time": "2026-01-01 16:00:00",
            ]
            #expect(list.json?["files"] == [.object(expected), .object(other)])
            let body = hello.replacing("\"audience\":\"all\"", with: "\"audience\":{\"file\":{\"file_id\":\"\(id)\"}}")
            let push = try await api.call("POST", "/v3/push/file", body)
            #expect(push.status == 200, "\(push.text)")
            #expect(push.json?.keys == ["sendno", "msg_id"])
            let deleted = try await api.call("DELETE", "/v3/files/\(id)")
            #expect(deleted.status == 200)
            #expect(deleted.text.hasSuffix("{}"))
            #expect(try await api.call("GET", "/v3/files").json?["total_count"] == 1)
        }
    }

    @Test("Every failure of the family has its code and status")
    func errors() async throws {
        try await TestAPI.run { api in
            let uploads: [(String, String, Int64)] = [
                ("", "multipart/form-data; boundary=b", 1003), (Self.form("bob"), "text/plain", 1003),
                (Self.form("bob"), "multipart/form-data", 1003),
                (Self.form([]), "multipart/form-data; boundary=b", 1002),
                (Self.form([("name=\"file\"", "bob")]), "multipart/form-data; boundary=b", 1002),
                (Self.form(""), "multipart/form-data; boundary=b", 1003),
                (Self.form("a b"), "multipart/form-data; boundary=b", 1003),
                (Self.form("bob", ttl: "0"), "multipart/form-data; boundary=b", 1003),
                (Self.form("bob", ttl: "721"), "multipart/form-data; boundary=b", 1003),
                (Self.form("bob", ttl: "day"), "multipart/form-data; boundary=b", 1003),
            ]
            for (body, type, code) in uploads {
                let answer = try await upload(api, body, type: type)
                #expect(answer.status == 400, "\(answer.text)")
                #expect(answer.code == code, "\(answer.text)")
            }
            let foreign = try await upload(api, Self.form("bob"), to: "tag")
            #expect(foreign.code == 1003)
            let large = try await upload(api, Self.form(String(repeating: "x\n", count: 5 * 1024 * 1024 + 1)))
            #expect(large.status == 400)
            #expect(large.code == 1003)
            #expect(large.message?.contains("10485760 bytes") == true)
            let file = "\(api.app.key)-\(UUID().uuidString)"
            let body = hello.replacing(
                "\"audience\":\"all\"",
                with: "\"audience\":{\"file\":{\"file_id\":\"\(file)\"}}"
            )
            let table: [(String, String, String?, Int, Int64)] = [
                ("GET", "/v3/files/\(file)", nil, 404, 1003), ("DELETE", "/v3/files/\(file)", nil, 404, 1003),
                ("PUT", "/v3/files/\(file)", "", 405, 1001), ("DELETE", "/v3/files", nil, 405, 1001),
                ("GET", "/v3/files/alias", nil, 405, 1001), ("POST", "/v3/push/file", body, 404, 1003),
                ("POST", "/v3/push/file", hello, 400, 1003), ("POST", "/v3/push", body, 400, 1003),
                ("POST", "/v3/push/file", "{}", 400, 1002), ("GET", "/v3/push/file", nil, 405, 1001),
            ]
            for (method, target, body, status, code) in table {
                let answer = try await api.call(method, target, body)
                #expect(answer.status == status, "\(method) \(target): \(answer.text)")
                #expect(answer.code == code, "\(method) \(target): \(answer.text)")
            }
            for _ in 0..<20 { _ = try await upload(api, Self.form("bob")) }
            let beyond = try await upload(api, Self.form("bob"))
            #expect(beyond.code == 1003)
            #expect(beyond.message?.contains("20 files") == true)
            let stranger = try await upload(api, Self.form("bob"), authorization: .some(nil))
            #expect(stranger.status == 401)
            #expect(stranger.code == 1004)
        }
    }

    @Test("Ten megabytes of names are taken")
    func largest() async throws {
        try await TestAPI.run { api in
            let names = String(repeating: String(repeating: "x", count: 39) + "\n", count: JPushLimits.fileBytes / 40)
            let answer = try await upload(api, Self.form(names))
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test("Images are refused, as they are for Android")
    func images() async throws {
        try await TestAPI.run { api in
            for (method, target, status, code) in [
                ("POST", "/v3/images/byurls", 403, 2007), ("PUT", "/v3/images/byurls/7", 403, 2007),
                ("POST", "/v3/images/byfiles/", 403, 2007), ("PUT", "/v3/images/byfiles/7", 403, 2007),
                ("GET", "/v3/images/byurls", 405, 1001), ("DELETE", "/v3/images/byfiles/7", 405, 1001),
            ] as [(String, String, Int, Int64)] {
                let answer = try await api.call(
                    method,
                    target,
                    "{\"image_type\":1,\"image_url\":\"https://a.b/c.png\"}"
                )
                #expect(answer.status == status, "\(method) \(target)")
                #expect(answer.code == code)
            }
            #expect(try await api.call("POST", "/v3/images/byurls", "{}").message?.contains("Android") == true)
            #expect(try await api.call("POST", "/v3/images/byurls", "{}", authorization: .some(nil)).code == 1004)
        }
    }
}
