import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

/// Asks for nothing by itself.
private final class ShyApp: UIResponder, UIApplicationDelegate {}

/// Names that Apple has deprecated, called where that brings no warning.
private protocol OldNames {
    static func authorization() -> [UInt]
    static func category() -> UInt
}

private enum Names: OldNames {
    @available(*, deprecated)
    static func authorization() -> [UInt] {
        [UNAuthorizationOptions.announcement, .timeSensitive].map(\.rawValue)
    }

    @available(*, deprecated)
    static func category() -> UInt { UNNotificationCategoryOptions.allowAnnouncement.rawValue }
}

@Suite("Rules of permission and settings")
@MainActor
struct SettingsRules {
    private func phone(_ prompts: PromptPolicy, _ profile: SystemProfile = .iOS(17)) async -> TestPhone {
        let phone = await TestPhone(profile, prompts: prompts).opening { ShyApp() }
        return phone
    }

    private func ask(_ options: UNAuthorizationOptions, on phone: TestPhone) async throws -> Bool {
        let granted = try await phone.inCentre { try await $0.requestAuthorization(options: options) }
        return granted == true
    }

    private func settings(_ phone: TestPhone) async throws -> UNNotificationSettings {
        try #require(await phone.inCentre { await $0.notificationSettings() })
    }

    private func prompts(_ phone: TestPhone) -> Int {
        phone.device.recentDeviceEvents.count { if case .promptShown = $0.kind { true } else { false } }
    }

    // MARK: Words

    @Test("Statuses, settings, styles and previews have Apple's raw values")
    func rawValues() {
        let statuses: [UNAuthorizationStatus] = [.notDetermined, .denied, .authorized, .provisional, .ephemeral]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect([UNNotificationSetting.notSupported, .disabled, .enabled].map(\.rawValue) == [0, 1, 2])
        #expect([UNAlertStyle.none, .banner, .alert].map(\.rawValue) == [0, 1, 2])
        #expect([UNShowPreviewsSetting.always, .whenAuthenticated, .never].map(\.rawValue) == [0, 1, 2])
        let names: any OldNames.Type = Names.self
        #expect(names.authorization() == [128, 256])
        #expect(names.category() == 16)
    }

    // MARK: Asking

    @Test("Without options the call compiles, and grants nothing")
    func noOptions() async throws {
        let phone = await phone(.allow)
        let granted = try await phone.inCentre { try await $0.requestAuthorization() }
        #expect(granted == false)
    }

    @Test("The first question prompts, and its answer holds: later ones do not", arguments: [true, false])
    func promptsOnce(_ allow: Bool) async throws {
        let phone = await phone(allow ? .allow : .deny)
        #expect(try await ask([.alert], on: phone) == allow)
        #expect(try await ask([.alert, .sound], on: phone) == allow)
        #expect(prompts(phone) == 1)
        await phone.terminate(.lab)
        await phone.open(.lab)
        #expect(try await ask([.alert], on: phone) == allow)
        #expect(prompts(phone) == 1)
        #expect(try await settings(phone).soundSetting == .notSupported)
    }

    @Test("A user who says no is no error")
    func deniedIsNoError() async {
        let phone = await phone(.deny)
        let answer = await phone.device.inside(lab) {
            await withCheckedContinuation { next in
                UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { granted, error in
                    next.resume(returning: [granted, error == nil])
                }
            }
        }
        #expect(answer == [false, true])
    }

    @Test("It is granted if at least one of the kinds is")
    func oneKindIsEnough() async throws {
        let phone = await phone(.allow)
        // Without the entitlement no app gets critical alerts.
        #expect(try await ask([.badge, .criticalAlert], on: phone))
        let settings = try await settings(phone)
        #expect(settings.badgeSetting == .enabled && settings.criticalAlertSetting == .notSupported)
        #expect(settings.alertSetting == .notSupported)
        #expect(try await ask([.criticalAlert], on: await self.phone(.allow)) == false)
    }

    @Test("An app that asks later for a button to its own settings gets it without a prompt")
    func quietKinds() async throws {
        let phone = await phone(.allow)
        _ = try await ask([.alert], on: phone)
        #expect(try await settings(phone).providesAppNotificationSettings == false)
        _ = try await ask([.alert, .providesAppNotificationSettings], on: phone)
        #expect(try await settings(phone).providesAppNotificationSettings)
        #expect(prompts(phone) == 1)
    }

