import Foundation
import PosthornTesting
import PushDevice
import PushLab
import PushLabNotificationService
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

@Suite("PushLab's service extension: sealed bodies", .suiteLimit)
@MainActor
struct PushLabSealedBodyTests {
    private let app = InstalledApp(bundleID: "com.example.pushlab", name: "PushLab")
    private let key = Data(repeating: 7, count: 32)

    /// - Returns: what the phone shows of a push with this sealed body, and what the extension wrote.
    private func show(_ sealed: String, key: Data?) async -> (body: String?, log: [String]) {
        let phone = TestPhone(.iOS(17))
        let lines = Recorder<String>()
        let settings = ServiceSettings(bodyKey: key, log: { lines.add($0) })
        phone.install(app, serviceExtension: { NotificationService(settings: settings) }) {
            AppDelegate(settings: PushLabSettings(appKey: nil))
        }
        await phone.open(app)
        await phone.background(app)
        await phone.push(
            ["aps": ["alert": ["title": "Ann", "body": "…"], "mutable-content": 1], "sealed": .string(sealed)],
            to: app
        )
        return (phone.device.screen.list.first?.body, lines.elements)
    }

    @Test("A body is opened with the key of the settings", arguments: [16, 24, 32])
    func opens(_ bytes: Int) async throws {
        let key = Data(repeating: 9, count: bytes)
        let sealed = try SealedBody(sealing: "Grüße, 你好 👋", with: key)
        let shown = await show(sealed.text, key: key)
        #expect(shown.body == "Grüße, 你好 👋")
        #expect(shown.log.isEmpty)
    }

    @Test("An unreadable push shows a placeholder, and the log says why, without the text or the key")
    func placeholder() async throws {
        let sealed = try SealedBody(sealing: "secret", with: key).text
        var bytes = try #require(Data(base64Encoded: sealed))
        bytes[bytes.count - 1] ^= 1
        let cases: [(String, Data?, String)] = [
            (sealed, nil, "noKey"), (sealed, Data(count: 5), "noKey"), (sealed, Data(count: 32), "wrongKey"),
            (bytes.base64EncodedString(), key, "wrongKey"), ("no base64!", key, "malformed"),
            (Data(count: 10).base64EncodedString(), key, "malformed"), ("", key, "malformed"),
        ]
        for (text, key, reason) in cases {
            let shown = await show(text, key: key)
            #expect(shown.body == NotificationService.placeholder)
            #expect(shown.log == ["The body of a push cannot be decrypted: \(reason)"])
        }
    }

    @Test("A text sealed elsewhere is opened: nonce, ciphertext and tag in base64")
    func foreign() throws {
        // Made with Python's cryptography: AESGCM(bytes([7]) * 32).encrypt(bytes(range(12)), b"Hello from elsewhere", None).
        let sealed = SealedBody("AAECAwQFBgcICQoLUOSFHHIpvzsY38X5jisJjYlZxOv3yoGPqi+SZY1CwaxyzDev")
        #expect(try sealed.open(with: key) == "Hello from elsewhere")
    }

    @Test("Bytes that are no text are no body")
    func noText() throws {
        // The same key and nonce, b"\xff\xfe".
        let sealed = SealedBody("AAECAwQFBgcICQoL53/bNlFIyv6RlFaznJrqb0xN")
        #expect(throws: SealedBody.Problem.noText) { try sealed.open(with: key) }
    }

    @Test("A push without a sealed body and without a picture is shown as it came")
    func untouched() async {
        let phone = TestPhone(.iOS(17))
        phone.install(app, serviceExtension: { NotificationService(settings: ServiceSettings(bodyKey: nil)) }) {
            AppDelegate(settings: PushLabSettings(appKey: nil))
        }
        await phone.open(app)
        await phone.background(app)
        await phone.push(["aps": ["alert": "Plain", "mutable-content": 1]], to: app)
        #expect(phone.device.screen.list.map(\.body) == ["Plain"])
    }
}
