import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

@Suite("Rules of errors and exceptions")
@MainActor
struct ErrorRules {
    // MARK: Errors

    @Test("The domain is UNErrorDomain, of the constant, the type and each error")
    func domain() {
        #expect(UNErrorDomain == "UNErrorDomain" && UNError.errorDomain == UNErrorDomain)
        #expect((UNError(.badgeInputInvalid) as NSError).domain == UNErrorDomain)
        #expect(UNError.attachmentCorrupt == UNError.Code.attachmentCorrupt)
    }

    @Test("The errors of add: not allowed, no date, no content; each says so in words")
    func add() async throws {
        let denied = await LocalStage(prompts: .deny)
        let unasked = await LocalStage(prompts: .ask)
        let stage = await LocalStage()
        let empty = UNMutableNotificationContent()
        let never = UNCalendarNotificationTrigger(dateMatching: DateComponents(year: 2020), repeats: false)
        let nothing = UNCalendarNotificationTrigger(dateMatching: DateComponents(), repeats: true)
        let cases: [(LocalStage, UNNotificationContent, UNNotificationTrigger?, UNError.Code, String)] = [
            (denied, stage.content(), nil, .notificationsNotAllowed, "not allowed"),
            (unasked, stage.content(), nil, .notificationsNotAllowed, "not allowed"),
            (stage, stage.content(), never, .notificationInvalidNoDate, "date"),
            (stage, stage.content(), nothing, .notificationInvalidNoDate, "date"),
            (stage, empty, nil, .notificationInvalidNoContent, "content"),
        ]
        for (stage, content, trigger, code, word) in cases {
            do {
                try await stage.add("a", trigger, content: content)
                Issue.record("\(code) was not thrown")
            } catch let error as UNError {
                #expect(error.code == code && error.localizedDescription.contains(word))
            }
            #expect(await stage.pending() == [] && stage.kinds("a") == [])
            // And by the handler.
            let request = UNNotificationRequest(identifier: "a", content: content, trigger: trigger)
            let told = await stage.app { center in
                await withCheckedContinuation { next in
                    center.add(request) { next.resume(returning: ($0 as? UNError)?.code) }
                }
            }
            #expect(told == .some(code))
        }
    }

    @Test("A badge alone and a sound alone are content enough")
    func badgeOrSound() async throws {
        let stage = await LocalStage()
        let badge = UNMutableNotificationContent()
        badge.badge = 1
        let sound = UNMutableNotificationContent()
        sound.sound = .default
        try await stage.add("badge", nil, content: badge)
        try await stage.add("sound", nil, content: sound)
        #expect(stage.badge == 1 && stage.sounds == [nil])
    }

    @Test("Without a word: the 65th request, an unknown category, unknown identifiers, badge and sound not allowed")
    func silent() async throws {
        let stage = await LocalStage()
        for number in 1...65 {
            try await stage.add("\(number)", UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true))
        }
        #expect(await stage.pending().count == 64)
        await stage.app { center in
            center.removePendingNotificationRequests(withIdentifiers: ["unknown"])
            center.removeDeliveredNotifications(withIdentifiers: ["unknown"])
        }
        stage.phone.device.changeSettings(of: lab) { $0.allowed = SettingsRecord.alert }
        let content = stage.content()
        content.categoryIdentifier = "unknown"
        content.sound = .default
        content.badge = 3
        await stage.background()
        try await stage.add("now", nil, content: content)
        #expect(stage.kinds("now") == [.fired, .presented(.banner), .presented(.list)])
        #expect(stage.badge == 0 && stage.sounds == [])
    }

    // MARK: Exceptions

    @Test("A repeating interval below 60 seconds ends the process with Apple's line")
    func repeatingTooSoon() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UNTimeIntervalNotificationTrigger(timeInterval: 59.9, repeats: true)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(
            text.contains(
                """
                *** Terminating app due to uncaught exception 'NSInternalInconsistencyException', reason: 'time interval \
                must be at least 60 if repeating'
                """
            )
        )
    }

    @Test("An interval of 0, below 0 or that is no number raises", arguments: [0, -1, Double.nan], [true, false])
    func impossibleInterval(_ interval: Double, repeats: Bool) {
        let raised = RaisedException.catching {
            _ = UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: repeats)
        }
        #expect(raised.map(\.name) == ["NSInternalInconsistencyException"])
        #expect(raised.map(\.reason) == ["time interval must be greater than 0"])
    }

    @Test("Exactly 60 seconds may repeat, and any time above 0 may come once")
    func intervalLimits() async {
        await #expect(processExitsWith: .success) {
            _ = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
            _ = UNTimeIntervalNotificationTrigger(timeInterval: 0.001, repeats: false)
        }
    }

    @Test("A Swift struct in userInfo ends the process at add, with Apple's line")
    func structInUserInfo() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            struct Point { var x = 1 }
            let content = UNMutableNotificationContent()
            content.title = "a"
            content.userInfo = ["point": Point()]
            let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
            UNUserNotificationCenter.current().add(request, withCompletionHandler: nil)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(
            text.contains(
                """
                *** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: 'This coder only \
                encodes objects that adopt NSSecureCoding (object is of class 'Point').'
                """
            )
        )
    }

    @Test("A value deep in userInfo that no coder takes raises too, a closure or an optional as well")
    func deepInUserInfo() async {
        let stage = await LocalStage()
        let closure: @Sendable () -> Void = {}
        let nothing: String? = nil
        for value in [["a": [closure]], ["a": ["b": nothing as Any]]] as [[AnyHashable: Any]] {
            let content = stage.content()
            content.userInfo = value
            let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
            let raised = await stage.phone.device.inside(lab) { () -> [RaisedException] in
                RaisedException.catching { UNUserNotificationCenter.current().add(request) }
            }
            #expect(raised?.map(\.name) == ["NSInvalidArgumentException"])
        }
        #expect(stage.kinds("a") == [])
    }
}
