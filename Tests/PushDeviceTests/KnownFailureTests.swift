import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

// What people hit in other systems (known-failures.md, rows `d`); the 64-request limit, replacing and daylight saving are
// in LocalNotificationTests, the wake budget in PersonTests.

@Suite("Known failures of other systems")
@MainActor
struct KnownFailureTests {
    @Test("UNUserNotificationCenter.current() works in a plain test process (openradar 27768556, OneSignal #229)")
    func plainProcess() async {
        await #expect(processExitsWith: .success) {
            let center = UNUserNotificationCenter.current()
            let settings = await center.notificationSettings()
            guard settings.authorizationStatus == .notDetermined, center === UNUserNotificationCenter.current() else {
                exit(1)
            }
        }
    }

    @Test("A test makes a UNNotificationResponse by acting like a person (onmyway133 #708)")
    func response() async throws {
        let phone = TestPhone()
        phone.install(.lab) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(.lab)
        let push = await phone.push(.alert, to: .lab)
        await phone.tap(push)
        let app = try #require(phone.device.delegate(of: lab, as: CompleteMatrixApp.self))
        #expect(app.responses.first?.notification.request.content.title == "Hi")
    }

    @Test(
        "A silent push that does not arrive says why (flutterfire #9300, uxduck/push #34, pushy-react-native #18)",
        arguments: [("force-quit", SuppressionReason.forceQuit), ("mode", .noBackgroundMode), ("budget", .budget)]
    )
    func silent(_ cause: String, _ reason: SuppressionReason) async {
        let phone = TestPhone()
        let app = cause == "mode" ? InstalledApp.deaf : .lab
        phone.install(app) { PlainApp() }
        await phone.open(app)
        await phone.background(app)
        if cause == "force-quit" { await phone.forceQuit(app) }
        if cause == "budget" { phone.device.setSilentWakesPerHour(0) }
        let push = await phone.push(.silent, to: app)
        #expect(phone.journeys.kinds(of: push) == [.suppressed(reason)])
        #expect(phone.story(of: push).contains("was not woken"))
    }

    @Test("A re-installed app gets a new token (openradar 24203195)")
    func reinstalled() async throws {
        let phone = TestPhone()
        phone.install(.lab) { TokenApp() }
        await phone.open(.lab)
        let first = try #require(phone.device.token(of: lab))
        phone.device.uninstall(lab)
        phone.install(.lab) { TokenApp() }
        await phone.open(.lab)
        let second = try #require(phone.device.token(of: lab))
        #expect(first != second)
    }
}