    @Test("Two questions at once are one prompt, and both are answered")
    func twoQuestions() async throws {
        let phone = await phone(.ask)
        let log = Recorder<String>()
        await phone.device.inside(lab) {
            for name in ["a", "b"] {
                UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { granted, _ in
                    log.add("\(name) \(granted)")
                }
            }
        }
        #expect(prompts(phone) == 1 && log.elements == [])
        #expect(phone.device.screen.prompt?.options == UNAuthorizationOptions.alert.rawValue)
        await phone.answerPrompt(true)
        _ = try await settings(phone)
        try await eventually("both questions are answered") { log.elements.count >= 2 }
        #expect(log.elements == ["a true", "b true"])
    }

    // MARK: Provisional

    @Test("Provisional permission is given without a prompt, for the list alone")
    func provisional() async throws {
        let phone = await phone(.ask)
        #expect(try await ask([.alert, .sound, .badge, .provisional], on: phone))
        #expect(prompts(phone) == 0)
        let settings = try await settings(phone)
        #expect(settings.authorizationStatus == .provisional)
        let off = [settings.alertSetting, settings.soundSetting, settings.badgeSetting, settings.lockScreenSetting]
        #expect(off == [.disabled, .disabled, .disabled, .disabled])
        #expect(settings.notificationCenterSetting == .enabled && settings.alertStyle == .none)
        await phone.background(.lab)
        let push = await phone.push(.alert, to: .lab)
        #expect(phone.journeys.kinds(of: push) == [.presented(.list)])
        await phone.perform { $0.lock() }
        let locked = await phone.push(.alert, to: .lab)
        #expect(phone.journeys.kinds(of: locked) == [.presented(.list)])
        #expect(phone.device.screen.badges.isEmpty && phone.device.screen.banner == nil)
    }

    @Test("An app with provisional permission may not set its badge")
    func provisionalBadge() async throws {
        let phone = await phone(.ask)
        _ = try await ask([.alert, .badge, .provisional], on: phone)
        let code = await errorCode {
            _ = try await phone.inCentre { try await $0.setBadgeCount(2) }
        }
        #expect(code == .notificationsNotAllowed)
        #expect(phone.device.screen.badges.isEmpty)
    }

    @Test("The question without provisional prompts one who has provisional permission", arguments: [true, false])
    func provisionalThenReal(_ allow: Bool) async throws {
        let phone = await phone(allow ? .allow : .deny)
        _ = try await ask([.alert, .provisional], on: phone)
        _ = try await ask([.alert, .provisional], on: phone)
        #expect(prompts(phone) == 0)
        #expect(try await ask([.alert], on: phone) == allow)
        #expect(prompts(phone) == 1)
        #expect(try await settings(phone).authorizationStatus == (allow ? .authorized : .denied))
    }

    @Test("The user keeps a provisional app, or turns it off, at its entry", arguments: [true, false])
    func keepOrTurnOff(_ keeps: Bool) async throws {
        let phone = await phone(.ask)
        _ = try await ask([.alert, .provisional], on: phone)
        await phone.background(.lab)
        await phone.perform { $0.setNotifications(of: lab, allowed: keeps) }
        let push = await phone.push(.texted([:]), to: .lab)
        let shown: [JourneyEvent.Kind] = [.presented(.banner), .presented(.list)]
        #expect(phone.journeys.kinds(of: push) == (keeps ? shown : [.suppressed(.permissionDenied)]))
    }

    @Test("Before iOS 12 there is no provisional permission: the question prompts")
    func provisionalBefore12() async throws {
        let phone = await phone(.allow, .iOS(11))
        #expect(try await ask([.alert, .provisional], on: phone))
        #expect(prompts(phone) == 1)
    }

    // MARK: The snapshot

    @Test("Before any question everything is not supported, and the style is none")
    func before() async throws {
        let settings = try await settings(await phone(.ask))
        #expect(settings.authorizationStatus == .notDetermined && settings.alertStyle == .none)
        let kinds = [
            settings.alertSetting, settings.soundSetting, settings.badgeSetting, settings.lockScreenSetting,
            settings.notificationCenterSetting, settings.carPlaySetting, settings.criticalAlertSetting,
            settings.timeSensitiveSetting,
        ]
        #expect(kinds == Array(repeating: .notSupported, count: 8))
        #expect(settings.showPreviewsSetting == .always && !settings.providesAppNotificationSettings)
    }

