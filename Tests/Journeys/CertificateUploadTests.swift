import APNSGateway
import AppleDeveloper
import Foundation
import Logging
import PosthornStack
import PosthornTesting
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// The Admin API with real certificates: what is uploaded over HTTP proves the app to the gateway over TLS.
@Suite("An uploaded certificate pushes", .suiteLimit)
struct CertificateUploadTests {
    private static let password = "kennwort"

    /// A bundle as Keychain Access exports it, issued by the gateway's own authority.
    ///
    /// `life`: seconds for which it is still good; as long as any if nothing is said.
    private static func bundle(
        _ stack: Stack,
        _ bundleID: String,
        _ environments: Set<APNSEnvironment>,
        life: TimeInterval? = nil
    ) throws -> [UInt8] {
        let order = GatewayAuthority.PushOrder(
            appID: try AppID(bundleID: bundleID, hasPush: true),
            teamID: GatewayNode.teamID,
            environments: environments
        )
        let key = try CertificateKey()
        let authority = stack.gateway.authority
        var certificate = try authority.issue(order, to: key.publicKey, at: Date())
        if let life {
            let made = Date().addingTimeInterval(life - certificate.notValidAfter.timeIntervalSinceNow)
            certificate = try authority.issue(order, to: key.publicKey, at: made)
        }
        var random = SystemRandomNumberGenerator()
        return try PKCS12Bundle(certificate, key: key).encoded(password: password, using: &random)
    }

    /// An app that a developer made, with the credentials of both.
    private struct Owned {
        var developer: APIClient
        var app: APIClient
        var key: String
    }

    private static func make(_ stack: Stack) async throws -> Owned {
        let url = stack.api.url
        let made = stack.developer
        let developer = APIClient(url: url, appKey: made.developer.key.text, masterSecret: made.secret)
        let answer = try await developer.post(
            "/v1/app",
            Array("{\"app_name\":\"a\",\"android_package\":\"cn.example.pushlab\"}".utf8)
        )
        let key = try #require(answer.json.object?["app_key"]?.string)
        let secret = try #require(answer.json.object?["master_secret"]?.string)
        return Owned(developer: developer, app: APIClient(url: url, appKey: key, masterSecret: secret), key: key)
    }

    /// A form with `files` by the beginning of their names, `dev` or `pro`.
    private static func upload(
        _ owned: Owned,
        _ files: [(prefix: String, file: [UInt8])],
        password: String = password
    ) async throws -> JSONObject {
        var body: [UInt8] = []
        for (prefix, file) in files {
            let part = "--b\r\nContent-Disposition: form-data; name=\"\(prefix)Certificate"
            body += Array("\(part)File\"; filename=\"a.p12\"\r\nContent-Type: application/x-pkcs12\r\n\r\n".utf8)
            body += file + Array("\r\n\(part)Password\"\r\n\r\n\(password)\r\n".utf8)
        }
        body += Array("--b--\r\n".utf8)
        let answer = try await owned.developer.post(
            "/v1/app/\(owned.key)/certificate",
            body,
            contentType: "multipart/form-data; boundary=b"
        )
        #expect(answer.status == 200, "\(answer.json.text)")
        return try #require(answer.json.object)
    }

    private static func code(_ answer: JSONObject) -> Int64? { answer["error"]?.object?["code"]?.integer }

    /// A device of the app with a token that the gateway has issued.
    private static func addDevice(_ stack: Stack, _ key: String, _ topic: String) async throws -> RegistrationID {
        let core = stack.service.core
        let appKey = try #require(AppKey(key))
        let app = try #require(try await core.registry.app(appKey))
        let token = stack.gateway.server.gateway.issueToken(topic: topic, environment: .production)
        let now = stack.settings.clock.date
        let device = try await core.store.registerDevice(
            app: app.id,
            installation: "d",
            note: nil,
            make: { ordinal in
                RegisteredDevice(
                    id: DeviceID(app: app.id, ordinal: ordinal),
                    installation: "d",
                    secretHash: SecretHash(of: "d"),
                    token: token,
                    environment: .production,
                    tokenRegisteredAt: now,
                    lastSeen: now
                )
            },
            change: { _ in }
        )
        core.registry.apply([device])
        return core.registry.registrationID(of: device.id)
    }

