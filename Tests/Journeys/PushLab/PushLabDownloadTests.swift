import Foundation
import FoundationNetworking
import PosthornTesting
import PushDevice
import PushLab
import PushLabNetwork
import PushModel
import Synchronization
import TestSupport
import Testing
import UIKit

/// Downloads of the sample app over real HTTP, on a phone under a clock that the test turns.
@Suite("PushLab's downloads", .suiteLimit)
@MainActor
struct PushLabDownloadTests {
    private let app = InstalledApp(bundleID: "com.example.pushlab", name: "PushLab")
    private let temporary = TemporaryFolder()
    private var folder: URL { temporary.url.appending(path: "PushLab") }
    private let lines = Recorder<String>()

    private func phone(
        _ major: Int = 17,
        fetch: @escaping BoundedFetch.Function = BoundedFetch.network(from: AllowedHosts(["127.0.0.1"]))
    ) async -> TestPhone {
        let phone = TestPhone(.iOS(major))
        let settings = PushLabSettings(appKey: nil, folder: folder, fetch: fetch, echo: { [lines] in lines.add($0) })
        phone.install(app) { AppDelegate(settings: settings) }
        await phone.open(app)
        await phone.background(app)
        return phone
    }

    private func lab(_ phone: TestPhone) throws -> AppDelegate {
        try #require(phone.device.delegate(of: app.bundleID, as: AppDelegate.self))
    }

    /// - Returns: how the fetch that the push started has ended, once it has.
    private func fetch(_ url: String, on phone: TestPhone) async -> JourneyEvent.Kind? {
        let push = await phone.push(["aps": ["content-available": 1], "download": .string(url)], to: app)
        return await phone.journeys.first(of: push) { if case .finished = $0 { true } else { false } }?.kind
    }

    @Test("A silent push brings a file, and the handler hears of new data when it is there", arguments: [7, 9, 17])
    func newData(_ major: Int) async throws {
        try await FileServer.run { server in
            server.set("/news", Data("Today".utf8))
            let phone = await phone(major)
            let ended = await fetch(server.url("/news"), on: phone)
            #expect(ended == .finished(.newData))
            let url = try #require(URL(string: server.url("/news")))
            let file = try lab(phone).downloads.file(of: url)
            #expect(try Data(contentsOf: file) == Data("Today".utf8))
            #expect(try lab(phone).log.lines.last?.description == "download [background] \(url.absoluteString) new")
        }
    }

