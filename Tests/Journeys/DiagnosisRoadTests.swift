import AppInstallation
import AppleDeveloper
import Foundation
import PosthornStack
import PushClock
import PushDevice
import PushModel
import PushService
import SystemPort
import TestSupport
import Testing
import UIKit
import UserNotifications

@testable import APNSGateway

/// Why the user of an emulated iPhone got nothing, asked by the phone.
@Suite("A phone asks why it got nothing", .suiteLimit)
struct DiagnosisRoadTests {
    /// One fault, and the sentence that names it.
    struct Case: Sendable, CustomTestStringConvertible {
        var cause: Diagnosis.Cause
        var sentence: String
        var chinese: String
        /// Whether nothing can change the conclusion any more.
        var isFinal = true
        var prepare: @Sendable (Stack, PushLabPhone, DeviceID) async throws -> Void

        var testDescription: String { cause.rawValue }
    }

    private static let bundleID = Stack.bundleID

    /// Removes the app's only key.
    private static func removeKey(of app: App.ID, in stack: Stack) async throws {
        let store = stack.service.core.store
        let keys = Set(try await store.credentials(of: app).filter { $0.key != nil }.map(\.id))
        #expect(try await store.change(CredentialChange(remove: keys), of: app).unknown.isEmpty)
    }

    static let cases = [
        Case(cause: .well, sentence: "The test notification arrived.", chinese: "测试通知已送达。") { _, _, _ in },
        Case(
            cause: .permission,
            sentence: "Notifications are not allowed for this app. Allow them in Settings.",
            chinese: "本 App 未获得通知权限，请在“设置”中允许通知。"
        ) { _, phone, _ in phone.device.setNotifications(of: bundleID, allowed: false) },
        Case(
            cause: .bannersOff,
            sentence: "Banners are switched off for this app. Switch them on in Settings.",
            chinese: "本 App 的横幅已关闭，请在“设置”中打开。"
        ) { _, phone, _ in phone.device.changeSettings(of: bundleID) { $0.showsBanners = false } },
        Case(
            cause: .focus,
            sentence: "A Focus is on that does not let this app through.",
            chinese: "已开启专注模式，且未允许本 App 的通知。"
        ) { _, phone, _ in phone.device.setFocus(Focus(name: "Work")) },
        Case(
            cause: .summary,
            sentence: "Notifications of this app wait for the scheduled summary.",
            chinese: "本 App 的通知会在定时推送摘要中显示。"
        ) { _, phone, _ in phone.device.changeSettings(of: bundleID) { $0.scheduledDelivery = true } },
        Case(
            cause: .provisional,
            sentence: "Notifications of this app are delivered quietly, to Notification Centre only.",
            chinese: "本 App 的通知仅静默显示在通知中心。"
        ) { stack, phone, device in
            phone.device.changeSettings(of: bundleID) { $0.status = 3 }
            try await change(device, in: stack) { $0.permission = .provisional }
        },
        Case(
            cause: .deviceOffline,
            sentence: "The device is not connected to the notification service.",
            chinese: "设备未连接到通知服务。",
            isFinal: false
        ) { _, phone, _ in phone.device.disconnect() },
        Case(
            cause: .pushOff,
            sentence: "Notifications are switched off inside this app.",
            chinese: "本 App 内的通知开关已关闭。"
        ) { stack, _, device in try await change(device, in: stack) { $0.isStopped = true } },
        Case(
            cause: .noToken,
            sentence: "This app is not ready for notifications yet. Open it while the device is online, and try again.",
            chinese: "本 App 尚未准备好接收通知。请在联网时打开 App 后重试。"
        ) { stack, _, device in try await change(device, in: stack) { $0.token = nil } },
        Case(
            cause: .environment,
            sentence: "This version of the app was built for a different notification environment.",
            chinese: "本 App 的版本与通知环境不一致。"
        ) { stack, _, device in
            let token = DeviceToken(bytes: [UInt8](repeating: 1, count: 32))
            try await change(device, in: stack) { $0.token = token }
        },
        Case(
            cause: .tokenRefused,
            sentence: "Apple does not accept this device for this app. Install the app again.",
            chinese: "Apple 不接受本设备接收本 App 的通知，请重新安装 App。"
        ) { stack, _, device in try await change(device, in: stack) { $0.tokenRefusal = .deviceTokenNotForTopic } },
        Case(
            cause: .tokenGone,
            sentence: "This device is no longer registered with Apple. Open the app again and repeat the test.",
            chinese: "本设备在 Apple 的注册已失效。请重新打开 App 后再次测试。"
        ) { stack, _, device in
            let token = try #require(try await stack.service.core.store.device(device)?.token)
            stack.gateway.server.gateway.unregisterToken(token)
        },
        Case(
            cause: .credentialMissing,
            sentence: "The app's provider has not finished setting up notifications.",
            chinese: "App 提供方尚未完成通知的配置。"
        ) { stack, _, device in
            try await removeKey(of: device.app, in: stack)
        },
        Case(
            cause: .credentialExpired,
            sentence: "The app's provider has to renew a certificate.",
            chinese: "App 提供方的推送证书已过期，需要更新。"
        ) { stack, _, device in
            let store = stack.service.core.store
            let now = stack.settings.clock.date
            let order = GatewayAuthority.PushOrder(
                appID: try AppID(bundleID: bundleID, hasPush: true),
                teamID: GatewayNode.teamID,
                environments: [.production]
            )
            let key = try CertificateKey()
            let pem = try stack.gateway.authority.issue(order, to: key.publicKey, at: now).pem() + key.pem
            let file = Data(pem.utf8).base64EncodedString()
            let client = try await OperatorClient(data: stack.settings.folder, creates: false)
            let app: JSONValue = .string(stack.app.app.key.text)
            _ = try await client.perform(.credentialAdd, ["app": app, "certificate": .string(file)])
            // The service takes no certificate that has expired, so this one ends afterwards.
            let added = try #require(try await store.credentials(of: device.app).first { $0.certificate != nil })
            guard case .certificate(var certificate) = added.content else { return }
            certificate.notAfter = now.addingTimeInterval(-60)
            var expired = added
            expired.content = .certificate(certificate)
            _ = try await store.change(CredentialChange(add: [expired], remove: [added.id]), of: device.app)
            try await removeKey(of: device.app, in: stack)
        },
        Case(
            cause: .credentialRefused,
            sentence: "Apple does not accept the credential of the app's provider.",
            chinese: "Apple 不接受 App 提供方的推送凭证。"
        ) { stack, _, _ in answer(FaultAnswer(.invalidProviderToken), in: stack) },
        Case(
            cause: .refused,
            sentence: "Apple refused the test notification.",
            chinese: "Apple 拒绝了测试通知。"
        ) { stack, _, _ in answer(FaultAnswer(.payloadTooLarge), in: stack) },
        Case(
            cause: .waiting,
            sentence: "The test notification has not been sent yet. Try again in a moment.",
            chinese: "测试通知尚未发出，请稍后重试。",
            isFinal: false
        ) { stack, _, _ in answer(FaultAnswer(.serviceUnavailable), in: stack) },
        Case(
            cause: .notReported,
            sentence: "The test notification was sent, but this device has not confirmed it.",
            chinese: "测试通知已发出，但设备尚未确认收到。",
            isFinal: false
        ) { stack, _, _ in
            // As Apple's APNs does, the gateway says no more than that it has taken the push.
            answer(FaultAnswer(status: 200), in: stack)
        },
        Case(
            cause: .foreground,
            sentence: "The test notification arrived; this app shows none while it is open.",
            chinese: "测试通知已送达；App 打开时不显示通知。"
        ) { _, phone, _ in
            phone.device.open(bundleID)
            await phone.device.settled()
            _ = await phone.device.inside(bundleID) { UNUserNotificationCenter.current().delegate = nil }
        },
        Case(
            cause: .notShown,
            sentence: "The test notification arrived, but the device did not show it.",
            chinese: "测试通知已送达，但设备未显示。"
        ) { _, phone, _ in
            let app = InstalledApp(bundleID: bundleID, environment: .production, entitlements: [.filtering])
            phone.device.install(app, serviceExtension: { EmptyingService() }) { SilentApp() }
        },
    ]

