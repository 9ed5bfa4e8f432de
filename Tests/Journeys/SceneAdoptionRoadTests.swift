import AppInstallation
import DeviceLink
import Foundation
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import TestSupport
import Testing
import UIKit

/// An app that was built with the SDK of iOS 27 and has no scenes, on a phone of the stack and as a program.
@Suite("An app that iOS 27 does not launch", .suiteLimit)
struct SceneAdoptionRoadTests {
    private static let refusal = "UIScene life cycle is required for apps built with this SDK"

    /// Fails the test if it is launched.
    private final class NeverLaunched: UIResponder, UIApplicationDelegate {
        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            Issue.record("The app was launched.")
            return true
        }
    }

    @Test("The verdict of the service says why a silent push, and a tap, did not launch it")
    func verdict() async throws {
        try await withStack { stack in
            let phone = try await stack.makePhone(name: "New", system: "27.0")
            let registrationID = try await stack.registrationID(of: phone)
            phone.device.answerPrompt(true)
            phone.device.background(phone.bundleID)
            await phone.device.settled()
            // The next build of the app, which keeps its token.
            var build = InstalledApp(bundleID: phone.bundleID, environment: .production)
            build.sdk = 27
            phone.device.install(build) { NeverLaunched() }
            defer { phone.switchOff() }

            let bodies: [JSONValue] = [["content-available": true, "alert": ""], ["alert": "Hello"]]
            for body in bodies {
                let push: JSONValue = [
                    "platform": "all", "audience": ["registration_id": [.string(registrationID.text)]],
                    "notification": ["ios": body],
                ]
                let answer = try await stack.api.post("/v3/push", push.bytes)
                let message = try #require(answer.json.object?["msg_id"]?.string)
                guard body == ["alert": "Hello"] else {
                    let sentence = try await stack.verdict(.crashed, of: message, to: registrationID)
                    #expect(sentence.contains(Self.refusal))
                    continue
                }
                let journey = try await stack.journey(of: message, to: registrationID)
                let apnsID = try #require(journey.object?["apns_id"]?.string)
                _ = await stack.journeys.first(of: apnsID) { $0 == .presented(.banner) }
                #expect(phone.device.tap(apnsID))
                let end = await stack.journeys.first(of: apnsID) { if case .crashed = $0 { true } else { false } }
                #expect(end != nil)
                let sentence = try await stack.verdict(.opened, of: message, to: registrationID)
                #expect(sentence.contains(Self.refusal))
            }
            #expect(phone.device.condition(of: phone.bundleID) == .notRunning)
        }
    }

    @Test("A program is not started, and the reason is given", arguments: [true, false])
    func program(_ hasScenes: Bool) async throws {
        let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        var program = try ProgramApp(
            executable: products.appending(path: "PushLabApp"),
            info: ProjectFolder.url.appending(path: "Examples/PushLab/Info.plist")
        )
        program.app.sdk = 27
        if !hasScenes { program.app.info["UIApplicationSceneManifest"] = nil }
        let lines = Recorder<String>()
        let phone = try ProgramPhone(
            name: "iPhone",
            system: "27.0",
            programs: [program],
            clock: VirtualClock(),
            dialer: LoopbackDialer(),
            output: { lines.add($0) }
        )
        defer { phone.device.shutdown() }
        guard hasScenes else {
            let problem = await #expect(throws: ProgramDoesNotRun.self) { try await phone.open(program.app) }
            #expect(
                problem?.description.hasPrefix("The app com.example.pushlab does not run: Application failed") == true
            )
            #expect(problem?.reason.contains(Self.refusal) == true)
            #expect(lines.elements.isEmpty)
            return
        }
        phone.device.open(program.app.bundleID)
        await lines.wait(for: "PushLabApp: sceneDidBecomeActive(_:) [active]")
    }
}
