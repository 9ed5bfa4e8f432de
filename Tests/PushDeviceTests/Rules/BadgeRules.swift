import CallbackMatrix
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

/// The table "Badges" of Documentation/Compatibility/NotificationRules.md, and what belongs to it.
@Suite("Rules of badges")
@MainActor
struct BadgeRules {
    /// The setters of a badge.
    enum Setter: String, Sendable {
        case push, pushWithoutText, request, requestWithoutText, legacyNotification, badgeCount, iconBadgeNumber
    }

    /// A row: who sets which badge on an icon with 3, the badge after that, and whether the app's entry stays.
    struct Row: Sendable, CustomTestStringConvertible {
        var setter: Setter
        var badge: Int?
        var icon: Int
        var keepsEntry: Bool

        init(_ setter: Setter, _ badge: Int?, icon: Int, keepsEntry: Bool) {
            self.setter = setter
            self.badge = badge
            self.icon = icon
            self.keepsEntry = keepsEntry
        }

        var testDescription: String { "\(setter) \(badge.map(String.init) ?? "without a badge")" }
    }

    nonisolated static let rows: [Row] =
        [Setter.push, .request].map { Row($0, nil, icon: 3, keepsEntry: true) }
        + [Setter.push, .pushWithoutText, .request, .requestWithoutText, .legacyNotification, .badgeCount]
        .map { Row($0, 5, icon: 5, keepsEntry: true) } + [
            Row(.iconBadgeNumber, 5, icon: 5, keepsEntry: true),
            Row(.push, 0, icon: 0, keepsEntry: false),
            Row(.pushWithoutText, 0, icon: 0, keepsEntry: false),
            Row(.request, 0, icon: 0, keepsEntry: false),
            Row(.requestWithoutText, 0, icon: 3, keepsEntry: true),
            Row(.legacyNotification, 0, icon: 3, keepsEntry: true),
            Row(.badgeCount, 0, icon: 0, keepsEntry: false),
            Row(.iconBadgeNumber, 0, icon: 0, keepsEntry: false),
            Row(.push, -1, icon: 0, keepsEntry: false),
            Row(.pushWithoutText, -1, icon: 0, keepsEntry: false),
            Row(.request, -1, icon: 0, keepsEntry: true),
            Row(.requestWithoutText, -1, icon: 0, keepsEntry: true),
            Row(.legacyNotification, -1, icon: 0, keepsEntry: true),
            Row(.badgeCount, -1, icon: 3, keepsEntry: true),
            Row(.iconBadgeNumber, -1, icon: 0, keepsEntry: true),
        ]

    private func stage(_ profile: SystemProfile = .iOS(17)) async throws -> LocalStage {
        let stage = await LocalStage(profile)
        await stage.background()
        try await stage.add("old", nil)
        await stage.app { _ in UIApplication.shared.applicationIconBadgeNumber = 3 }
        #expect(stage.badge == 3 && stage.list == ["old"])
        return stage
    }

    private func set(_ badge: Int?, by setter: Setter, on stage: LocalStage) async throws {
        let aps: JSONObject = badge.map { ["badge": .integer(Int64($0))] } ?? [:]
        let content = setter == .request ? stage.content("New") : UNMutableNotificationContent()
        content.badge = badge.map { NSNumber(value: $0) }
        switch setter {
        case .push: await stage.phone.push(.texted(aps), to: .lab)
        case .pushWithoutText: await stage.phone.push(["aps": .object(aps)], to: .lab)
        case .request, .requestWithoutText: try await stage.add("new", nil, content: content)
        case .legacyNotification:
            await stage.app { _ in
                let notification = UILocalNotification()
                notification.applicationIconBadgeNumber = badge ?? 0
                UIApplication.shared.presentLocalNotificationNow(notification)
            }
        case .badgeCount: _ = await errorCode { _ = try await stage.app { try await $0.setBadgeCount(badge ?? 0) } }
        case .iconBadgeNumber: await stage.app { _ in UIApplication.shared.applicationIconBadgeNumber = badge ?? 0 }
        }
        await stage.phone.device.settled()
    }

    @Test("The right to set a badge, and the changes that clear the app's entries", arguments: rows)
    func table(_ row: Row) async throws {
        let stage = try await stage()
        try await set(row.badge, by: row.setter, on: stage)
        #expect(stage.badge == row.icon)
        #expect(stage.list.contains("old") == row.keepsEntry)
    }

