import Foundation
import PosthornStack
import PosthornTesting
import PushDevice
import PushLab
import PushModel
import TestSupport
import Testing

/// The sample app on the phones of the demo, the sandbox and `posthorn device`.
@Suite("PushLab on the stack's phones", .suiteLimit)
struct PushLabPhoneTests {
    /// - Returns: an Info.plist of the app's folder.
    private func plist(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: ProjectFolder.url.appending(path: "Examples/PushLab/\(path)"))
        // `format` is a pointer; nil asks for nothing.
        let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        return try #require(list as? [String: Any])
    }

    @Test("The emulated content extension declares what its Info.plist declares")
    func contentInfo() throws {
        let declared = try #require(try plist("NotificationContent/Info.plist")["NSExtension"] as? [String: Any])
        let attributes = try #require(declared["NSExtensionAttributes"] as? [String: Any])
        let json = try JSONValue(parsing: JSONSerialization.data(withJSONObject: attributes))
        let info: JSONObject = ["NSExtension": ["NSExtensionAttributes": json]]
        let content = try ContentExtensionInfo(info: info)
        #expect(content == PushLabPhone.contentInfo)
    }

    @Test("The emulated app declares what its Info.plist declares")
    func info() throws {
        let declared = try plist("Info.plist")
        let purpose = PushLabPhone.info["NSLocationWhenInUseUsageDescription"]?.string
        #expect(declared["NSLocationWhenInUseUsageDescription"] as? String == purpose)
        #expect(declared["UIBackgroundModes"] as? [String] == PushLabPhone.backgroundModes)
        let hasActivities = PushLabPhone.info["NSSupportsLiveActivities"]?.bool
        #expect(declared["NSSupportsLiveActivities"] as? Bool == hasActivities)
        let types = try #require(declared["CFBundleURLTypes"] as? [[String: Any]])
        let schemes = types.compactMap { $0["CFBundleURLSchemes"] as? [String] }.flatMap(\.self)
        #expect(Set(schemes) == InstalledApp(bundleID: "a", info: PushLabPhone.info).urlSchemes)
        let json = try JSONValue(parsing: JSONSerialization.data(withJSONObject: declared)).object
        for key in ["UIApplicationSceneManifest", "UIApplicationShortcutItems"] {
            #expect(json?[key] == PushLabPhone.info[key], "\(key)")
        }
    }

    @Test("A silent push of the service's starts a download, whose folder goes with the phone")
    func download() async throws {
        let folder = try await FileServer.run { server in
            server.set("/news", Data("Today".utf8))
            let news = server.url("/news")
            let missing = server.url("/missing")
            let kept = Kept()
            try await withStack { stack in
                let phone = try #require(stack.phones.first)
                let registrationID = try await stack.registrationID(of: phone)
                for (url, outcome) in [(news, FetchOutcome.newData), (news, .noData), (missing, .failed)] {
                    let body: JSONValue = [
                        "platform": "all", "audience": ["registration_id": [.string(registrationID.text)]],
                        "notification": ["ios": ["content-available": true, "extras": ["download": .string(url)]]],
                    ]
                    let answer = try await stack.api.post("/v3/push", body.bytes)
                    let message = try #require(answer.json.object?["msg_id"]?.string)
                    let journey = try await stack.journey(of: message, to: registrationID)
                    let apnsID = try #require(journey.object?["apns_id"]?.string)
                    let end = await stack.journeys.first(of: apnsID) { if case .finished = $0 { true } else { false } }
                    #expect(end?.kind == .finished(outcome))
                }
                let file = try await kept.file(of: news, on: phone)
                #expect(try Data(contentsOf: file) == Data("Today".utf8))
            }
            return kept.folder
        }
        let path = try #require(folder).path(percentEncoded: false)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A push of the service's with a category is answered in text, and a sealed body shows its placeholder")
    func answered() async throws {
        try await withStack { stack in
            let phone = try #require(stack.phones.first)
            let registrationID = try await stack.registrationID(of: phone)
            let body: JSONValue = [
                "platform": "all", "audience": ["registration_id": [.string(registrationID.text)]],
                "notification": [
                    "ios": [
                        "alert": ["title": "Ann", "body": "…"], "category": "message", "mutable-content": true,
                        "extras": ["sealed": "AAAA"],
                    ]
                ],
            ]
            let answer = try await stack.api.post("/v3/push", body.bytes)
            let message = try #require(answer.json.object?["msg_id"]?.string)
            let journey = try await stack.journey(of: message, to: registrationID)
            let apnsID = try #require(journey.object?["apns_id"]?.string)
            _ = await stack.journeys.first(of: apnsID) { $0 == .presented(.banner) }
            #expect(phone.device.screen.banner?.body == "A message that this phone cannot open")
            #expect(phone.device.reply("On my way", with: "reply", to: apnsID) == .done)
            _ = try await stack.verdict(.opened, of: message, to: registrationID)
            await phone.device.settled()
            #expect(await phone.replies == ["On my way"])
        }
    }
}

/// Where the app kept a download.
@MainActor
private final class Kept {
    private(set) var folder: URL?

    func file(of url: String, on phone: PushLabPhone) throws -> URL {
        let app = try #require(phone.device.delegate(of: phone.bundleID, as: AppDelegate.self))
        let file = app.downloads.file(of: try #require(URL(string: url)))
        folder = file.deletingLastPathComponent()
        return file
    }
}
