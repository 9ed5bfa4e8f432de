import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("Strings that are resolved at delivery")
@MainActor
struct LocalizedStringTests {
    private let app: InstalledApp = {
        var app = InstalledApp.lab
        app.strings = [
            "en": ["HI": "Hello %@", "BODY": "%2$@ of %1$@", "SAME": "OK", "MORE": "%u letters more"],
            "de": [
                "NEW": "Neu", "HI": "Hallo %@", "BODY": "%2$@ von %1$@", "SAME": "Gut", "MORE": "%u weitere Briefe",
            ],
        ]
        return app
    }()

    private func phone() async -> TestPhone {
        let phone = await TestPhone().opening(app) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.background(app)
        return phone
    }

    private func add(
        _ identifier: String,
        to phone: TestPhone,
        repeats: Bool = false,
        _ write: @MainActor @Sendable (UNMutableNotificationContent) -> Void
    ) async throws {
        try await phone.device.inside(app.bundleID) {
            let content = UNMutableNotificationContent()
            write(content)
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: repeats)
            let request = UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
            try await UNUserNotificationCenter.current().add(request)
        }
    }

    private nonisolated func string(_ key: String, _ arguments: Any...) -> String {
        NSString.localizedUserNotificationString(forKey: key, arguments: arguments)
    }

    @Test("A text added in English that fires after the language changed is shown in the new one")
    func atDelivery() async throws {
        let phone = await phone()
        try await add("a", to: phone) { content in
            content.title = string("HI", "Ann")
            content.subtitle = "Hello Ann!"
            content.body = string("BODY", 7, "3")
        }
        #expect(phone.device.pendingRequests(of: app.bundleID).map(\.content.title) == ["Hello Ann"])
        await phone.perform { $0.setLanguage("de") }
        await phone.advance(by: .seconds(60))
        let shown = try #require(phone.device.screen.list.first)
        #expect([shown.title, shown.subtitle, shown.body] == ["Hallo Ann", "Hello Ann!", "3 von 7"])
        let delivered = await phone.device.inside(app.bundleID) {
            await UNUserNotificationCenter.current().deliveredNotifications().map(\.request.content.title)
        }
        #expect(delivered == ["Hallo Ann"])
    }

    @Test("A repeating one is shown in the language of each firing; what was delivered stays")
    func repeating() async throws {
        let phone = await phone()
        try await add("a", to: phone, repeats: true) { $0.title = string("SAME") }
        await phone.advance(by: .seconds(60))
        #expect(phone.device.screen.list.map(\.title) == ["OK"])
        await phone.perform { $0.setLanguage("de") }
        #expect(phone.device.screen.list.map(\.title) == ["OK"])
        await phone.advance(by: .seconds(60))
        #expect(phone.device.screen.list.map(\.title) == ["Gut"])
    }

    @Test("A request that is read back and added again keeps its keys, also after a restart of the app")
    func readBack() async throws {
        let phone = await phone()
        try await add("a", to: phone) { $0.title = string("HI", "Bo") }
        await phone.terminate(app)
        await phone.open(app)
        try await phone.device.inside(app.bundleID) {
            let center = UNUserNotificationCenter.current()
            for request in await center.pendingNotificationRequests() {
                let content = request.content.mutableCopy() as? UNMutableNotificationContent
                content?.body = "more"
                guard let content else { continue }
                let copy = UNNotificationRequest(identifier: "a", content: content, trigger: request.trigger)
                try await center.add(copy)
            }
        }
        await phone.background(app)
        await phone.perform { $0.setLanguage("de") }
        await phone.advance(by: .seconds(60))
        #expect(phone.device.screen.list.map { [$0.title, $0.body] } == [["Hallo Bo", "more"]])
    }

    @Test("Placeholder and summary format of a category speak the language of the moment")
    func categories() async throws {
        let phone = await phone()
        await phone.device.inside(app.bundleID) {
            let category = UNNotificationCategory(
                identifier: "c",
                actions: [],
                intentIdentifiers: [],
                hiddenPreviewsBodyPlaceholder: string("SAME"),
                categorySummaryFormat: string("MORE")
            )
            UNUserNotificationCenter.current().setNotificationCategories([category])
            #expect(await UNUserNotificationCenter.current().notificationCategories() == [category])
        }
        for _ in 0..<3 { await phone.push(["aps": ["alert": "x", "category": "c"]], to: app) }
        #expect(phone.device.screen.groups.map(\.summary) == ["2 letters more"])
        await phone.perform { $0.setLanguage("de") }
        #expect(phone.device.screen.groups.map(\.summary) == ["2 weitere Briefe"])
        phone.device.changeSettings(of: app.bundleID) { $0.showPreviews = 2 }
        #expect(phone.device.screen.list.map(\.body) == ["Gut", "Gut", "Gut"])
    }

    @Test("A missing key is the text, until a language has it")
    func missing() async throws {
        let phone = await phone()
        try await add("a", to: phone) { content in
            content.title = string("NONE")
            content.body = string("NEW")
        }
        #expect(phone.device.pendingRequests(of: app.bundleID).map(\.content.body) == ["NEW"])
        await phone.perform { $0.setLanguage("de") }
        await phone.advance(by: .seconds(60))
        #expect(phone.device.screen.list.map { [$0.title, $0.body] } == [["NONE", "Neu"]])
    }
}
