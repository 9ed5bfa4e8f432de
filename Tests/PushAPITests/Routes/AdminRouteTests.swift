import DeviceLink
import Foundation
import PushAPI
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

@Suite("Admin API over a socket", .suiteLimit)
struct AdminRouteTests {
    /// - Returns: what a new developer proves itself with.
    private static func developer(_ api: TestAPI) async throws -> (key: AppKey, authorization: String) {
        let made = try await api.core.store.createDeveloper(name: "developer", at: api.clock.date)
        return (made.developer.key, TestAPI.basic("\(made.developer.key):\(made.secret)"))
    }

    private static func create(_ api: TestAPI, _ package: String, _ authorization: String) async throws -> JSONObject {
        let body = "{\"app_name\":\"应用\",\"android_package\":\"\(package)\",\"group_name\":null}"
        let answer = try await api.call("POST", "/v1/app", body, authorization: .some(authorization))
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(answer.json)
    }

    @Test("An app is made once for its package; the second answer has the same keys, and they work")
    func create() async throws {
        try await TestAPI.run { api in
            let (_, developer) = try await Self.developer(api)
            let made = try await Self.create(api, "cn.example.app", developer)
            #expect(made.keys == ["app_key", "is_new_created", "android_package", "master_secret"])
            #expect(made["is_new_created"] == true)
            #expect(made["android_package"] == "cn.example.app")
            var expected = made
            expected["is_new_created"] = false
            #expect(try await Self.create(api, "cn.example.app", developer) == expected)
            let key = try #require(made["app_key"]?.string)
            let secret = try #require(made["master_secret"]?.string)
            #expect(key.count == 24)
            #expect(secret.count == 24)
            let app = TestAPI.basic("\(key):\(secret)")
            let tags = try await api.call("GET", "/v3/tags", authorization: .some(app))
            #expect(tags.status == 200)
            let (_, second) = try await Self.developer(api)
            let other = try await Self.create(api, "cn.example.app", second)
            #expect(other["is_new_created"] == true)
            #expect(other["app_key"] != made["app_key"])
        }
    }

    /// So many wait already.
    private struct Busy: CredentialInspector {
        func inspect(_ file: [UInt8], passPhrase: String) async throws -> InspectedFile {
            throw TooManyUploads(retryAfter: 5)
        }
    }

