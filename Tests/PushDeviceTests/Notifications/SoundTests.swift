import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("The sound of a notification")
@MainActor
struct SoundTests {
    private func phone(_ sounds: [String: Duration]?) async -> (TestPhone, InstalledApp) {
        let phone = TestPhone()
        var app = InstalledApp.lab
        app.sounds = sounds
        phone.install(app) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(app)
        await phone.background(app)
        return (phone, app)
    }

    /// Adds a local notification with a sound of the app's own.
    private func add(_ sound: String, to phone: TestPhone) async throws {
        let content = UNMutableNotificationContent()
        content.title = "Listen"
        content.sound = UNNotificationSound(named: UNNotificationSoundName(sound))
        let request = UNNotificationRequest(identifier: sound, content: content, trigger: nil)
        try await phone.inCentre { try await $0.add(request) }
        await phone.device.settled()
    }

    private func played(on phone: TestPhone) -> [String?] {
        phone.device.recentDeviceEvents.compactMap { deviceEvent -> String?? in
            if case .soundPlayed(let name) = deviceEvent.kind { .some(name) } else { nil }
        }
    }

    @Test(
        "A file that is missing, of another format, or of 30 seconds gives way to the system's sound",
        arguments: [
            ("ping.caf", nil), ("PING.WAV", nil), ("gong.aiff", .soundTooLong), ("none.caf", .soundMissing),
            ("song.mp3", .soundFormat), ("ping", .soundMissing),
        ] as [(String, SuppressionReason?)]
    )
    func files(_ name: String, _ fault: SuppressionReason?) async throws {
        let (phone, app) = await phone([
            "ping.caf": .seconds(29.9), "PING.WAV": .seconds(1), "gong.aiff": .seconds(30), "song.mp3": .seconds(2),
        ])
        try await add(name, to: phone)
        #expect(played(on: phone) == [fault == nil ? name : nil])
        let kinds = phone.journeys.kinds(of: phone.local(name, of: app))
        #expect(kinds.contains(.presented(.sound)))
        #expect(
            kinds.compactMap { if case .suppressed(let reason) = $0 { reason } else { nil } }
                == [fault].compactMap(\.self)
        )
    }

    @Test("A file in Library/Sounds wins against the bundle's")
    func library() async throws {
        let (phone, _) = await phone(["ping.caf": .seconds(1)])
        phone.device.setLibrarySound("ping.caf", lasting: .seconds(40), of: InstalledApp.lab.bundleID)
        phone.device.setLibrarySound("own.wav", lasting: .seconds(4), of: InstalledApp.lab.bundleID)
        try await add("ping.caf", to: phone)
        try await add("own.wav", to: phone)
        phone.device.setLibrarySound("ping.caf", lasting: nil, of: InstalledApp.lab.bundleID)
        try await add("ping.caf", to: phone)
        #expect(played(on: phone) == [nil, "own.wav", "ping.caf"])
    }

    @Test("The sound of a push is looked for too; of an app whose files nobody knows each name is good")
    func push() async {
        let (phone, app) = await phone([:])
        let push = await phone.push(["aps": ["alert": "a", "sound": "ping.caf"]], to: app)
        #expect(phone.journeys.kinds(of: push).last == .suppressed(.soundMissing))
        await phone.push(["aps": ["alert": "a", "sound": "default"]], to: app)
        #expect(played(on: phone) == [nil, nil])
        let (unknown, other) = await self.phone(nil)
        await unknown.push(["aps": ["alert": "a", "sound": "ping.caf"]], to: other)
        #expect(played(on: unknown) == ["ping.caf"])
    }
}