    @Test("A kind that was asked for and is off is disabled; one that was never asked for is not supported")
    func offAndNever() async throws {
        let phone = await phone(.deny)
        _ = try await ask([.alert, .badge], on: phone)
        let settings = try await settings(phone)
        #expect(settings.alertSetting == .disabled && settings.badgeSetting == .disabled)
        #expect(settings.soundSetting == .notSupported && settings.carPlaySetting == .notSupported)
        #expect(settings.alertStyle == .none)
    }

    @Test("A snapshot does not change when the user changes something")
    func snapshot() async throws {
        let phone = await phone(.allow)
        _ = try await ask([.alert, .carPlay], on: phone)
        let before = try await settings(phone)
        #expect(before.carPlaySetting == .enabled && before.alertStyle == .banner)
        phone.device.changeSettings(of: lab) { settings in
            settings.hasPersistentBanners = true
            settings.showsOnLockScreen = false
            settings.showsInNotificationCenter = false
            settings.showPreviews = 2
        }
        let after = try await settings(phone)
        #expect(before.alertStyle == .banner && before.lockScreenSetting == .enabled)
        #expect(after.alertStyle == .alert && after.lockScreenSetting == .disabled)
        #expect(after.notificationCenterSetting == .disabled && after.showPreviewsSetting == .never)
        #expect(before != after && before.copy() as? UNNotificationSettings == before)
    }

    @Test("In a car shows what category and user allow; the rest says why not", arguments: [true, false])
    func car(_ allowed: Bool) async throws {
        let phone = await phone(.allow)
        _ = try await ask(allowed ? [.alert, .carPlay] : [.alert], on: phone)
        #expect(try await settings(phone).carPlaySetting == (allowed ? .enabled : .notSupported))
        await phone.device.inside(lab) {
            UNUserNotificationCenter.current().setNotificationCategories([
                UNNotificationCategory(
                    identifier: "c",
                    actions: [],
                    intentIdentifiers: [],
                    options: .allowInCarPlay
                )
            ])
        }
        await phone.background(.lab)
        let without = await phone.push(.texted(["category": "c"]), to: .lab)
        #expect(phone.journeys.kinds(of: without) == [.presented(.banner), .presented(.list)])
        await phone.perform { $0.setCarConnected(true) }
        let push = await phone.push(.texted(["category": "c"]), to: .lab)
        let kinds = phone.journeys.kinds(of: push)
        #expect(kinds.contains(allowed ? .presented(.carPlay) : .suppressed(.carPlay)))
        let other = await phone.push(.texted([:]), to: .lab)
        #expect(phone.journeys.kinds(of: other).contains(.suppressed(.carPlay)))
    }

    @Test(
        "Critical alerts are not supported without the entitlement, whatever the app asks for and the user answers",
        arguments: [12, 13, 14, 15, 16, 17, 18, 26, 27],
        [PromptPolicy.allow, .deny]
    )
    func criticalWithoutEntitlement(_ major: Int, _ prompts: PromptPolicy) async throws {
        let phone = await phone(prompts, .iOS(major))
        _ = try await ask([.alert, .criticalAlert], on: phone)
        #expect(try await settings(phone).criticalAlertSetting == .notSupported)
        #expect(try await settings(phone).alertSetting == (prompts == .allow ? .enabled : .disabled))
        // A user who allows later allows no more than that.
        phone.device.setNotifications(of: lab, allowed: true)
        #expect(try await settings(phone).criticalAlertSetting == .notSupported)
    }

    @Test(
        "With the entitlement critical alerts are the user's choice",
        arguments: [12, 17, 27],
        [PromptPolicy.allow, .deny]
    )
    func criticalWithEntitlement(_ major: Int, _ prompts: PromptPolicy) async throws {
        var app = InstalledApp.lab
        app.entitlements = [.criticalAlerts]
        let phone = await TestPhone(.iOS(major), prompts: prompts).opening(app) { ShyApp() }
        _ = try await ask([.alert, .criticalAlert], on: phone)
        #expect(try await settings(phone).criticalAlertSetting == (prompts == .allow ? .enabled : .disabled))
    }

    @Test("Time-sensitive is a setting of apps with the entitlement")
    func timeSensitive() async throws {
        var app = InstalledApp.lab
        app.entitlements = [.timeSensitive, .criticalAlerts]
        let phone = await TestPhone().opening(app) { ShyApp() }
        _ = try await ask([.alert, .criticalAlert], on: phone)
        let settings = try await settings(phone)
        #expect(settings.timeSensitiveSetting == .enabled && settings.criticalAlertSetting == .enabled)
    }
}