    @Test("A certificate beyond those that wait to be read is answered with 503, and when to come again")
    func tooManyUploads() async throws {
        try await TestAPI.run(inspector: Busy()) { api in
            let (_, developer) = try await Self.developer(api)
            let key = try #require(try await Self.create(api, "cn.example.app", developer)["app_key"]?.string)
            let form =
                "--b\r\nContent-Disposition: form-data; name=\"proCertificateFile\"; filename=\"a\"\r\n\r\nx\r\n--b--\r\n"
            let type = "Content-Type: multipart/form-data; boundary=b"
            let answer = try await RawConnection.open(api.port) { connection in
                let path = "/v1/app/\(key)/certificate"
                try await connection.send(api.request("POST", path, form, authorization: developer, headers: type))
                return try await connection.answer()
            }
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "5")
            #expect(answer.message == "Too many certificates are being read; upload it again in 5 seconds.")
        }
    }

    /// A certificate for production, whatever the file.
    private struct Valid: CredentialInspector {
        func inspect(_ file: [UInt8], passPhrase: String) -> InspectedFile {
            let certificate = InspectedCertificate(
                bundleID: "cn.example.app",
                environments: [.production],
                topics: ["cn.example.app"],
                teamID: nil,
                commonName: nil,
                notBefore: .distantPast,
                notAfter: .distantFuture,
                fingerprint: file
            )
            return InspectedFile(certificate)
        }
    }

    private final class Spy: CredentialTester {
        private let apps = Mutex<[App.ID]>([])
        var changed: [App.ID] { apps.withLock { $0 } }

        func test(_ trial: CredentialTrial) async -> CredentialTest {
            CredentialTest(environment: trial.environment, isAccepted: true)
        }
        func credentialsChanged(of app: App.ID) async { apps.withLock { $0.append(app) } }
    }

    @Test("A replaced certificate is used from the next push on: the sender hears of each upload that is stored")
    func uploadIsNotified() async throws {
        let spy = Spy()
        try await TestAPI.run(inspector: Valid(), tester: spy) { api in
            let (_, developer) = try await Self.developer(api)
            let key = try #require(try await Self.create(api, "cn.example.app", developer)["app_key"]?.string)
            let appKey = try #require(AppKey(key))
            let app = try #require(try await api.core.registry.app(appKey)).id
            for content in ["one", "two", "two"] {
                let form = Self.form(("proCertificateFile", content))
                #expect(try await Self.upload(api, key, form, developer).status == 200)
            }
            #expect(spy.changed == [app, app], "The third is the second, and is refused.")
        }
    }

    @Test("The open link of a deleted app is closed, and changes its device no more")
    func openLink() async throws {
        try await TestAPI.run { api in
            let (_, developer) = try await Self.developer(api)
            let made = try await Self.create(api, "cn.example.app", developer)
            let key = try #require(made["app_key"]?.string)
            let appKey = try #require(AppKey(key))
            let app = try #require(try await api.core.registry.app(appKey))
            let (link, heard) = api.openLink()
            let (quiet, quietHeard) = api.openLink()
            var answers = heard.makeAsyncIterator()
            var quietAnswers = quietHeard.makeAsyncIterator()
            let registration = SDKRegistration(
                appKey: key,
                bundleID: app.bundleID,
                channel: nil,
                environment: .production,
                system: "iOS 17.0",
                installation: "i"
            )
            while let event = await answers.next() { if case .opened = event { break } }
            link.send(SDKFrame.register(registration).text)
            var identity: (id: String, secret: String)?
            while identity == nil, let answer = await answers.next() {
                if case .frame(.registered(let id, let secret, _)) = answer { identity = (id, secret) }
            }
            let (id, secret) = try #require(identity)
            while let event = await quietAnswers.next() { if case .opened = event { break } }
            // One that takes no messages is not known to the router.
            quiet.send(
                SDKFrame.login(appKey: key, registrationID: id, secret: secret, takesMessages: false).text
            )
            while let answer = await quietAnswers.next() { if case .frame(.loggedIn) = answer { break } }
            let deleted = try await api.call("POST", "/v1/app/\(key)/delete", authorization: .some(developer))
            #expect(deleted.status == 200)
            var isClosed = false
            while let answer = await answers.next() { if case .closed = answer { isClosed = true } }
            #expect(isClosed)
            quiet.send(SDKFrame.request(number: 1, .setAlias("late")).text)
            var code = 0
            while let answer = await quietAnswers.next() {
                if case .frame(.refused(let refusal, _)) = answer { code = refusal }
            }
            #expect(code == 1005)
            let device = try await api.core.store.devices(of: app.id, from: 0, limit: 1).first
            #expect(device?.alias == nil)
        }
    }

    @Test("A deleted app is unknown at once; the same package makes another")
    func delete() async throws {
        try await TestAPI.run { api in
            let (_, developer) = try await Self.developer(api)
            let made = try await Self.create(api, "cn.example.app", developer)
            let key = try #require(made["app_key"]?.string)
            let secret = try #require(made["master_secret"]?.string)
            // A library for PHP sends an array.
            let deleted = try await api.call("POST", "/v1/app/\(key)/delete", "[]", authorization: .some(developer))
            #expect(deleted.status == 200)
            #expect(deleted.json == ["success": "Synchronized success"])
            let app = TestAPI.basic("\(key):\(secret)")
            let push = try await api.call("POST", "/v3/push", hello, authorization: .some(app))
            #expect(push.status == 401)
            #expect(push.code == 1004)
            #expect(try await api.call("GET", "/v3/tags", authorization: .some(app)).code == 7008)
            let again = try await api.call("POST", "/v1/app/\(key)/delete", authorization: .some(developer))
            #expect(again.status == 200)
            #expect(again.code == 1015)
            let next = try await Self.create(api, "cn.example.app", developer)
            #expect(next["is_new_created"] == true)
            #expect(next["app_key"]?.string != key)
            await api.core.housekeeper.tidy()
            #expect(try await !api.core.store.hasOrphans())
        }
    }

    private static func form(_ parts: (name: String, content: String)...) -> String {
        parts.map {
            "--b\r\nContent-Disposition: form-data; name=\"\($0.name)\"; filename=\"x.p12\"\r\n\r\n\($0.content)\r\n"
        }.joined() + "--b--\r\n"
    }

    private static func upload(
        _ api: TestAPI,
        _ key: String,
        _ body: String,
        _ authorization: String,
        type: String = "multipart/form-data; boundary=b"
    ) async throws -> Answer {
        try await RawConnection.open(api.port) { connection in
            let request = api.request(
                "POST",
                "/v1/app/\(key)/certificate",
                body,
                authorization: .some(authorization),
                headers: "Content-Type: \(type)"
            )
            try await connection.send(request)
            return try await connection.answer()
        }
    }

    @Test("Each failure of the business comes with 200 and an error")
    func businessFailures() async throws {
        try await TestAPI.run { api in
            let (_, developer) = try await Self.developer(api)
            let (_, other) = try await Self.developer(api)
            let made = try await Self.create(api, "cn.example.app", developer)
            let key = try #require(made["app_key"]?.string)
            let file = Self.form(("devCertificateFile", "no certificate"), ("devCertificatePassword", "secret"))
            let empty = Self.form(("devCertificateFile", ""), ("proCertificatePassword", "secret"))
            let unknown = String(repeating: "0", count: 24)
            let table: [(String, String, String, Int64)] = [
                (key, file, developer, 1012), (key, empty, developer, 1014), (key, file, other, 1013),
                (unknown, file, developer, 1013), ("short", file, developer, 1013),
                // Made on the command line, by nobody's leave.
                (api.app.key.text, file, developer, 1013),
            ]
            for (key, body, authorization, code) in table {
                let answer = try await Self.upload(api, key, body, authorization)
                #expect(answer.status == 200)
                #expect(answer.code == code, "\(answer.text)")
                #expect(answer.message?.isEmpty == false)
            }
            for key in [unknown, "short", api.app.key.text] {
                let answer = try await api.call("POST", "/v1/app/\(key)/delete", authorization: .some(developer))
                #expect(answer.status == 200)
                #expect(answer.code == 1013)
            }
            #expect(try await api.call("POST", "/v1/app/\(key)/delete", authorization: .some(developer)).status == 200)
            #expect(try await Self.upload(api, key, file, developer).code == 1013)
        }
    }

    @Test("Callers that cannot authenticate are told apart")
    func authentication() async throws {
        try await TestAPI.run { api in
            let (key, developer) = try await Self.developer(api)
            let (disabled, disabledAuthorization) = try await Self.developer(api)
            #expect(try await api.core.store.enableDeveloper(disabled, false))
            let table: [(String?, Int64)] = [
                (nil, 4006), ("Bearer x", 4006), ("Basic !", 4006), (TestAPI.basic("short:x"), 4004),
                (TestAPI.basic("\(String(repeating: "0", count: 24)):x"), 4004), (api.authorization, 4004),
                (TestAPI.basic("\(key):wrong"), 4005), (disabledAuthorization, 4007),
            ]
            for (authorization, code) in table {
                for path in ["/v1/app", "/v1/app/\(api.app.key)/delete", "/v1/app/\(api.app.key)/certificate"] {
                    let answer = try await api.call("POST", path, "{}", authorization: .some(authorization))
                    #expect(answer.status == 401)
                    #expect(answer.code == code, "\(authorization ?? "none")")
                }
            }
            #expect(try await api.core.store.enableDeveloper(disabled, true))
            _ = try await Self.create(api, "cn.example.app", disabledAuthorization)
            let answer = try await api.call("POST", "/v1/app/", "{}", authorization: .some(developer))
            #expect(answer.code == 4002)
            #expect(answer.headers["x-rate-limit-remaining"] == "59999")
        }
    }

    @Test("Each error of the family has its code and status")
    func errors() async throws {
        try await TestAPI.run { api in
            let (_, developer) = try await Self.developer(api)
            let table: [(String, String, String?, Int, Int64)] = [
                ("GET", "/v1/app", nil, 405, 4001), ("PUT", "/v1/app", "{}", 405, 4001),
                ("GET", "/v1/app/x/delete", nil, 405, 4001), ("GET", "/v1/app/x/certificate", nil, 405, 4001),
                ("POST", "/v1/app", "{\"app_name\":\"a\"}", 400, 4002),
                ("POST", "/v1/app", "{\"app_name\":null,\"android_package\":\"a\"}", 400, 4002),
                ("POST", "/v1/app", "{\"app_name\":1,\"android_package\":\"a\"}", 400, 4003),
                ("POST", "/v1/app", "{,}", 400, 4003), ("POST", "/v1/app/x/certificate", "{}", 400, 4003),
            ]
            for (method, target, body, status, code) in table {
                let answer = try await api.call(method, target, body, authorization: .some(developer))
                #expect(answer.status == status, "\(method) \(target)")
                #expect(answer.code == code, "\(method) \(target)")
                #expect(answer.message?.isEmpty == false)
            }
            let cut = try await Self.upload(api, "x", "--b\r\n", developer)
            #expect(cut.code == 4003)
        }
    }

    @Test("A developer's calls are counted by themselves, and 429 beyond the limit")
    func rateLimit() async throws {
        try await TestAPI.run(callLimits: .all(1)) { api in
            let (_, developer) = try await Self.developer(api)
            _ = try await Self.create(api, "cn.example.app", developer)
            let refused = try await api.call("POST", "/v1/app", "{}", authorization: .some(developer))
            #expect(refused.status == 429)
            #expect(refused.code == 2002)
            #expect(try await api.call("GET", "/v3/tags").status == 200)
        }
    }
}
