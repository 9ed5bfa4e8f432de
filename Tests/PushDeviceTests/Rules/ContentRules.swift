import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

/// Names that Apple has deprecated, called where that brings no warning.
private protocol OldContent {
    static func summary() -> (String, Int, [RaisedException])
}

private enum Old: OldContent {
    @available(*, deprecated)
    static func summary() -> (String, Int, [RaisedException]) {
        let content = UNMutableNotificationContent()
        let raised = RaisedException.catching { content.summaryArgumentCount = 0 }
        return (content.summaryArgument, content.summaryArgumentCount, raised)
    }
}

@Suite("Rules of content and sounds")
@MainActor
struct ContentRules {
    private func delivered(_ stage: LocalStage) async throws -> UNNotificationContent {
        let found = await stage.app { await $0.deliveredNotifications().first?.request.content }
        return try #require(found ?? nil)
    }

    @Test("Every property can be set, and comes back as it was set")
    func everyProperty() async throws {
        let stage = await LocalStage()
        await stage.background()
        let content = UNMutableNotificationContent()
        content.title = "T"
        content.subtitle = "S"
        content.body = "B"
        content.badge = 4
        content.sound = UNNotificationSound(named: UNNotificationSoundName("a.caf"))
        content.categoryIdentifier = "c"
        content.threadIdentifier = "t"
        content.launchImageName = "l"
        content.targetContentIdentifier = "w"
        content.interruptionLevel = .timeSensitive
        content.relevanceScore = 0.25
        content.filterCriteria = "f"
        content.userInfo = ["k": 1]
        try await stage.add("a", nil, content: content)
        let back = try await delivered(stage)
        #expect(back == content)
        #expect(!(back is UNMutableNotificationContent))
    }

    @Test("The summary of iOS 12 has one argument by default, and a count of 0 raises")
    func summary() {
        let type: any OldContent.Type = Old.self
        let (argument, count, raised) = type.summary()
        #expect(argument == "" && count == 1)
        #expect(raised.map(\.name) == ["NSInternalInconsistencyException"])
    }

    // MARK: Text

    @Test("A body's %% is shown as %, a lone % stays; title and subtitle are shown as they are")
    func percent() async throws {
        let stage = await LocalStage()
        await stage.background()
        let content = stage.content("100%%")
        content.subtitle = "50%%"
        content.body = "100%% of 5%"
        try await stage.add("a", nil, content: content)
        let shown = try #require(stage.phone.device.screen.list.first)
        #expect([shown.title, shown.subtitle, shown.body] == ["100%%", "50%%", "100% of 5%"])
        #expect(try await delivered(stage).body == "100%% of 5%")
    }

