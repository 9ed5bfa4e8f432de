import Foundation
import PosthornTesting
import PushDevice
import PushLab
import PushLabNetwork
import PushLabNotificationService
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

/// The sample app's service extension over real HTTP, on a phone under a clock that the test turns.
@Suite("PushLab's service extension: pictures, sounds and videos", .suiteLimit)
@MainActor
struct PushLabMediaTests {
    private let app = InstalledApp(bundleID: "com.example.pushlab", name: "PushLab")
    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0])
    private let key = Data(repeating: 3, count: 32)
    private let lines = Recorder<String>()

    private func phone(_ fetch: BoundedFetch.Function? = nil) async -> TestPhone {
        let phone = TestPhone(.iOS(17))
        let settings = ServiceSettings(
            bodyKey: key,
            fetch: fetch ?? BoundedFetch.network(from: AllowedHosts(["127.0.0.1"])),
            log: { [lines] in lines.add($0) }
        )
        phone.install(app, serviceExtension: { NotificationService(settings: settings) }) {
            AppDelegate(settings: PushLabSettings(appKey: nil))
        }
        await phone.open(app)
        await phone.background(app)
        return phone
    }

    private func send(
        _ url: String,
        as key: String = "image",
        sealed: String? = nil,
        to phone: TestPhone
    ) async -> String {
        var payload: JSONObject = ["aps": ["alert": ["title": "Cat", "body": "…"], "mutable-content": 1]]
        payload[key] = .string(url)
        payload["sealed"] = sealed.map { .string($0) }
        return await phone.push(.object(payload), to: app)
    }

    /// - Returns: what the phone shows, once it does.
    private func shown(_ push: String, on phone: TestPhone) async throws -> ShownNotification {
        _ = await phone.journeys.first(of: push) { $0 == .presented(.banner) }
        return try #require(phone.device.screen.list.first)
    }

    @Test("The picture that the payload names is attached")
    func attached() async throws {
        try await FileServer.run { server in
            server.set("/cat", png, type: "image/png")
            let phone = await phone()
            let push = await send(server.url("/cat"), to: phone)
            let shown = try await shown(push, on: phone)
            let attachment = try #require(shown.notification.content.attachments.first)
            #expect(attachment.type == "public.png")
            #expect(FileManager.default.contents(atPath: attachment.path) == png)
            #expect(lines.elements.isEmpty)
        }
    }

    @Test(
        "A sound and a video are attached with the type that the server gives",
        arguments: [
            ("audio", "audio/x-aiff", "FORM\0\0\0\u{4}AIFF", "public.aiff-audio"),
            ("audio", "audio/wav", "RIFF\u{4}\0\0\0WAVE", "com.microsoft.waveform-audio"),
            ("audio", "audio/mpeg", "ID3\u{4}\0\0\0\0\0\0", "public.mp3"),
            ("audio", "audio/mp4", "\0\0\0\u{10}ftypM4A \0\0\0\0", "public.mpeg-4-audio"),
            ("video", "video/mpeg", "\0\0\u{1}", "public.mpeg"),
            ("video", "video/mpeg2", "\0\0\u{1}", "public.mpeg-2-video"),
            ("video", "video/mp4", "\0\0\0\u{10}ftypisom\0\0\0\0", "public.mpeg-4"),
            ("video", "video/x-msvideo", "RIFF\u{4}\0\0\0AVI ", "public.avi"),
        ]
    )
    func media(_ key: String, _ mediaType: String, _ bytes: String, _ type: String) async throws {
        try await FileServer.run { server in
            server.set("/file", Data(bytes.utf8), type: mediaType)
            let phone = await phone()
            let push = await send(server.url("/file"), as: key, to: phone)
            let shown = try await shown(push, on: phone)
            let attachment = try #require(shown.notification.content.attachments.first)
            #expect(attachment.type == type)
            #expect(attachment.identifier == key)
            #expect(FileManager.default.contents(atPath: attachment.path) == Data(bytes.utf8))
            #expect(lines.elements.isEmpty)
        }
    }

    @Test(
        "A sound or a video of another kind, or too large, is not attached, and the log says why",
        arguments: [("audio", "sound", 5_242_880), ("video", "video", 52_428_800)]
    )
    func otherMedia(_ key: String, _ kind: String, _ limit: Int) async throws {
        try await FileServer.run { server in
            server.set("/cat", png, type: "image/png")
            server.set("/large", Data(count: limit + 1), type: "\(key)/mpeg")
            let phone = await phone()
            for path in ["/cat", "/large"] {
                let push = await send(server.url(path), as: key, to: phone)
                let shown = try await shown(push, on: phone)
                #expect(shown.notification.content.attachments.isEmpty)
            }
            let prefix = "The \(kind) of a push could not be fetched: "
            #expect(lines.elements.map { $0.hasPrefix(prefix) } == [true, true])
            #expect(lines.elements.first?.hasSuffix("wrongType(\"image/png\")") == true)
            #expect(lines.elements.last?.hasSuffix("TooLarge(limit: \(limit))") == true)
        }
    }

    @Test("A picture that has moved is followed to its new place")
    func moved() async throws {
        try await FileServer.run { server in
            server.set("/cat", png, type: "image/png")
            let phone = await phone()
            let push = await send(server.url("/moved/cat"), to: phone)
            let shown = try await shown(push, on: phone)
            let attachment = try #require(shown.notification.content.attachments.first)
            #expect(FileManager.default.contents(atPath: attachment.path) == png)
            #expect(server.requests == ["GET /moved/cat", "GET /cat"])
        }
    }

    @Test("A push may have a sealed body and a picture")
    func both() async throws {
        let sealed = try SealedBody(sealing: "Meow", with: key).text
        try await FileServer.run { server in
            server.set("/cat", png, type: "image/png")
            let phone = await phone()
            let push = await send(server.url("/cat"), sealed: sealed, to: phone)
            let shown = try await shown(push, on: phone)
            #expect(shown.body == "Meow")
            #expect(shown.notification.content.attachments.count == 1)
        }
    }

    @Test("Without its picture a push is shown all the same, and the log says why")
    func without() async throws {
        try await FileServer.run { server in
            server.set("/page", Data("<html>".utf8), type: "text/html")
            server.set("/large", Data(count: 10_485_761), type: "image/png")
            server.set("/empty", Data(), type: "image/png")
            let phone = await phone()
            for path in ["/missing", "/page", "/large", "/endless", "/empty"] {
                let push = await send(server.url(path), to: phone)
                let shown = try await shown(push, on: phone)
                #expect(shown.title == "Cat")
                #expect(shown.notification.content.attachments.isEmpty)
            }
            let push = await send("file:///etc/passwd", to: phone)
            _ = try await shown(push, on: phone)
            let reasons = [
                "status(404)", "wrongType(\"text/html\")", "TooLarge(limit: 10485760)",
                "TooLarge(limit: 10485760)", "",
                "noURL(\"file:///etc/passwd\")",
            ]
            #expect(lines.elements.count == reasons.count)
            for (line, reason) in zip(lines.elements, reasons) {
                #expect(line.hasPrefix("The picture of a push could not be fetched: "))
                #expect(line.hasSuffix(reason))
            }
        }
    }

    @Test("When the time is over the push is shown as far as it has come")
    func outOfTime() async throws {
        let sealed = try SealedBody(sealing: "Meow", with: key).text
        try await FileServer.run { server in
            let phone = await phone()
            let push = await send(server.url("/silence"), sealed: sealed, to: phone)
            await server.request()
            #expect(phone.device.screen.list.isEmpty)
            await phone.advance(by: .seconds(30))
            let shown = try await shown(push, on: phone)
            #expect(shown.body == "Meow")
            #expect(shown.notification.content.attachments.isEmpty)
            #expect(phone.journeys.kinds(of: push).contains(.serviceExtension(.ran)))
            #expect(lines.elements.first == "The files of a push took too long.")
        }
    }
}
