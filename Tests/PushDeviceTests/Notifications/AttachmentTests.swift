import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID
private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0])

/// Big-endian.
private func bytes(_ number: UInt64, _ width: Int) -> Data {
    Data((0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) })
}

private func box(_ name: String, _ content: Data) -> Data {
    bytes(UInt64(8 + content.count), 4) + Data(name.utf8) + content
}

/// The boxes of an MPEG-4 film of 2.5 seconds, in either width of its header.
private func film(version: UInt8 = 0) -> Data {
    let width = version == 0 ? 4 : 8
    let header =
        Data([version, 0, 0, 0]) + Data(count: 2 * width) + bytes(1000, 4) + bytes(2500, width) + Data(count: 80)
    let free = bytes(1, 4) + Data("free".utf8) + bytes(24, 8) + Data(count: 8)
    return box("ftyp", Data("isommp42".utf8)) + free + box("moov", box("mvhd", header))
}

/// The head of an AVI film of 50 frames of 40 ms: 2 seconds.
private func aviFilm() -> Data {
    func little(_ number: UInt64) -> Data { Data(bytes(number, 4).reversed()) }
    let header = little(40_000) + Data(count: 12) + little(50) + Data(count: 36)
    return Data("RIFF".utf8) + little(80) + Data("AVI LIST".utf8) + little(68) + Data("hdrlavih".utf8) + little(56)
        + header
}

extension TemporaryFolder {
    fileprivate func file(_ name: String) throws -> URL { try file(name, png) }
}

/// Attaches a picture to each push, as an extension that has downloaded it does.
private final class PictureExtension: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var best: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        best = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let best, let path = request.content.userInfo["picture"] as? String else { return }
        if let picture = try? UNNotificationAttachment(identifier: "p", url: URL(fileURLWithPath: path)) {
            best.attachments = [picture]
        }
        contentHandler(best)
    }

    override func serviceExtensionTimeWillExpire() {
        guard let best, let contentHandler else { return }
        best.subtitle = "late"
        contentHandler(best)
    }
}

/// Reads the files of what the user acted on, and answers when it is told to.
private final class FileReader: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    private(set) var read: [Data?] = []
    private var completion: (() -> Void)?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        let button = UNNotificationAction(identifier: "read", title: "Read")
        let files = UNNotificationCategory(
            identifier: "files",
            actions: [button],
            intentIdentifiers: [],
            options: .customDismissAction
        )
        center.setNotificationCategories([files])
        center.requestAuthorization(options: .alert) { _, _ in }
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        read += response.notification.request.content.attachments.map { try? Data(contentsOf: $0.url) }
        completion = completionHandler
    }

    func answer() { completion?() }
}

@Suite("Attachments and service extensions")
@MainActor
struct AttachmentTests {
    private let folder = TemporaryFolder()

    private func code(_ body: () throws -> Void) -> UNError.Code? {
        do { try body() } catch { return (error as? UNError)?.code }
        return nil
    }

    private func opened() async -> TestPhone {
        let phone = TestPhone()
        phone.install(.lab, serviceExtension: { PictureExtension() }) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(.lab)
        await phone.background(.lab)
        return phone
    }

