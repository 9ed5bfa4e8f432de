import Foundation
import PushLab
import PushLabNotificationContent
import PushLabNotificationService
import PushModel
import TestSupport
import Testing

/// The files that make PushLab an Xcode project, held against its sources.
@Suite("PushLab's project", .suiteLimit)
struct PushLabProjectTests {
    private let folder = ProjectFolder.url.appending(path: "Examples/PushLab")

    private func plist(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appending(path: path))
        // `format` is a pointer; nil asks for nothing.
        let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        return try #require(list as? [String: Any])
    }

    /// The values of a key in project.yml, in their order; the file has no other syntax than `key: value` and lists of that.
    private func project(_ key: String) throws -> [String] {
        let text = try String(contentsOf: folder.appending(path: "project.yml"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let line = line.trimmingCharacters(in: CharacterSet(charactersIn: " -"))
            guard line.hasPrefix("\(key):") else { return nil }
            return line.dropFirst(key.count + 1).trimmingCharacters(in: CharacterSet(charactersIn: " \""))
        }
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path(percentEncoded: false))
    }

    @Test("The app's Info.plist lets pushes wake it, names its links, and has what its settings read")
    func app() throws {
        let info = try plist("Info.plist")
        #expect(info["UIBackgroundModes"] as? [String] == ["remote-notification", "voip"])
        #expect(info["NSSupportsLiveActivities"] as? Bool == true)
        let types = try #require(info["CFBundleURLTypes"] as? [[String: Any]])
        #expect(types.compactMap { $0["CFBundleURLSchemes"] as? [String] } == [[DeepLink.scheme]])
        #expect((info["NSLocationWhenInUseUsageDescription"] as? String)?.isEmpty == false)
        let manifest = try #require(info["UIApplicationSceneManifest"] as? [String: Any])
        #expect(manifest["UIApplicationSupportsMultipleScenes"] as? Bool == false)
        let configurations = try #require(manifest["UISceneConfigurations"] as? [String: [[String: String]]])
        let names = try #require(configurations["UIWindowSceneSessionRoleApplication"]).map { scene in
            scene["UISceneDelegateClassName"]?.replacing("$(PRODUCT_MODULE_NAME)", with: "PushLab")
        }
        #expect(
            names.compactMap { $0.flatMap { NSClassFromString($0) } }.map { ObjectIdentifier($0) } == [
                ObjectIdentifier(SceneDelegate.self)
            ]
        )
        let json = try JSONValue(parsing: JSONSerialization.data(withJSONObject: info, options: .fragmentsAllowed))
            .object
        for key in ["UIApplicationSceneManifest", "UIApplicationShortcutItems"] {
            #expect(json?[key] == LabStage.info[key], "\(key)")
        }
        let links = LabStage.info["UIApplicationShortcutItems"]?.array?.compactMap { action in
            action.object?["UIApplicationShortcutItemUserInfo"]?.object?[DeepLink.key]?.string
        }
        #expect(links?.map { DeepLink(userInfo: [DeepLink.key: $0])?.page } == [.reminders, .settings])
        #expect(info["PushLabAppKey"] as? String == "$(PUSHLAB_APP_KEY)")
        #expect(info["PushLabMasterSecret"] as? String == "$(PUSHLAB_MASTER_SECRET)")
        #expect(info["PushLabProduction"] as? Bool == false)
        #expect(info["PosthornService"] as? String == "https://$(PUSHLAB_SERVICE_HOST)")
        let entitlements = try plist("PushLab.entitlements")
        #expect(entitlements["aps-environment"] as? String == "development")
    }

    @Test("The extension's Info.plist names its point, and a class that is there")
    func serviceExtension() throws {
        let info = try plist("NotificationService/Info.plist")
        let declared = try #require(info["NSExtension"] as? [String: Any])
        #expect(declared["NSExtensionPointIdentifier"] as? String == "com.apple.usernotifications.service")
        let name = try #require(declared["NSExtensionPrincipalClass"] as? String)
        #expect(NSClassFromString(name) == NotificationService.self)
        #expect(info["PushLabBodyKey"] as? String == "$(PUSHLAB_BODY_KEY)")
    }

    @Test("The content extension's Info.plist names its point, and a class that is there")
    func contentExtension() throws {
        let declared = try #require(try plist("NotificationContent/Info.plist")["NSExtension"] as? [String: Any])
        #expect(
            declared["NSExtensionPointIdentifier"] as? String == "com.apple.usernotifications.content-extension"
        )
        let name = try #require(declared["NSExtensionPrincipalClass"] as? String)
        #expect(NSClassFromString(name) == OfferViewController.self)
    }

    @Test("Everything that project.yml names exists, and the extensions belong to the app")
    func project() throws {
        let paths = try ["path", "INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"].flatMap(project)
        #expect(paths.count == 15)
        // Scripts/packaging/client.py writes it.
        let package = "../../.build/posthorn-client"
        #expect(paths.contains(package))
        for path in paths where path != package { #expect(exists(path), "project.yml names '\(path)'.") }
        let ids = try project("PRODUCT_BUNDLE_IDENTIFIER")
        let plists = try project("INFOPLIST_FILE").map { try plist($0)["CFBundleIdentifier"] as? String }
        #expect(plists == ids)
        let extensions = ["notificationservice", "notificationcontent", "widget"].map { "com.example.pushlab.\($0)" }
        #expect(ids == ["com.example.pushlab"] + extensions)
        let targets = ["PushLabNotificationService", "PushLabNotificationContent", "PushLabWidget"]
        #expect(try project("target") == targets)
        let widget = try plist("Widget/Info.plist")["NSExtension"] as? [String: String]
        #expect(widget == ["NSExtensionPointIdentifier": "com.apple.widgetkit-extension"])
        #expect(try project("PUSHLAB_APP_KEY") == [""] && project("PUSHLAB_BODY_KEY") == [""])
        #expect(try project("PUSHLAB_MASTER_SECRET") == [""])
    }

    @Test("Every text of the app has a Chinese translation, and each list of strings has the same keys")
    func strings() throws {
        func texts(_ language: String, _ file: String) throws -> [String: String] {
            let data = try Data(contentsOf: folder.appending(path: "\(language).lproj/\(file).strings"))
            return try PropertyListDecoder().decode([String: String].self, from: data)
        }
        let english = try texts("en", "Localizable")
        let chinese = try texts("zh-Hans", "Localizable")
        #expect(english.keys.sorted() == chinese.keys.sorted())
        #expect(english.allSatisfy { $0.key == $0.value })
        var shown: Set<String> = []
        let sources = [
            "LabView", "Categories", "Reminders", "Reminders+JPush", "Calibration/CalibrationController",
            "Calibration/CalibrationStep",
        ]
        for file in sources {
            let source = try String(contentsOf: folder.appending(path: "\(file).swift"), encoding: .utf8)
            let calls = #/(?:Button|Section|navigationTitle|NSLocalizedString|[^.]text|forKey:) ?\(?"([^"\\]+)"/#
            shown.formUnion(source.matches(of: calls).map { String($0.1) })
        }
        #expect(shown.sorted() == chinese.keys.sorted())
        for (key, text) in chinese where key != "PushLab" {
            #expect(text.unicodeScalars.contains { $0.properties.isIdeographic }, "\(key)")
        }
        #expect(try texts("en", "InfoPlist").keys == texts("zh-Hans", "InfoPlist").keys)
        let purpose = try plist("Info.plist")["NSLocationWhenInUseUsageDescription"] as? String
        #expect(try texts("en", "InfoPlist")["NSLocationWhenInUseUsageDescription"] == purpose)
    }

    @Test("The read-me says of each source what it shows, and of no other")
    func readMe() throws {
        let text = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        let files = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))
        let sources = try #require(files).compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        let named = text.matches(of: #/`([\w/+]+\.swift)`/#).map { String($0.1) }
        #expect(sources.sorted() == named.sorted())
        #expect(text.contains("**Not run on a phone.**"))
    }

    @Test("As a process of its own it starts, and tells its callbacks")
    func program() throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let program = Process()
        program.executableURL = products.appendingPathComponent("PushLabApp")
        let output = Pipe()
        program.standardOutput = output
        program.standardError = FileHandle.nullDevice
        try program.run()
        // Ends the waiting for a program that says nothing.
        let patience = DispatchSource.makeTimerSource()
        patience.setEventHandler { [id = program.processIdentifier] in kill(id, SIGKILL) }
        patience.schedule(deadline: .now() + 120)
        patience.resume()
        // Without a device there is no Info.plist that declares scenes.
        let last = "applicationDidBecomeActive(_:) [active]\n"
        var text = ""
        while !text.contains(last) {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        patience.cancel()
        // As the system ends an app. A program that a test starts may be deaf to milder signals.
        kill(program.processIdentifier, SIGKILL)
        program.waitUntilExit()
        #expect(text.hasPrefix("application(_:didFinishLaunchingWithOptions:) [inactive]\n"))
        #expect(text.contains(last))
    }
}