    @Test("Without title, subtitle and body nothing is displayed; sound and badge still apply")
    func noText() async throws {
        let stage = await LocalStage()
        await stage.background()
        let content = UNMutableNotificationContent()
        content.sound = .default
        content.badge = 3
        try await stage.add("a", nil, content: content)
        #expect(stage.list == [] && stage.phone.device.screen.banner == nil)
        #expect(stage.badge == 3 && stage.sounds == [nil])
        #expect(
            stage.kinds("a") == [.fired, .presented(.sound), .presented(.badge), .suppressed(.noText)]
        )
    }

    @Test("One of the three texts is enough", arguments: [0, 1, 2])
    func oneText(_ which: Int) async throws {
        let stage = await LocalStage()
        await stage.background()
        let content = UNMutableNotificationContent()
        switch which {
        case 0: content.title = "a"
        case 1: content.subtitle = "a"
        default: content.body = "a"
        }
        try await stage.add("a", nil, content: content)
        #expect(stage.kinds("a") == [.fired, .presented(.banner), .presented(.list)])
    }

    // MARK: Levels

    @Test("Interruption levels are passive 0, active 1, time sensitive 2, critical 3; active is the default")
    func levels() {
        let levels: [UNNotificationInterruptionLevel] = [.passive, .active, .timeSensitive, .critical]
        #expect(levels.map(\.rawValue) == [0, 1, 2, 3])
        #expect(UNNotificationContent().interruptionLevel == .active)
    }

    @Test("Passive: the list only, no banner, no sound; the badge applies")
    func passive() async throws {
        let stage = await LocalStage()
        await stage.background()
        let content = stage.content()
        content.interruptionLevel = .passive
        content.sound = .default
        content.badge = 2
        try await stage.add("a", nil, content: content)
        #expect(stage.kinds("a") == [.fired, .presented(.list), .presented(.badge), .suppressed(.passive)])
        #expect(stage.sounds == [])
    }

    @Test("Critical breaks through a Focus with entitlement and permission, and without them counts as active")
    func critical() async throws {
        for entitled in [true, false] {
            var app = InstalledApp.lab
            if entitled { app.entitlements = [.criticalAlerts] }
            let phone = await TestPhone().opening(app) { PlainApp() }
            _ = try await phone.inCentre { try await $0.requestAuthorization(options: [.alert, .criticalAlert]) }
            phone.device.changeSettings(of: lab) { settings in
                settings.requested |= SettingsRecord.criticalAlert
                if entitled { settings.allowed |= SettingsRecord.criticalAlert }
            }
            await phone.background(app)
            await phone.perform { $0.setFocus(.doNotDisturb) }
            let push = await phone.push(.texted(["interruption-level": "critical"]), to: app)
            let shown = phone.journeys.kinds(of: push).contains(.presented(.banner))
            #expect(shown == entitled)
        }
    }

    @Test("Time-sensitive breaks through a Focus for an app with the entitlement, unless the user switched it off")
    func timeSensitive() async throws {
        var app = InstalledApp.lab
        app.entitlements = [.timeSensitive]
        for isOn in [true, false] {
            let phone = await TestPhone().opening(app) { PlainApp() }
            await phone.background(app)
            phone.device.changeSettings(of: lab) { $0.timeSensitive = isOn }
            let setting = await phone.inCentre { await $0.notificationSettings().timeSensitiveSetting }
            #expect(setting == (isOn ? .enabled : .disabled))
            await phone.perform { $0.setFocus(Focus(name: "Work")) }
            let push = await phone.push(.texted(["interruption-level": "time-sensitive"]), to: app)
            let shown: [JourneyEvent.Kind] = [.presented(.banner), .presented(.list)]
            #expect(phone.journeys.kinds(of: push) == (isOn ? shown : [.presented(.list), .suppressed(.focus)]))
        }
    }

    // MARK: Sounds

    @Test("Without a sound it is silent; default and named sounds are played as they are called")
    func sounds() async throws {
        let stage = await LocalStage()
        await stage.background()
        let sounds: [UNNotificationSound?] = [
            nil, .default, UNNotificationSound(named: UNNotificationSoundName(rawValue: "bell.caf")),
        ]
        for sound in sounds {
            let content = stage.content()
            content.sound = sound
            try await stage.add("a", nil, content: content)
        }
        #expect(stage.sounds.count == 2 && stage.sounds.first == .some(nil))
    }

    @Test("Each kind of sound is equal to itself, to its copy and to no other")
    func soundKinds() throws {
        let name = UNNotificationSoundName("a")
        let make: [() -> UNNotificationSound] = [
            { .default }, { .defaultCritical }, { .defaultRingtone }, { UNNotificationSound(named: name) },
            { .criticalSoundNamed(name) }, { .criticalSoundNamed(name, withAudioVolume: 0.5) },
            { .defaultCriticalSound(withAudioVolume: 0.5) }, { .ringtoneSoundNamed(name) },
        ]
        #expect(Set(make.map { $0() }).count == make.count)
        for sound in make {
            let copy = try #require(sound().copy() as? UNNotificationSound)
            #expect(copy == sound())
        }
        #expect(UNNotificationSoundName("a") == UNNotificationSoundName(rawValue: "a"))
    }

    @Test("The volume of a critical sound is between 0 and 1")
    func volume() {
        #expect(
            UNNotificationSound.defaultCriticalSound(withAudioVolume: 7) == .defaultCriticalSound(withAudioVolume: 1)
        )
        #expect(
            UNNotificationSound.defaultCriticalSound(withAudioVolume: -7) == .defaultCriticalSound(withAudioVolume: 0)
        )
    }
}
