import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

// What people hit in other systems, by the names of their reports; the 64-request limit, replacing and daylight saving are
// in LocalNotificationTests, the wake budget in PersonTests, calls before registration in JPushLabelTests.

@Suite("Known failures of other systems")
@MainActor
struct KnownFailureTests {
    @Test("openradar27768556_oneSignal229_currentWorksInAPlainTestProcess")
    func plainProcess() async {
        await #expect(processExitsWith: .success) {
            let center = UNUserNotificationCenter.current()
            let settings = await center.notificationSettings()
            guard settings.authorizationStatus == .notDetermined, center === UNUserNotificationCenter.current() else {
                exit(1)
            }
        }
    }

    @Test("blog708_aTestMakesAResponseByActingLikeAPerson")
    func response() async throws {
        let phone = await TestPhone().opening { CompleteMatrixApp.make(MatrixAppPlan()) }
        let push = await phone.push(.alert, to: .lab)
        await phone.tap(push)
        let app = try phone.delegate(CompleteMatrixApp.self)
        #expect(app.responses.first?.notification.request.content.title == "Hi")
    }

    @Test(
        "flutterfire9300_uxduck34_pushyReactNative18_aSilentPushThatDoesNotArriveSaysWhy",
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

    @Test("openradar24203195_aReinstalledAppGetsANewToken: the old one is given back, so that it can die")
    func reinstalled() async throws {
        let phone = await TestPhone().opening { TokenApp() }
        let first = try #require(phone.device.token(of: lab))
        #expect(phone.courier.unregistered == [])
        await phone.perform { $0.uninstall(lab) }
        #expect(phone.courier.unregistered == [first])
        #expect(phone.device.token(of: lab) == nil)
        phone.install(.lab) { TokenApp() }
        await phone.open(.lab)
        let second = try #require(phone.device.token(of: lab))
        #expect(first != second)
        let app = try phone.delegate(TokenApp.self)
        #expect(app.tokens == [Data(second.bytes)])
    }
}
