import CallbackMatrix
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("Rules of requests, notifications and responses")
@MainActor
struct RequestRules {
    @Test("The identifiers of a tap and of a dismissal are Apple's")
    func identifiers() {
        #expect(UNNotificationDefaultActionIdentifier == "com.apple.UNNotificationDefaultActionIdentifier")
        #expect(UNNotificationDismissActionIdentifier == "com.apple.UNNotificationDismissActionIdentifier")
    }

    @Test("A request keeps an immutable copy of its content from the moment it is made")
    func contentIsACopy() {
        let content = UNMutableNotificationContent()
        content.title = "before"
        let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
        content.title = "after"
        #expect(request.content.title == "before" && !(request.content is UNMutableNotificationContent))
        #expect(request.identifier == "a" && request.trigger == nil)
    }

    @Test("Requests are equal by identifier, content and trigger")
    func equality() {
        let content = UNMutableNotificationContent()
        func request(_ identifier: String, _ trigger: UNNotificationTrigger? = nil) -> UNNotificationRequest {
            UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
        }
        let minute = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        #expect(request("a") == request("a") && request("a").copy() as? UNNotificationRequest == request("a"))
        #expect(request("a") != request("b") && request("a") != request("a", minute))
        let before = request("a")
        content.body = "more"
        #expect(request("a") != before)
    }

    @Test("A push is identified by its collapse id, and without one by a UUID of the device's")
    func remoteIdentifier() async throws {
        let stage = await LocalStage()
        await stage.background()
        await stage.phone.push(.alert, to: .lab, collapseID: "score")
        let push = await stage.phone.push(.alert, to: .lab)
        let delivered = await stage.delivered()
        #expect(delivered.last == "score")
        let made = try #require(delivered.first)
        #expect(UUID(uuidString: made) != nil && made.lowercased() != push)
    }

    @Test("A push with the collapse id of one that is shown takes its place, and alerts again")
    func collapse() async {
        let stage = await LocalStage()
        await stage.background()
        await stage.phone.push(.texted(["alert": "1:0"]), to: .lab, collapseID: "score")
        await stage.phone.push(.texted(["alert": "other"]), to: .lab)
        let last = await stage.phone.push(.texted(["alert": "2:0"]), to: .lab, collapseID: "score")
        #expect(stage.phone.device.screen.list.map(\.body) == ["2:0", "other"])
        #expect(stage.phone.journeys.kinds(of: last) == [.presented(.banner), .presented(.list)])
    }

    @Test("openGenAI14: identifiers that look the same are two, waiting and shown")
    func exactIdentifiers() async throws {
        let stage = await LocalStage()
        let one = "caf\u{E9}"
        let other = "cafe\u{301}"
        for name in [one, other] {
            try await stage.add(name, UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false))
        }
        #expect(await stage.pending().count == 2)
        await stage.app { $0.removePendingNotificationRequests(withIdentifiers: [other]) }
        #expect(await stage.pending().map { Array($0.utf8) } == [Array(one.utf8)])
        await stage.background()
        for name in [one, other] { await stage.phone.push(.alert, to: .lab, collapseID: name) }
        #expect(stage.phone.device.screen.list.count == 2)
        await stage.app { $0.removeDeliveredNotifications(withIdentifiers: [one]) }
        #expect(await stage.delivered().map { Array($0.utf8) } == [Array(other.utf8)])
    }

    @Test("A notification's date is that of its delivery")
    func date() async throws {
        let stage = await LocalStage()
        let start = stage.phone.clock.date
        try await stage.add("a", UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: false))
        await stage.phone.advance(by: .seconds(600))
        let found = await stage.app { await $0.deliveredNotifications().first?.date }
        #expect(found == start.addingTimeInterval(90))
    }

    private func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
    }

    @Test("Notifications, settings, sounds, triggers and pictures go through a keyed archive, and are equal after it")
    func archive() async throws {
        let stage = await LocalStage()
        let content = stage.content()
        content.sound = .criticalSoundNamed(UNNotificationSoundName("a"), withAudioVolume: 0.5)
        try await stage.add("a", nil, content: content)
        let notification = try #require(await stage.app { await $0.deliveredNotifications().first } ?? nil)
        #expect(try archived(notification) == notification)
        let settings = try #require(await stage.app { await $0.notificationSettings() })
        #expect(try archived(settings) == settings)
        let sound = try #require(content.sound)
        #expect(try archived(sound) == sound)
        let icon = UNNotificationActionIcon(systemImageName: "arrow")
        #expect(try archived(icon) == icon)
        let trigger = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8), repeats: true)
        #expect(try archived(trigger) == trigger)
        await stage.phone.tap(stage.id("a"))
        let app = try stage.phone.delegate(CompleteMatrixApp.self)
        let response = try #require(app.responses.first)
        #expect(try archived(response) == response)
    }

    @Test("A response of a text button carries the text, every other response none")
    func textResponse() async throws {
        let phone = await TestPhone().opening { RecordingApp() }
        await phone.device.inside(InstalledApp.lab.bundleID) {
            UNUserNotificationCenter.current().setNotificationCategories([
                UNNotificationCategory(
                    identifier: "c",
                    actions: [
                        UNNotificationAction(identifier: "plain", title: "Plain"),
                        UNTextInputNotificationAction(identifier: "text", title: "Text"),
                    ],
                    intentIdentifiers: [],
                    options: .customDismissAction
                )
            ])
        }
        await phone.background(.lab)
        func push() async -> String { await phone.push(.texted(["category": "c"]), to: .lab) }
        await phone.choose("plain", on: await push())
        await phone.reply("", with: "text", to: await push())
        await phone.dismiss(await push())
        await phone.tap(await push())
        let app = try phone.delegate(RecordingApp.self)
        #expect(
            app.responses.map(\.actionIdentifier) == [
                "plain", "text", UNNotificationDismissActionIdentifier, UNNotificationDefaultActionIdentifier,
            ]
        )
        #expect(app.responses.map { ($0 as? UNTextInputNotificationResponse)?.userText } == [nil, "", nil, nil])
        #expect(app.responses.allSatisfy { $0.notification.request.content.title == "Ann" })
    }
}
