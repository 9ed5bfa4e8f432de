import Foundation
import PosthornTesting
import PushDevice
import PushLabNotificationService
import PushModel
import TestSupport
import Testing

/// The sample app and its service extension as processes of their own, with the files that describe them to Xcode.
@Suite("PushLab in processes of its own", .suiteLimit)
struct PushLabProgramTests {
    private let key = Data(repeating: 5, count: 32)
    private let temporary = TemporaryFolder()
    private var folder: URL { temporary.url }
    private let lines = Recorder<String>()

    /// A phone with the app on it, opened and left again.
    private func phone(_ major: Int) async throws -> (TestPhone, InstalledApp) {
        let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let sources = ProjectFolder.url.appending(path: "Examples/PushLab")
        var program = try ProgramApp(
            executable: products.appending(path: "PushLabApp"),
            info: sources.appending(path: "Info.plist")
        )
        program.serviceExtension = try ProgramExtension(
            executable: products.appending(path: "PushLabServiceExtension"),
            info: sources.appending(path: "NotificationService/Info.plist")
        )
        program.contentExtensions = [
            try ProgramContentExtension(
                executable: products.appending(path: "PushLabContentExtension"),
                info: sources.appending(path: "NotificationContent/Info.plist")
            )
        ]
        program.environment = [
            "PUSHLAB_BODY_KEY": key.base64EncodedString(), "PUSHLAB_HOSTS": "127.0.0.1",
            "XDG_CACHE_HOME": folder.path(percentEncoded: false),
        ]
        let phone = TestPhone(.iOS(major))
        phone.device.install(program) { [lines] in lines.add($0) }
        await phone.open(program.app)
        await phone.background(program.app)
        return (phone, program.app)
    }

    @Test("A tap follows the link, also into a process that was killed", arguments: [7, 9, 17])
    func links(_ major: Int) async throws {
        let (phone, app) = try await phone(major)
        let payload: JSONValue = ["aps": ["alert": "Look"], "link": "pushlab://order/42"]
        let page = "PushLabApp: page [inactive] order(\"42\")"
        await phone.tap(await phone.push(payload, to: app))
        await lines.wait(for: page)
        await phone.background(app)
        let second = await phone.push(payload, to: app)
        await phone.forceQuit(app)
        await phone.tap(second)
        await lines.wait(for: page, times: 2)
        #expect(lines.elements.count { $0.hasPrefix("PushLabApp: application(_:didFinishLaunchingWithOptions:)") } == 2)
    }

    @Test("The extension's process opens a sealed body, and an answer in text reaches the app's")
    func sealedAndAnswered() async throws {
        let (phone, app) = try await phone(17)
        let sealed = try SealedBody(sealing: "Are you coming?", with: key).text
        let push = await phone.push(
            [
                "aps": ["alert": ["title": "Ann", "body": "…"], "category": "message", "mutable-content": 1],
                "sealed": .string(sealed),
            ],
            to: app
        )
        #expect(phone.device.screen.list.map(\.body) == ["Are you coming?"])
        #expect(phone.journeys.kinds(of: push).contains(.serviceExtension(.ran)))
        #expect(await phone.reply("On my way", with: "reply", to: push) == .done)
        await lines.wait(for: "PushLabApp: reply [background] On my way")
    }

    @Test("The content extension's process shows an offer, with the title of the push")
    func offer() async throws {
        let (phone, app) = try await phone(17)
        let push = await phone.push(
            ["aps": ["alert": ["title": "Tea", "body": "Half price"], "category": "offer"]],
            to: app
        )
        _ = phone.device.longPress(push)
        await phone.device.settled()
        let expanded = try #require(phone.device.phoneState.expanded)
        #expect(expanded.id == push && expanded.title == "Offer: Tea")
        await phone.perform { $0.closeExpanded() }
        #expect(phone.device.phoneState.expanded == nil)
    }

    @Test("A silent push starts a download in the app's process", arguments: [7, 17])
    @MainActor
    func download(_ major: Int) async throws {
        try await FileServer.run { server in
            server.set("/news", Data("Today".utf8))
            let (phone, app) = try await phone(major)
            let url = server.url("/news")
            let push = await phone.push(["aps": ["content-available": 1], "download": .string(url)], to: app)
            let end = await phone.journeys.first(of: push) { if case .finished = $0 { true } else { false } }
            #expect(end?.kind == .finished(.newData))
            await lines.wait(for: "PushLabApp: download [background] \(url) new")
            let kept = folder.appending(path: "PushLab")
            let files = try FileManager.default.contentsOfDirectory(at: kept, includingPropertiesForKeys: nil)
            #expect(try files.map { try Data(contentsOf: $0) } == [Data("Today".utf8)])
        }
    }
}
