import Foundation
import Intents
import PosthornTesting
import PushDevice
import SystemPort
import Testing
import UIKit

@Suite("UserNotifications: values, defaults, errors and exceptions")
@MainActor
struct NotificationValueTests {
    @Test("New content has Apple's defaults")
    func defaults() {
        let content = UNMutableNotificationContent()
        #expect([content.title, content.subtitle, content.body, content.launchImageName] == ["", "", "", ""])
        #expect([content.categoryIdentifier, content.threadIdentifier] == ["", ""])
        #expect(content.badge == nil && content.sound == nil && content.targetContentIdentifier == nil)
        #expect(content.filterCriteria == nil && content.attachments.isEmpty && content.userInfo.isEmpty)
        #expect(content.interruptionLevel == .active)
        #expect(content.relevanceScore == 0)
        content.badge = 1
        #expect(content.badge == 1)
    }

    @Test("Option sets and enumerations have Apple's raw values")
    func rawValues() {
        let authorization: [UNAuthorizationOptions] = [
            .badge, .sound, .alert, .carPlay, .criticalAlert, .providesAppNotificationSettings, .provisional,
        ]
        #expect(authorization.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64])
        let action: [UNNotificationActionOptions] = [.authenticationRequired, .destructive, .foreground]
        #expect(action.map(\.rawValue) == [1, 2, 4])
        let category: [UNNotificationCategoryOptions] = [
            .customDismissAction, .allowInCarPlay, .hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle,
        ]
        #expect(category.map(\.rawValue) == [1, 2, 4, 8])
    }

    @Test(
        "Errors have Apple's codes, are caught by name, and bridge",
        arguments: [
            (UNError.Code.notificationsNotAllowed, 1), (.attachmentInvalidURL, 100), (.attachmentUnrecognizedType, 101),
            (.attachmentInvalidFileSize, 102), (.attachmentNotInDataStore, 103),
            (.attachmentMoveIntoDataStoreFailed, 104), (.attachmentCorrupt, 105), (.notificationInvalidNoDate, 1400),
            (.notificationInvalidNoContent, 1401), (.contentProvidingObjectNotAllowed, 1500),
            (.contentProvidingInvalid, 1501), (.badgeInputInvalid, 1600),
        ]
    )
    func errors(_ code: UNError.Code, _ number: Int) {
        let error: any Error = UNError(code)
        #expect((error as NSError).domain == UNErrorDomain)
        #expect((error as NSError).code == number)
        #expect((error as? UNError)?.code == code)
        #expect(code ~= error)
    }

    @Test("Content of a type of the app's own provides nothing")
    func providing() {
        final class Foreign: NSObject, UNNotificationContentProviding {}
        do {
            _ = try UNMutableNotificationContent().updating(from: Foreign())
            Issue.record("a foreign type was taken")
        } catch UNError.contentProvidingObjectNotAllowed {
        } catch {
            Issue.record(error)
        }
    }

    @Test("An intent and the context of a message provide content")
    func messageContext() throws {
        let types: [NSObject.Type] = [UNNotificationAttributedMessageContext.self, INSendMessageIntent.self]
        #expect(types.allSatisfy { $0 is any UNNotificationContentProviding.Type })
    }

    @Test("A property list in userInfo comes back as it went")
    func userInfo() async throws {
        let stage = await LocalStage()
        let content = stage.content()
        let date = Date(timeIntervalSince1970: 5)
        content.userInfo = [
            "text": "a", "number": 7, "fraction": 1.5, "flag": true, "date": date, "data": Data([1]), "list": [1, "b"],
            "deep": ["k": ["v"]],
        ]
        try await stage.add("a", nil, content: content)
        let delivered = await stage.app { await $0.deliveredNotifications().first }
        let info = try #require(delivered??.request.content.userInfo)
        #expect(info["text"] as? String == "a")
        #expect(info["number"] as? Int == 7)
        #expect(info["fraction"] as? Double == 1.5)
        #expect(info["flag"] as? Bool == true)
        #expect(info["date"] as? Date == date)
        #expect(info["data"] as? Data == Data([1]))
        #expect((info["list"] as? [Any])?.count == 2)
        #expect((info["deep"] as? [String: [String]])?["k"] == ["v"])
        #expect(delivered??.request.trigger == nil)
    }

    @Test("Values that are equal are equal, copies too; a mutable copy is independent")
    func equality() {
        let action = UNNotificationAction(identifier: "a", title: "A", options: .foreground)
        #expect(action == UNNotificationAction(identifier: "a", title: "A", options: .foreground))
        #expect(action != UNNotificationAction(identifier: "a", title: "A"))
        let content = UNMutableNotificationContent()
        content.title = "T"
        let copy = content.mutableCopy() as? UNMutableNotificationContent
        copy?.title = "U"
        #expect(content.title == "T" && content != copy)
        #expect(content.copy() as? UNNotificationContent == content)
    }

    @Test("A text button made as a plain one has the system's word and no placeholder (seed 3)")
    func textButton() {
        let plain = UNTextInputNotificationAction(identifier: "r", title: "Reply", options: [])
        #expect(plain.textInputButtonTitle == "" && plain.textInputPlaceholder == "")
        let full = UNTextInputNotificationAction(
            identifier: "r",
            title: "Reply",
            options: .authenticationRequired,
            icon: UNNotificationActionIcon(systemImageName: "arrow"),
            textInputButtonTitle: "Send",
            textInputPlaceholder: "Text"
        )
        #expect(full.textInputButtonTitle == "Send" && full.textInputPlaceholder == "Text")
        #expect(full.icon == UNNotificationActionIcon(systemImageName: "arrow"))
        #expect(full.icon != UNNotificationActionIcon(templateImageName: "arrow"))
    }

