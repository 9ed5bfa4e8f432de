import CallbackMatrix
import Foundation
import MobileCoreServices
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0])

/// A kind of file: its type, its usual ending, and how many megabytes it may have.
struct FileKind: Sendable, CustomTestStringConvertible {
    var type: String
    var ending: String
    var megabytes: Int
    var testDescription: String { type }

    static let all = [
        FileKind(type: "public.aiff-audio", ending: "aiff", megabytes: 5),
        FileKind(type: "com.microsoft.waveform-audio", ending: "wav", megabytes: 5),
        FileKind(type: "public.mp3", ending: "mp3", megabytes: 5),
        FileKind(type: "public.mpeg-4-audio", ending: "m4a", megabytes: 5),
        FileKind(type: "public.jpeg", ending: "jpg", megabytes: 10),
        FileKind(type: "com.compuserve.gif", ending: "gif", megabytes: 10),
        FileKind(type: "public.png", ending: "png", megabytes: 10),
        FileKind(type: "public.mpeg", ending: "mpg", megabytes: 50),
        FileKind(type: "public.mpeg-2-video", ending: "m2v", megabytes: 50),
        FileKind(type: "public.mpeg-4", ending: "mp4", megabytes: 50),
        FileKind(type: "public.avi", ending: "avi", megabytes: 50),
    ]
}

extension TemporaryFolder {
    fileprivate func file(_ name: String) throws -> URL { try file(name, png) }

    /// A file of that many bytes, of which the disk keeps none.
    func file(_ name: String, bytes: UInt64) throws -> URL {
        let file = try file(name, Data([0]))
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: bytes)
        try handle.close()
        return file
    }
}

@Suite("Rules of attachments")
@MainActor
struct FileRules {
    private let folder = TemporaryFolder()

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func content(_ name: String, on stage: LocalStage) throws -> UNMutableNotificationContent {
        let content = stage.content()
        content.attachments = [try UNNotificationAttachment(identifier: name, url: folder.file("\(name).png"))]
        return content
    }

    private func stored(_ stage: LocalStage) -> [String] {
        let waiting = stage.phone.device.pendingRequests(of: InstalledApp.lab.bundleID).flatMap(\.content.attachments)
        let shown = stage.phone.device.screen.list.flatMap(\.notification.content.attachments)
        return (waiting + shown).map(\.path)
    }

    // MARK: Making one