    @Test(
        "Nothing is cleared without a badge",
        arguments: [Setter.push, .request, .badgeCount, .iconBadgeNumber]
    )
    func zeroToZero(_ setter: Setter) async throws {
        let stage = await LocalStage()
        await stage.background()
        try await stage.add("old", nil)
        for badge in [0, -1] { try await set(badge, by: setter, on: stage) }
        #expect(stage.badge == 0 && stage.list.contains("old"))
    }

    @Test("A push with a badge of 0 is shown itself")
    func pushToZero() async throws {
        let stage = try await stage()
        let last = await stage.phone.push(.texted(["badge": 0]), to: .lab)
        #expect(stage.phone.device.screen.list.map(\.id) == [last])
    }

    @Test(
        "openradar 29859960, 37067664, notifee #826: a request with a badge of 0 alone is taken, and nothing comes of it",
        arguments: [false, true],
        [10, 17]
    )
    func openradar29859960_badgeOfZeroAlone(_ isInFront: Bool, _ major: Int) async throws {
        let stage = try await stage(.iOS(major))
        if isInFront { await stage.phone.open(.lab) }
        let list = stage.list
        try await set(0, by: .requestWithoutText, on: stage)
        #expect(stage.badge == 3 && stage.list == list)
        #expect(stage.kinds("new") == [.fired, .suppressed(.noText)])
    }

    @Test("jpush-react-native #705: a push with a negative badge removes the badge, and the app reads 0")
    func jpush705_negativeInPush() async throws {
        let stage = try await stage()
        await stage.phone.push(.texted(["badge": -1]), to: .lab)
        #expect(stage.phone.device.screen.badges == [:])
        #expect(await stage.app { _ in UIApplication.shared.applicationIconBadgeNumber } == 0)
    }

    @Test("OneSignal-Cordova-SDK #66: entries that the user clears, or the app removes, leave the badge as it is")
    func onesignal66_entriesLeaveTheBadge() async throws {
        let stage = try await stage()
        await stage.phone.perform { $0.clearAll() }
        #expect(stage.list == [] && stage.badge == 3)
        try await stage.add("next", nil)
        await stage.app { $0.removeAllDeliveredNotifications() }
        await stage.phone.device.settled()
        #expect(stage.list == [] && stage.badge == 3)
    }

    @Test(
        """
        deltachat-ios PR 627, cordova-plugin-badge #135, flutter_app_badger #91: the badge outlives the app, until the new one \
        sets it
        """
    )
    func deltachat627_badgeOutlivesTheApp() async throws {
        let stage = try await stage()
        await stage.phone.perform { $0.uninstall(lab) }
        #expect(stage.phone.device.screen.badges == [:] && stage.list == [])
        stage.phone.install(.lab) { CompleteMatrixApp.make(MatrixAppPlan()) }
        #expect(stage.badge == 3)
        await stage.phone.open(.lab)
        #expect(await stage.app { _ in UIApplication.shared.applicationIconBadgeNumber } == 3)
        await stage.app { _ in UIApplication.shared.applicationIconBadgeNumber = 0 }
        await stage.phone.device.settled()
        #expect(stage.badge == 0)
        // An app without a badge leaves none.
        await stage.phone.perform { $0.uninstall(lab) }
        stage.phone.install(.lab) { CompleteMatrixApp.make(MatrixAppPlan()) }
        #expect(stage.badge == 0)
    }

    @Test("A negative badge count is an error of its own, also with a handler; without permission it is not allowed")
    func badgeErrors() async throws {
        for (prompts, number, expected) in [
            (PromptPolicy.allow, -1, UNError.Code.badgeInputInvalid), (.deny, 1, .notificationsNotAllowed),
        ] {
            let stage = await LocalStage(prompts: prompts)
            #expect(await errorCode { _ = try await stage.app { try await $0.setBadgeCount(number) } } == expected)
            let told = await stage.app { center in
                await withCheckedContinuation { next in
                    center.setBadgeCount(number) { next.resume(returning: ($0 as? UNError)?.code) }
                }
            }
            #expect(told == .some(expected))
            #expect(stage.badge == 0)
        }
    }
}