    @Test("Objects go through a keyed archive")
    func coding() throws {
        let content = UNMutableNotificationContent()
        content.title = "T"
        content.sound = .default
        content.userInfo = ["k": 1]
        let request = UNNotificationRequest(
            identifier: "r",
            content: content,
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
        )
        let data = try NSKeyedArchiver.archivedData(withRootObject: request, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationRequest.self, from: data)
        #expect(back == request)
        let category = UNNotificationCategory(
            identifier: "c",
            actions: [UNTextInputNotificationAction(identifier: "a", title: "A")],
            intentIdentifiers: ["i"],
            hiddenPreviewsBodyPlaceholder: "p",
            categorySummaryFormat: "%u",
            options: .allowInCarPlay
        )
        let other = try NSKeyedArchiver.archivedData(withRootObject: category, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationCategory.self, from: other) == category)
    }

    @Test("A coder of a test makes notifications, responses and settings by Apple's keys, also for subclasses")
    func fakes() throws {
        final class Coder: NSCoder {
            let objects: [String: Any]
            let number: Int
            init(_ objects: [String: Any] = [:], number: Int = 0) {
                self.objects = objects
                self.number = number
            }
            override var allowsKeyedCoding: Bool { true }
            override func decodeObject(forKey key: String) -> Any? { objects[key] }
            override func decodeInt64(forKey key: String) -> Int64 { Int64(number) }
            override func decodeBool(forKey key: String) -> Bool { true }
        }
        final class Response: UNNotificationResponse, @unchecked Sendable {
            override var actionIdentifier: String { "own" }
        }
        final class Notification: UNNotification, @unchecked Sendable {
            override var date: Date { .distantPast }
        }
        final class Content: UNNotificationContent, @unchecked Sendable {
            private let text: String
            init(text: String) {
                self.text = text
                super.init()
            }
            required init?(coder: NSCoder) { nil }
            override var body: String { text }
        }
        final class Request: UNNotificationRequest, @unchecked Sendable {
            override var content: UNNotificationContent { Content(text: identifier) }
        }
        #expect(Request(identifier: "own", content: Content(text: "b"), trigger: nil).content.body == "own")
        let request = UNNotificationRequest(identifier: "r", content: Content(text: "b"), trigger: nil)
        let date = Date(timeIntervalSince1970: 5)
        let notification = try #require(UNNotification(coder: Coder(["date": date, "request": request])))
        #expect(notification.date == date && notification.request === request)
        let keys: [String: Any] = ["notification": notification, "actionIdentifier": "answer", "userText": "yes"]
        let response = try #require(UNTextInputNotificationResponse(coder: Coder(keys)))
        #expect(response.notification === notification && response.actionIdentifier == "answer")
        #expect(response.userText == "yes")
        let short = try #require(Response(coder: Coder(["date": date, "request": request])))
        #expect(short.notification.request === request && short.actionIdentifier == "own")
        #expect(Notification(coder: Coder())?.date == .distantPast && Content(text: "b").body == "b")
        #expect(UNNotificationResponse(coder: Coder())?.actionIdentifier == UNNotificationDefaultActionIdentifier)
        let granted = try #require(UNNotificationSettings(coder: Coder(number: 2)))
        #expect(granted.authorizationStatus == .authorized && granted.soundSetting == .enabled)
        #expect(granted.alertStyle == .alert && granted.providesAppNotificationSettings)
        #expect(granted.timeSensitiveSetting == .enabled && granted.lockScreenSetting == .enabled)
        let denied = try #require(UNNotificationSettings(coder: Coder(number: 1)))
        #expect(denied.authorizationStatus == .denied && denied.badgeSetting == .disabled)
        let unasked = try #require(UNNotificationSettings(coder: Coder()))
        #expect(unasked.authorizationStatus == .notDetermined && unasked.alertSetting == .notSupported)
        let push: UNNotificationTrigger? = UNPushNotificationTrigger.make(.push)
        #expect(push?.classForCoder == UNPushNotificationTrigger.classForCoder())
        #expect(UNTimeIntervalNotificationTrigger.classForCoder() != UNPushNotificationTrigger.classForCoder())
    }

    @Test("Changing the copy that a trigger hands out changes nothing (seed 4:79)")
    func componentsAreACopy() {
        let trigger = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 18), repeats: true)
        var components = trigger.dateComponents
        components.hour = 8
        #expect(trigger.dateComponents.hour == 18)
        #expect(trigger.repeats)
    }

    @Test("Settings after a full grant")
    func settings() async {
        let stage = await LocalStage()
        let after = await stage.app { await $0.notificationSettings() }
        let kinds = [after?.alertSetting, after?.soundSetting, after?.badgeSetting, after?.lockScreenSetting]
        #expect(kinds == [.enabled, .enabled, .enabled, .enabled])
        #expect(after?.notificationCenterSetting == .enabled && after?.alertStyle == .banner)
        #expect(after?.carPlaySetting == .notSupported && after?.criticalAlertSetting == .notSupported)
        #expect(after?.timeSensitiveSetting == .notSupported && after?.providesAppNotificationSettings == false)
    }

    @Test("Categories are replaced as a whole and read back by value")
    func categories() async {
        let stage = await LocalStage()
        let category = UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: ["i"])
        await stage.app { $0.setNotificationCategories([category]) }
        let read = await stage.app { await $0.notificationCategories() }
        #expect(read == [category])
    }
}