    @Test("The names of the four options are Apple's")
    func optionKeys() {
        #expect(UNNotificationAttachmentOptionsTypeHintKey == "UNNotificationAttachmentOptionsTypeHintKey")
        #expect(
            UNNotificationAttachmentOptionsThumbnailHiddenKey == "UNNotificationAttachmentOptionsThumbnailHiddenKey"
        )
        #expect(
            UNNotificationAttachmentOptionsThumbnailClippingRectKey
                == "UNNotificationAttachmentOptionsThumbnailClippingRectKey"
        )
        #expect(UNNotificationAttachmentOptionsThumbnailTimeKey == "UNNotificationAttachmentOptionsThumbnailTimeKey")
    }

    @Test("The error says in words what is wrong with a file")
    func words() throws {
        let cases: [(URL, String)] = [
            (folder.url.appendingPathComponent("none.png"), "Invalid attachment file URL"),
            (try #require(URL(string: "https://example.com/a.png")), "Invalid attachment file URL"),
            (try folder.file("a.xyz"), "Unrecognized attachment file type"),
            (try folder.file("empty.png", Data()), "Invalid attachment file size"),
        ]
        for (url, text) in cases {
            do {
                _ = try UNNotificationAttachment(identifier: "a", url: url)
                Issue.record("\(url.lastPathComponent) was taken")
            } catch let error as UNError {
                #expect(error.localizedDescription == text)
            }
        }
    }

    @Test("Audio may have 5 MB, a picture 10, a film 50, and not a byte more", arguments: FileKind.all)
    func sizes(_ kind: FileKind) throws {
        let limit = UInt64(kind.megabytes) << 20
        let most = try folder.file("most.\(kind.ending)", bytes: limit)
        #expect(try UNNotificationAttachment(identifier: "a", url: most).type == kind.type)
        let more = try folder.file("more.\(kind.ending)", bytes: limit + 1)
        do {
            _ = try UNNotificationAttachment(identifier: "a", url: more)
            Issue.record("a file that is too large was taken")
        } catch UNError.attachmentInvalidFileSize {}
    }

    @Test("The type comes from the hint, else from the path extension", arguments: FileKind.all)
    func types(_ kind: FileKind) throws {
        let file = try folder.file("a.\(kind.ending.uppercased())")
        let attachment = try UNNotificationAttachment(identifier: "a", url: file)
        #expect(attachment.type == kind.type && attachment.identifier == "a" && attachment.url == file)
        let hint = [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
        #expect(try UNNotificationAttachment(identifier: "a", url: file, options: hint).type == "public.png")
    }

    @Test(
        "A hint of TIFF, PICT or JPEG 2000 is not recognized, nor is an unknown extension",
        arguments: ["public.tiff", "com.apple.pict", "public.jpeg-2000", nil]
    )
    func unknownTypes(_ hint: String?) throws {
        let file = try folder.file("a.xyz")
        let options = hint.map { [UNNotificationAttachmentOptionsTypeHintKey: $0] }
        do {
            _ = try UNNotificationAttachment(identifier: "a", url: file, options: options)
            Issue.record("an unknown type was taken")
        } catch UNError.attachmentUnrecognizedType {}
    }

    @Test(
        "A hint of a family, such as kUTTypeImage, is the type that the extension or the file says",
        arguments: [
            (kUTTypeImage, "public.png"), ("public.data", "public.png"), (kUTTypeAudio, nil), (kUTTypeMovie, nil),
        ]
    )
    func familyHints(_ hint: String, _ type: String?) throws {
        let options = [UNNotificationAttachmentOptionsTypeHintKey: hint]
        for name in ["a.png", "A.PNG", "download.tmp", "bare"] {
            let file = try folder.file(name, Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]))
            let found = try? UNNotificationAttachment(identifier: "a", url: file, options: options)
            #expect(found?.type == type, "\(name)")
        }
        let text = try folder.file("text.tmp", Data("text".utf8))
        #expect(throws: UNError.self) { try UNNotificationAttachment(identifier: "a", url: text, options: options) }
    }

    // MARK: Adding it

    @Test("Removing an entry, or another in its place, deletes its files")
    func entries() async throws {
        let stage = await LocalStage()
        await stage.background()
        try await stage.add("a", nil, content: content("first", on: stage))
        let first = try #require(stored(stage).first)
        try await stage.add("a", nil, content: content("second", on: stage))
        let second = try #require(stored(stage).first)
        #expect(!exists(first) && exists(second))
        await stage.app { $0.removeAllDeliveredNotifications() }
        await stage.phone.device.settled()
        #expect(!exists(second))
    }

    @Test("A banner that leaves nothing in the list leaves no file either")
    func bannerAlone() async throws {
        let stage = await LocalStage()
        let app = try stage.phone.delegate(CompleteMatrixApp.self)
        app.plan.options = [.banner]
        try await stage.add("a", nil, content: content("a", on: stage))
        let path = try #require(stage.phone.device.screen.banner?.notification.content.attachments.first?.path)
        #expect(exists(path))
        await stage.phone.perform { $0.flickBanner() }
        #expect(!exists(path))
    }

    @Test("A repeating request keeps its file from one delivery to the next")
    func repeating() async throws {
        let stage = await LocalStage()
        await stage.background()
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
        try await stage.add("a", trigger, content: content("a", on: stage))
        await stage.phone.advance(by: .seconds(130))
        #expect(stage.firings("a").count == 2 && Set(stored(stage)).count == 1)
        #expect(stored(stage).allSatisfy(exists))
    }

    @Test("A file that has gone since its attachment was made is refused at add, and nothing is scheduled")
    func goneBeforeAdd() async throws {
        let stage = await LocalStage()
        let content = try content("a", on: stage)
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("a.png"))
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        #expect(await errorCode { try await stage.add("a", trigger, content: content) } == .attachmentInvalidURL)
        #expect(await stage.pending() == [])
    }

    @Test("An attachment whose file has left the store is not in the data store")
    func goneFromStore() async throws {
        let stage = await LocalStage()
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        try await stage.add("a", trigger, content: content("a", on: stage))
        let kept = try #require(await stage.app { await $0.pendingNotificationRequests().first?.content } ?? nil)
        await stage.app { $0.removeAllPendingNotificationRequests() }
        await stage.phone.device.settled()
        #expect(await errorCode { try await stage.add("b", trigger, content: kept) } == .attachmentNotInDataStore)
    }

    @Test("A file that cannot be moved into the store fails the request with an error of its own")
    func noStore() async throws {
        // Where the store's folder should be there is a file.
        let device = Device(
            name: "iPhone",
            profile: .iOS(17),
            clock: VirtualClock(),
            dialer: TestPhone().dialer,
            journeys: JourneyRecorder(),
            prompts: .allow,
            files: try folder.file("store")
        )
        device.install(.lab) { CompleteMatrixApp.make(MatrixAppPlan()) }
        device.open(InstalledApp.lab.bundleID)
        await device.settled()
        let content = UNMutableNotificationContent()
        content.title = "a"
        content.attachments = [try UNNotificationAttachment(identifier: "a", url: folder.file("a.png"))]
        let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
        let code = await errorCode {
            _ = try await device.inside(InstalledApp.lab.bundleID) {
                try await UNUserNotificationCenter.current().add(request)
            }
        }
        #expect(code == .attachmentMoveIntoDataStoreFailed)
        device.shutdown()
    }
}
