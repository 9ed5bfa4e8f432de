import Foundation
import TestSupport
import Testing

@testable import PosthornClient

@Suite("The client of an app is made without an error to handle")
struct SettingsMistakeTests {
    /// Runs the body with the bundle of an app with this Info.plist, and a store beside it.
    private func withApp(
        _ info: [String: String],
        _ body: (Bundle, FileStateStore) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let app = folder.appendingPathComponent("Shop.app")
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            let list = try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
            try list.write(to: app.appendingPathComponent("Info.plist"))
            let bundle = try #require(Bundle(path: app.path))
            try await body(bundle, FileStateStore(folder: folder.appendingPathComponent("state")))
        }
    }

    private static let identifier = ["CFBundleIdentifier": "com.example.shop"]

    @Test("The settings are those of the call, and of the Info.plist where it has none")
    func settings() async throws {
        let service = "https://push.example.com"
        let info = Self.identifier.merging(["PosthornService": service, "PosthornAppKey": "listed"]) { old, _ in old }
        try await withApp(info) { bundle, store in
            let listed = PosthornClient(bundle: bundle, store: store).engine.configuration
            #expect(listed.service.absoluteString == service)
            #expect(listed.appKey == "listed")
            #expect(listed.bundleID == "com.example.shop")
            let other = "https://other.example.com"
            let called = PosthornClient(service: other, appKey: "called", bundle: bundle, store: store).engine
                .configuration
            #expect(called.service.absoluteString == other)
            #expect(called.appKey == "called")
        }
    }

    /// The service and the app key as passed, and the reason that the client gives.
    private static let mistakes: [(service: String?, appKey: String?, reason: String)] = [
        ("push.example.com", "key", "'push.example.com'; expected one like 'https://push.example.com'"),
        ("http://push.example.com", "key", "'http://push.example.com'; expected one like"),
        ("", "key", "''; expected one like"),
        ("https://push.example.com", nil, "The app's Info.plist has no 'PosthornAppKey'"),
        (nil, "key", "The app's Info.plist has no 'PosthornService'"),
    ]

    @Test("A mistake is what registration and every operation fail with, and nothing is stored", arguments: mistakes)
    func mistake(_ service: String?, _ appKey: String?, _ reason: String) async throws {
        try await withApp(Self.identifier) { bundle, store in
            let client = PosthornClient(service: service, appKey: appKey, bundle: bundle, store: store)
            client.setDeviceToken(Data([1]))
            client.report(.opened, of: 1)
            let (answers, answer) = AsyncStream<Result<DeviceAnswer, PosthornError>>.makeStream()
            client.perform(.setAlias("bob")) { answer.yield($0) }
            client.start()
            let refusal = try #require(
                await #expect(throws: PosthornError.self) { try await client.registration() }
            )
            #expect(refusal.code == PosthornError.notRegistered)
            #expect(refusal.message.contains(reason), "\(refusal.message)")
            await #expect(throws: refusal) { try await client.perform(.addTags(["vip"])) }
            #expect(await answers.first { _ in true } == .failure(refusal), "It was called before the start.")
            #expect(client.currentRegistration == nil)
            #expect(try store.keys() == [])
        }
    }

    @Test("A mistake is reported to the app's handler and in the log at the start")
    func reports() async throws {
        let mistake = PosthornError(code: PosthornError.notRegistered, message: "no such address")
        let (lines, log) = AsyncStream<String>.makeStream()
        let (identities, identity) = AsyncStream<Result<Registration, PosthornError>>.makeStream()
        let client = PosthornClient(refusing: mistake) { log.yield($0) }
        client.onIdentity { result, _ in identity.yield(result) }
        client.start()
        #expect(await lines.first { _ in true } == "The client sends nothing: no such address (code 1011)")
        #expect(await identities.first { _ in true } == .failure(mistake))
    }
}
