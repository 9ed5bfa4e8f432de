import DeviceLink
import PosthornTesting
import PushDevice
import PushLab
import PushModel
import Synchronization
import TestSupport
import Testing
import UIKit

@Suite("PushLab on a phone", .suiteLimit)
@MainActor
struct PushLabTests {
    private static let lab = InstalledApp(
        bundleID: "com.example.pushlab",
        name: "PushLab",
        link: TestService.url,
        info: LabStage.info
    )

    @Test("Permission, token, registration, a push in front and one that is tapped")
    func road() async throws {
        let phone = TestPhone()
        let service = TestService()
        phone.dialer.serve(TestService.url, service)
        phone.install(Self.lab) { AppDelegate(settings: PushLabSettings(appKey: "key")) }
        await phone.open(Self.lab)
        let first = await phone.push(.alert, to: Self.lab)
        #expect(await phone.journeys.first(of: first) { $0 == .presented(.banner) } != nil)
        await phone.background(Self.lab)
        let second = await phone.push(.alertAndContent, to: Self.lab)
        await phone.tap(second)

        let app = try #require(phone.device.delegate(of: Self.lab.bundleID, as: AppDelegate.self))
        // The completion runs on the main thread, some time after the login.
        try await eventually("the app has a registration id") { app.registrationID != nil }
        #expect(app.registrationID == "19d1")
        let token = try #require(phone.device.token(of: Self.lab.bundleID))
        let sent = SDKRequest.token(token, .development)
        // Once for each link: the one of before the background, and the one that the tap brought.
        try await eventually("the token was sent twice") { service.requests.count { $0 == sent } >= 2 }
        // The tap has opened the app with a badge of the push, which it sets to 0.
        #expect(service.requests.filter { $0 != .badge(0) } == [sent, sent])
        let names = app.log.lines.map { "\($0.name) \($0.state)" }.filter { $0.hasPrefix("jpushNotificationCenter") }
        #expect(
            names == [
                "jpushNotificationCenter(_:willPresent:withCompletionHandler:) active",
                "jpushNotificationCenter(_:didReceive:withCompletionHandler:) inactive",
            ]
        )
        try await eventually("the app is told the authorization") {
            app.log.lines.contains { $0.name == "jpushNotificationAuthorization(_:withInfo:)" }
        }
    }

    @Test("A custom message is a line of the log, and a push is reported received and opened")
    func messagesAndReceipts() async throws {
        let phone = TestPhone()
        let service = TestService()
        phone.dialer.serve(TestService.url, service)
        phone.install(Self.lab) { AppDelegate(settings: PushLabSettings(appKey: "key")) }
        await phone.open(Self.lab)
        let app = try #require(phone.device.delegate(of: Self.lab.bundleID, as: AppDelegate.self))
        try await eventually("the app has a registration id") { app.registrationID != nil }
        service.send(SDKMessage(position: 1, messageID: 2, content: "hello"))
        try await eventually("the message is acknowledged") {
            service.state.withLock { $0.acknowledged == [1] }
        }
        let lines = app.log.lines.filter { $0.name == "jpfNetworkDidReceiveMessage" }
        #expect(lines.map(\.detail) == ["hello"])
        let push = await phone.push(["aps": ["alert": "Hi"], "_j_msgid": 3], to: Self.lab)
        await phone.tap(push)
        #expect(service.state.withLock { $0.receipts.map(\.event) } == [.received, .opened])
    }
}