    private func add(_ attachments: [UNNotificationAttachment], on phone: TestPhone) async throws {
        let content = UNMutableNotificationContent()
        content.categoryIdentifier = "files"
        content.title = "Picture"
        content.attachments = attachments
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 10, repeats: false)
        let request = UNNotificationRequest(identifier: "a", content: content, trigger: trigger)
        try await phone.inCentre { try await $0.add(request) }
    }

    @Test("Without an extension or a hint the type is unknown")
    func type() throws {
        let bare = try folder.file("picture")
        #expect(code { _ = try UNNotificationAttachment(identifier: "", url: bare) } == .attachmentUnrecognizedType)
        let hint = [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
        #expect(try UNNotificationAttachment(identifier: "", url: bare, options: hint).type == "public.png")
    }

    @Test("An empty identifier becomes a unique one")
    func identifiers() throws {
        let file = try folder.file("a.png")
        let first = try UNNotificationAttachment(identifier: "", url: file)
        let second = try UNNotificationAttachment(identifier: "", url: file)
        #expect(!first.identifier.isEmpty && first.identifier != second.identifier)
    }

    @Test("A clipping rectangle outside the unit square is refused")
    func clipping() throws {
        let file = try folder.file("a.png")
        let key = UNNotificationAttachmentOptionsThumbnailClippingRectKey
        let good = [key: CGRect(x: 0, y: 0.5, width: 1, height: 0.5).dictionaryRepresentation]
        _ = try UNNotificationAttachment(identifier: "", url: file, options: good)
        let bad = [key: CGRect(x: 0, y: 0.5, width: 1, height: 1).dictionaryRepresentation]
        #expect(
            code { _ = try UNNotificationAttachment(identifier: "", url: file, options: bad) } == .attachmentCorrupt
        )
    }

    @Test("At add the file is moved into the store; removing the request deletes it")
    func moved() async throws {
        let phone = await opened()
        let file = try folder.file("a.png")
        try await add([UNNotificationAttachment(identifier: "a", url: file)], on: phone)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let stored = try #require(phone.device.pendingRequests(of: lab).first?.content.attachments.first?.path)
        #expect(FileManager.default.contents(atPath: stored) == png)
        phone.device.removeLocal(["a"], of: lab)
        #expect(!FileManager.default.fileExists(atPath: stored))
    }

    @Test("A file inside the app's bundle is copied")
    func copied() async throws {
        let phone = await opened()
        let file = try folder.file("Lab.app/a.png")
        try await add([UNNotificationAttachment(identifier: "a", url: file)], on: phone)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    private func warnings(_ phone: TestPhone) -> [String] {
        phone.device.recentDeviceEvents.compactMap { event in
            if case .warning(let text) = event.kind, event.app == lab { text } else { nil }
        }
    }

    @Test("A file outside of the app's container is copied, and the log says that Apple's systems would have moved it")
    func copiedFromOutside() async throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let file = products.appendingPathComponent("\(UUID().uuidString).png")
        try png.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let phone = await opened()
        try await add([UNNotificationAttachment(identifier: "a", url: file)], on: phone)
        #expect(FileManager.default.contents(atPath: file.path) == png)
        let stored = try #require(phone.device.pendingRequests(of: lab).first?.content.attachments.first?.path)
        #expect(stored != file.path && FileManager.default.contents(atPath: stored) == png)
        let warning = try #require(warnings(phone).first)
        #expect(warnings(phone).count == 1)
        #expect(warning.contains(file.path) && warning.contains("Apple's systems move the file"))
        phone.device.removeLocal(["a"], of: lab)
        #expect(!FileManager.default.fileExists(atPath: stored) && FileManager.default.fileExists(atPath: file.path))
    }

    @Test("So is a file of a working copy among the temporary files, and what a link there leads to")
    func copiedFromWorkingCopy() async throws {
        let phone = await opened()
        let file = try folder.file("source/Images/a.png")
        _ = try folder.file("source/.git/HEAD", Data())
        try await add([UNNotificationAttachment(identifier: "a", url: file)], on: phone)
        #expect(FileManager.default.fileExists(atPath: file.path))
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let far = products.appendingPathComponent("\(UUID().uuidString).png")
        try png.write(to: far)
        defer { try? FileManager.default.removeItem(at: far) }
        let link = folder.url.appendingPathComponent("link.png")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: far)
        try await add([UNNotificationAttachment(identifier: "b", url: link)], on: phone)
        #expect(FileManager.default.contents(atPath: far.path) == png)
        #expect(warnings(phone).count == 2)
        // One of the app's own beside it is moved, without a word.
        let own = try folder.file("own.png")
        try await add([UNNotificationAttachment(identifier: "c", url: own)], on: phone)
        #expect(!FileManager.default.fileExists(atPath: own.path) && warnings(phone).count == 2)
    }

    @Test("An extension's file from outside is copied, too")
    func extensionCopies() async throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let file = products.appendingPathComponent("\(UUID().uuidString).png")
        try png.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let phone = TestPhone()
        phone.install(.lab, serviceExtension: { PictureExtension() }) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(.lab)
        await phone.background(.lab)
        let aps: JSONValue = ["alert": "Hi", "mutable-content": 1]
        await phone.push(["aps": aps, "picture": .string(file.path)], to: .lab)
        #expect(phone.device.screen.list.first?.attachments.count == 1)
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(warnings(phone).count == 1)
    }

    @Test("After delivery the app reads the file where the store keeps it")
    func delivered() async throws {
        let phone = await opened()
        try await add([UNNotificationAttachment(identifier: "a", url: folder.file("a.png"))], on: phone)
        await phone.advance(by: .seconds(10))
        let attachment = await phone.inCentre {
            await $0.deliveredNotifications().first?.request.content.attachments.first
        }
        let url = try #require(attachment??.url)
        #expect(url.startAccessingSecurityScopedResource())
        #expect(try Data(contentsOf: url) == png)
    }

    @Test("A file that is not what its name says fails at add, and nothing is scheduled")
    func corrupt() async throws {
        let phone = await opened()
        let file = try folder.file("a.png", Data("not a picture".utf8))
        let attachment = try UNNotificationAttachment(identifier: "a", url: file)
        do {
            try await add([attachment], on: phone)
            Issue.record("add took a corrupt file")
        } catch UNError.attachmentCorrupt {}
        #expect(phone.device.pendingRequests(of: lab).isEmpty)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A replacement of a request or an entry deletes the files of the old one")
    func replaced() async throws {
        let phone = await opened()
        func stored() -> [String] {
            phone.device.pendingRequests(of: lab).flatMap(\.content.attachments).map(\.path)
                + phone.device.screen.list.flatMap(\.notification.content.attachments).map(\.path)
        }
        try await add([UNNotificationAttachment(identifier: "a", url: folder.file("a.png"))], on: phone)
        let first = try #require(stored().first)
        try await add([UNNotificationAttachment(identifier: "b", url: folder.file("b.png"))], on: phone)
        let second = try #require(stored().first)
        #expect(!FileManager.default.fileExists(atPath: first) && FileManager.default.fileExists(atPath: second))
        // Read back and added again, the request keeps its file.
        try await phone.device.inside(lab) {
            for request in await UNUserNotificationCenter.current().pendingNotificationRequests() {
                try await UNUserNotificationCenter.current().add(request)
            }
        }
        #expect(FileManager.default.fileExists(atPath: second))
        await phone.advance(by: .seconds(10))
        #expect(stored() == [second] && FileManager.default.fileExists(atPath: second))
        try await add([UNNotificationAttachment(identifier: "c", url: folder.file("c.png"))], on: phone)
        await phone.advance(by: .seconds(10))
        #expect(stored().count == 1 && !stored().contains(second))
        #expect(!FileManager.default.fileExists(atPath: second))
    }

    @Test("A tap, a button and a dismissal delete the files, but not before the app has answered", arguments: 0..<3)
    func actedOn(_ act: Int) async throws {
        let phone = await TestPhone().opening { FileReader() }
        await phone.background(.lab)
        try await add([UNNotificationAttachment(identifier: "a", url: folder.file("a.png"))], on: phone)
        await phone.advance(by: .seconds(10))
        let shown = try #require(phone.device.screen.list.first)
        let path = try #require(shown.notification.content.attachments.first?.path)
        await phone.perform {
            switch act {
            case 0: $0.tap(shown)
            case 1: _ = $0.choose("read", on: shown.id)
            default: $0.dismiss(shown.id)
            }
        }
        #expect(phone.device.screen.list.isEmpty)
        let app = try phone.delegate(FileReader.self)
        #expect(app.read == [png] && FileManager.default.fileExists(atPath: path))
        await phone.device.inside(lab) { app.answer() }
        await phone.device.settled()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("An app that ends without an answer leaves no files behind")
    func actedOnAndKilled() async throws {
        let phone = await TestPhone().opening { FileReader() }
        await phone.background(.lab)
        try await add([UNNotificationAttachment(identifier: "a", url: folder.file("a.png"))], on: phone)
        await phone.advance(by: .seconds(10))
        let shown = try #require(phone.device.screen.list.first)
        let path = try #require(shown.notification.content.attachments.first?.path)
        await phone.tap(shown.id)
        #expect(FileManager.default.fileExists(atPath: path))
        await phone.terminate(.lab)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    // MARK: Thumbnail

    @Test(
        "A thumbnail's time within the film is good, one beyond its end fails at add",
        arguments: [
            ("a.mp4", film(), 2.5, true), ("a.mp4", film(), 2.6, false), ("b.mp4", film(version: 1), 2.6, false),
            ("b.mp4", film(version: 1), 0, true), ("c.avi", aviFilm(), 2, true), ("c.avi", aviFilm(), 2.1, false),
            // Of these nobody knows how long they are.
            ("d.mpg", Data([0, 0, 1, 0xBA]), 1000, true), ("e.mp4", film().prefix(60), 1000, true),
        ] as [(String, Data, Double, Bool)]
    )
    func filmLength(name: String, data: Data, time: Double, isGood: Bool) async throws {
        let phone = await opened()
        let file = try folder.file(name, data)
        let key = UNNotificationAttachmentOptionsThumbnailTimeKey
        let attachment = try UNNotificationAttachment(identifier: "a", url: file, options: [key: time])
        do {
            try await add([attachment], on: phone)
            #expect(isGood)
        } catch UNError.attachmentCorrupt {
            #expect(!isGood)
        }
        #expect(phone.device.pendingRequests(of: lab).count == (isGood ? 1 : 0))
    }

    @Test("The screen shows the first picture that is not hidden, its part, and a film's moment")
    func thumbnail() async throws {
        let phone = await opened()
        let rectangle = CGRect(x: 0, y: 0.5, width: 1, height: 0.5).dictionaryRepresentation
        let moment: [AnyHashable: Any] = ["value": NSNumber(value: 300), "timescale": NSNumber(value: 200)]
        func hidden() throws -> UNNotificationAttachment {
            try UNNotificationAttachment(
                identifier: "hidden",
                url: folder.file("a.png"),
                options: [UNNotificationAttachmentOptionsThumbnailHiddenKey: true]
            )
        }
        let sound = try UNNotificationAttachment(identifier: "sound", url: folder.file("a.mp3", Data("ID3".utf8)))
        let clipped = try UNNotificationAttachment(
            identifier: "film",
            url: folder.file("a.mp4", film()),
            options: [
                UNNotificationAttachmentOptionsThumbnailClippingRectKey: rectangle,
                UNNotificationAttachmentOptionsThumbnailTimeKey: moment,
            ]
        )
        try await add([hidden(), sound, clipped], on: phone)
        await phone.advance(by: .seconds(10))
        let thumbnail = try #require(phone.device.screen.list.first?.thumbnail)
        #expect(thumbnail.type == "public.mpeg-4" && thumbnail.time == 1.5)
        #expect([thumbnail.part.x, thumbnail.part.y, thumbnail.part.width, thumbnail.part.height] == [0, 0.5, 1, 0.5])
        #expect(FileManager.default.contents(atPath: thumbnail.path) == film())
        #expect(phone.device.screen.list.first?.attachments.count == 3)
        phone.device.changeSettings(of: lab) { $0.showPreviews = 2 }
        #expect(phone.device.screen.list.map(\.thumbnail) == [nil])
        #expect(phone.device.screen.list.map(\.attachments) == [[]])
        phone.device.changeSettings(of: lab) { $0.showPreviews = 0 }
        try await add([hidden()], on: phone)
        await phone.advance(by: .seconds(10))
        #expect(phone.device.screen.list.map(\.thumbnail) == [nil])
    }

    @Test("A thumbnail's time that is no time is refused at creation")
    func thumbnailTime() throws {
        let file = try folder.file("a.mp4", film())
        let key = UNNotificationAttachmentOptionsThumbnailTimeKey
        for bad: Any in [-1, "soon", ["value": 1, "timescale": 0]] {
            #expect(
                code { _ = try UNNotificationAttachment(identifier: "", url: file, options: [key: bad]) }
                    == .attachmentCorrupt
            )
        }
    }

    // MARK: Service extension

    @Test("With a file that does not fit the push goes on without, and its journey says so")
    func extensionAttachesCorrupt() async throws {
        let phone = await opened()
        let file = try folder.file("a.png", Data("not a picture".utf8))
        let push = await phone.push(
            ["aps": ["alert": "Look", "mutable-content": 1], "picture": .string(file.path)],
            to: .lab
        )
        #expect(phone.device.screen.list.map(\.notification.content.attachments) == [[]])
        #expect(phone.journeys.kinds(of: push).contains(.suppressed(.attachments)))
        #expect(Verdict(phone.journeys.events(of: push)).state == .shown)
    }

    @Test("A service extension attaches what it has downloaded")
    func extensionAttaches() async throws {
        let phone = await opened()
        let file = try folder.file("a.png")
        let push = await phone.push(
            ["aps": ["alert": "Look", "mutable-content": 1], "picture": .string(file.path)],
            to: .lab
        )
        let shown = try #require(phone.device.screen.list.first)
        #expect(shown.notification.content.attachments.map(\.identifier) == ["p"])
        #expect(shown.notification.content.userInfo["picture"] == .string(file.path))
        #expect(
            phone.journeys.kinds(of: push) == [
                .callback(
                    name: "UNNotificationServiceExtension.didReceive(_:withContentHandler:)",
                    state: .background
                ), .serviceExtension(.ran), .presented(.banner), .presented(.list),
            ]
        )
    }

    @Test("At the end of its 30 seconds the extension has a last word")
    func lastWord() async {
        let phone = await opened()
        let push = await phone.push(["aps": ["alert": "Look", "mutable-content": 1]], to: .lab)
        await phone.advance(by: .seconds(29))
        #expect(phone.device.screen.list.isEmpty)
        await phone.advance(by: .seconds(1))
        #expect(phone.device.screen.list.map(\.subtitle) == ["late"])
        #expect(phone.journeys.kinds(of: push).contains(.serviceExtension(.ran)))
    }

    @Test("An extension that says nothing is killed, and the push is shown as it came")
    func timedOut() async {
        let phone = TestPhone()
        phone.install(.lab, serviceExtension: { SlowExtension() }) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(.lab)
        await phone.background(.lab)
        let push = await phone.push(["aps": ["alert": "Look", "mutable-content": 1]], to: .lab)
        await phone.advance(by: .seconds(30))
        #expect(phone.device.screen.list.map(\.body) == ["Look"])
        #expect(
            phone.journeys.kinds(of: push) == [
                .callback(
                    name: "UNNotificationServiceExtension.didReceive(_:withContentHandler:)",
                    state: .background
                ),
                .callback(
                    name: "UNNotificationServiceExtension.serviceExtensionTimeWillExpire()",
                    state: .background
                ), .serviceExtension(.timedOut), .presented(.banner), .presented(.list),
            ]
        )
    }

    @Test("Taking all text away does not hide a push")
    func emptied() async {
        final class Emptying: UNNotificationServiceExtension {
            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                contentHandler(UNMutableNotificationContent())
            }
        }
        let phone = TestPhone()
        phone.install(.lab, serviceExtension: { Emptying() }) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(.lab)
        await phone.background(.lab)
        await phone.push(["aps": ["alert": "Look", "mutable-content": 1]], to: .lab)
        #expect(phone.device.screen.list.map(\.body) == ["Look"])
    }
}