    private static func push(_ owned: Owned) async throws -> String {
        let body = "{\"platform\":\"ios\",\"audience\":\"all\",\"notification\":{\"alert\":\"hi\"}}"
        let answer = try await owned.app.post("/v3/push", Array(body.utf8))
        #expect(answer.status == 200, "\(answer.json.text)")
        return try #require(answer.json.object?["msg_id"]?.string)
    }

    private static func verdict(
        _ states: Verdict.State...,
        of message: String,
        to registrationID: RegistrationID,
        _ owned: Owned
    ) async throws -> String {
        let wanted = states.map(\.rawValue)
        return try await eventual("the verdict of \(message) is one of \(wanted)") {
            let answer = try await owned.app.get("/posthorn/v1/journeys/\(message)/\(registrationID)")
            let verdict = answer.json.object?["verdict"]?.object
            return wanted.contains(verdict?["state"]?.string ?? "") ? verdict?["sentence"]?.string ?? "" : nil
        }
    }

    @Test("A push waits without a certificate, and reaches the gateway over client-certificate TLS with one")
    func roadWithACertificate() async throws {
        // The real clock: certificates are dated by it, and a push that waits is tried again each second.
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let owned = try await Self.make(stack)
            #expect(
                Self.code(try await Self.upload(owned, [("pro", Array("no certificate".utf8))])) == 1012,
                "What is no bundle must not end the process."
            )
            let file = try Self.bundle(stack, Stack.bundleID, [.production])
            #expect(Self.code(try await Self.upload(owned, [("pro", file)], password: "other")) == 1012)
            #expect(Self.code(try await Self.upload(owned, [("dev", file)])) == 1012, "It is for production.")
            let waits = try await Self.addDevice(stack, owned.key, Stack.bundleID)
            let message = try await Self.push(owned)
            _ = try await Self.verdict(.paused, of: message, to: waits, owned)
            #expect(try await Self.upload(owned, [("pro", file)]) == ["success": "Synchronized success"])
            let sentence = try await Self.verdict(.sent, .stored, .delivered, of: message, to: waits, owned)
            #expect(!sentence.isEmpty)
            #expect(Self.code(try await Self.upload(owned, [("pro", file)])) == 1010)
            let another = try Self.bundle(stack, Stack.bundleID, [.production])
            #expect(try await Self.upload(owned, [("pro", another)])["success"] != nil, "A renewed one replaces it.")
            let foreign = try Self.bundle(stack, Stack.otherBundleID, [.development])
            #expect(Self.code(try await Self.upload(owned, [("dev", foreign)])) == 1012, "Another app's.")
            let development = try Self.bundle(stack, Stack.bundleID, [.development, .production])
            #expect(try await Self.upload(owned, [("dev", development)])["success"] != nil)
            // Neither file nor pass phrase lies readable on disk.
            let names = ["posthorn.sqlite", "posthorn.sqlite-wal"]
            for name in names {
                let content = try Data(contentsOf: URL(filePath: "\(stack.settings.folder)/\(name)"))
                #expect(content.firstRange(of: Data(Self.password.utf8)) == nil)
                #expect(content.firstRange(of: Data(file.suffix(64))) == nil)
            }
        }
    }

    @Test("A certificate that has expired pauses the app with a clear state, and spends nobody")
    func fleet36673_expiredCertificatePauses() async throws {
        let clock = VirtualClock(date: Date())
        try await withStack(clock: clock, preparesPhones: false) { stack in
            let owned = try await Self.make(stack)
            // Calendar months differ by three days at most: by the system's time it is good for the whole test.
            let file = try Self.bundle(stack, Stack.bundleID, [.production], life: 5 * 86_400)
            #expect(try await Self.upload(owned, [("pro", file)])["success"] != nil)
            let device = try await Self.addDevice(stack, owned.key, Stack.bundleID)
            let first = try await Self.push(owned)
            _ = try await Self.verdict(.sent, .stored, of: first, to: device, owned)
            let core = stack.service.core
            let appKey = try #require(AppKey(owned.key))
            let id = try #require(try await core.registry.app(appKey)).id
            await clock.advance(by: .seconds(9 * 86_400))
            let second = try await Self.push(owned)
            let sentence = try await Self.verdict(.paused, of: second, to: device, owned)
            #expect(
                sentence == "waits: the app's APNs certificate has expired; upload a new one and the push goes out"
            )
            #expect(Self.code(try await Self.upload(owned, [("pro", file)])) == 1012, "It has expired.")
            let token = try await core.store.device(DeviceID(app: id, ordinal: 0))?.token
            #expect(token != nil)
        }
    }
}