    @Test("Each cause has a case")
    func complete() { #expect(Set(Self.cases.map(\.cause)) == Set(Diagnosis.Cause.allCases)) }

    /// Lets the gateway answer every request this way.
    private static func answer(_ answer: FaultAnswer, in stack: Stack) {
        _ = stack.gateway.server.gateway.add(Fault(.answer(answer)))
    }

    private static func change(
        _ device: DeviceID,
        in stack: Stack,
        _ change: @escaping @Sendable (inout RegisteredDevice) -> Void
    ) async throws {
        let changed = try await stack.service.core.store.updateDevice(device, change)
        stack.service.core.registry.apply([try #require(changed)])
    }

    @Test("The cause is found, and said in English and Chinese", arguments: cases)
    func finds(_ one: Case) async throws {
        let clock = VirtualClock()
        try await withStack(clock: clock) { stack in
            let phone = try #require(stack.phones.first)
            let core = stack.service.core
            let name = try await stack.registrationID(of: phone)
            let device = try #require(core.registry.device(name, of: stack.app.app.id))
            try await one.prepare(stack, phone, device)
            var message: MessageID?
            func look(_ language: Language) async throws -> Diagnosis {
                let found = try await core.diagnoser.diagnose(
                    device,
                    again: message,
                    in: language,
                    orElse: nil,
                    waiting: 0
                )
                return try #require(found).diagnosis
            }
            let first = try await look(.english)
            message = first.message
            // What the app has said of its permission names a cause before the device has the push.
            _ = try await eventual("the cause is '\(one.cause.rawValue)', with the push delivered if one needs it") {
                let found = message == nil ? first : try await look(.english)
                let isDelivered = found.facts["events"]?.array?.contains { $0.object?["event"] == "delivered" } ?? false
                return found.cause == one.cause && (found.isFinal || !one.isFinal || isDelivered) ? found : nil
            }
            // The time in which a device that has the push says what became of it.
            await clock.advance(by: .seconds(3))
            let found = try await eventual("the cause is '\(one.cause.rawValue)', and isFinal \(one.isFinal)") {
                let found = message == nil ? first : try await look(.english)
                return found.cause == one.cause && found.isFinal == one.isFinal ? found : nil
            }
            #expect(found.cause.sentence(in: .english) == one.sentence)
            #expect(found.cause.sentence(in: .simplifiedChinese) == one.chinese)
            #expect(found.facts["do"]?.string?.isEmpty == false)
            #expect(found.facts["environment"]?.string == "production")
        }
    }
}

/// A service extension that hides every notification.
private final class EmptyingService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(UNNotificationContent())
    }
}

private final class SilentApp: UIResponder, UIApplicationDelegate {}