    @Test("Unchanged content brings no new data: by the server's tag, or by the bytes")
    func noData() async throws {
        try await FileServer.run { server in
            server.set("/tagged", Data("A".utf8), tag: "\"1\"")
            server.set("/plain", Data("B".utf8))
            let phone = await phone()
            var ends: [JourneyEvent.Kind?] = []
            // The user is asked for no patience: an emulated phone wakes an app as often as it likes.
            phone.device.setSilentWakesPerHour(nil)
            for path in ["/tagged", "/tagged", "/plain", "/plain"] {
                ends.append(await fetch(server.url(path), on: phone))
            }
            server.set("/tagged", Data("C".utf8), tag: "\"2\"")
            ends.append(await fetch(server.url("/tagged"), on: phone))
            #expect(
                ends == [
                    .finished(.newData), .finished(.noData), .finished(.newData), .finished(.noData),
                    .finished(.newData),
                ]
            )
            #expect(
                server.requests == [
                    "GET /tagged", "GET /tagged \"1\"", "GET /plain", "GET /plain", "GET /tagged \"1\"",
                ]
            )
        }
    }

    @Test("A failed download is reported as failed, and the log says why")
    func failures() async throws {
        let closed = try await FileServer.run { $0.url("/gone") }
        try await FileServer.run { server in
            let phone = await phone()
            phone.device.setSilentWakesPerHour(nil)
            for url in [server.url("/nothing"), closed, "file:///etc/passwd", "nonsense"] {
                let ended = await fetch(url, on: phone)
                #expect(ended == .finished(.failed))
            }
            let lines = try lab(phone).log.lines.filter { $0.name == "download" }.map(\.detail)
            #expect(lines.count == 4)
            #expect(lines[0].hasSuffix("/nothing the server answers 404"))
            #expect(lines[1].hasPrefix(closed))
            #expect(
                lines[2...] == ["no URL to download from: file:///etc/passwd", "no URL to download from: nonsense"]
            )
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    @Test(
        "A download that is too large is not read to its end, and nothing of it is kept",
        arguments: ["/large", "/endless"]
    )
    func tooLarge(_ path: String) async throws {
        try await FileServer.run { server in
            server.set("/large", Data(count: Downloads.limit + 1))
            let phone = await phone()
            let ended = await fetch(server.url(path), on: phone)
            #expect(ended == .finished(.failed))
            let line = "download [background] \(server.url(path)) is larger than \(Downloads.limit) bytes"
            #expect(lines.elements.last == line)
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    @Test("A download that could not be kept is requested again, with the tag of the stored one")
    func notKept() async throws {
        let origin = Origin(folder: folder)
        let phone = await phone { request, _ in try origin.answer(to: request) }
        phone.device.setSilentWakesPerHour(nil)
        let aside = folder.appendingPathExtension("aside")
        var ends: [JourneyEvent.Kind?] = []
        ends.append(await fetch("https://example.com/news", on: phone))
        origin.takesFolder = true
        ends.append(await fetch("https://example.com/news", on: phone))
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.moveItem(at: aside, to: folder)
        ends.append(await fetch("https://example.com/news", on: phone))
        #expect(ends == [.finished(.newData), .finished(.failed), .finished(.newData)])
        #expect(origin.tags == [nil, "1", "1"])
    }

    @Test("Two URLs have two files, also when they are long and end alike")
    func files() async throws {
        let lab = try lab(await phone())
        let urls = ["a", "b"].compactMap {
            URL(string: "https://\($0).example.com/\(String(repeating: "x", count: 4000))")
        }
        let files = urls.map { lab.downloads.file(of: $0) }
        #expect(files.count == 2 && files[0] != files[1])
        #expect(files[0] == lab.downloads.file(of: urls[0]))
        #expect(files.allSatisfy { $0.deletingLastPathComponent().path == folder.path })
        #expect(files.allSatisfy { $0.lastPathComponent.utf8.count < 256 })
    }

    @Test("A download that does not end is given up when the time in the background is over, and the next one works")
    func outOfTime() async throws {
        try await FileServer.run { server in
            server.set("/news", Data("Today".utf8))
            let phone = await phone()
            let push = await phone.push(
                ["aps": ["content-available": 1], "download": .string(server.url("/silence"))],
                to: app
            )
            await server.request()
            #expect(!phone.journeys.kinds(of: push).contains { if case .finished = $0 { true } else { false } })
            await phone.advance(by: .seconds(31))
            let ended = await phone.journeys.first(of: push) { if case .finished = $0 { true } else { false } }
            // Both clocks end at once; whoever comes first, the app has said its word.
            #expect([.finished(.failed), .finished(.overran)].contains(ended?.kind))
            await lines.wait(for: "download [background] \(server.url("/silence")) out of time")
            let next = await fetch(server.url("/news"), on: phone)
            #expect(next == .finished(.newData))
        }
    }

    @Test("Several downloads at once each have their answer")
    func several() async throws {
        try await FileServer.run { server in
            let phone = await phone()
            phone.device.setSilentWakesPerHour(nil)
            for number in 0..<5 { server.set("/\(number)", Data("\(number)".utf8)) }
            var pushes: [String] = []
            for number in 0..<5 {
                let url = JSONValue.string(server.url("/\(number)"))
                pushes.append(await phone.push(["aps": ["content-available": 1], "download": url], to: app))
            }
            for push in pushes {
                let ended = await phone.journeys.first(of: push) { if case .finished = $0 { true } else { false } }
                #expect(ended?.kind == .finished(.newData))
            }
        }
    }
}

/// A server that has a new version of its file each time, and tells when it is asked with which tag.
private final class Origin: Sendable {
    private struct State {
        var tags: [String?] = []
        var takesFolder = false
    }

    private let folder: URL
    private let state = Mutex(State())

    init(folder: URL) { self.folder = folder }

    /// The tags of the requests so far; nil for one without.
    var tags: [String?] { state.withLock(\.tags) }

    /// With the next answer the folder is put aside, and a file stands in its place.
    var takesFolder: Bool {
        get { state.withLock(\.takesFolder) }
        set { state.withLock { $0.takesFolder = newValue } }
    }

    func answer(to request: URLRequest) throws -> (Data, URLResponse) {
        let (version, takesFolder) = state.withLock { state in
            state.tags.append(request.value(forHTTPHeaderField: "If-None-Match"))
            defer { state.takesFolder = false }
            return (String(state.tags.count), state.takesFolder)
        }
        if takesFolder {
            try FileManager.default.moveItem(at: folder, to: folder.appendingPathExtension("aside"))
            try Data().write(to: folder)
        }
        let url = try #require(request.url)
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["ETag": version])
        return (Data(version.utf8), try #require(response))
    }
}
