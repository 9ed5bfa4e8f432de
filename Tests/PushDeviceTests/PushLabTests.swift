import DeviceLink
import PosthornTesting
import PushDevice
import PushLab
import PushModel
import Testing
import UIKit

@Suite("PushLab on a phone")
@MainActor
struct PushLabTests {
    private static let lab = InstalledApp(bundleID: "com.example.pushlab", name: "PushLab", link: TestService.url)

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
        while app.registrationID == nil { await Task.yield() }
        #expect(app.registrationID == "19d1")
        let token = try #require(phone.device.token(of: Self.lab.bundleID))
        let requests = service.received.compactMap { frame -> SDKRequest? in
            if case .request(_, let request) = frame { request } else { nil }
        }
        #expect(requests == [.token(token, .development)])
        let names = app.log.lines.map { "\($0.name) \($0.state)" }.filter { $0.hasPrefix("jpushNotificationCenter") }
        #expect(
            names == [
                "jpushNotificationCenter(_:willPresent:withCompletionHandler:) active",
                "jpushNotificationCenter(_:didReceive:withCompletionHandler:) inactive",
            ]
        )
        #expect(app.log.lines.contains { $0.name == "jpushNotificationAuthorization(_:withInfo:)" })
    }
}
