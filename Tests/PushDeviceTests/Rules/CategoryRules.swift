import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

@Suite("Rules of actions and categories")
@MainActor
struct CategoryRules {
    private func phone(_ categories: Set<UNNotificationCategory>) async -> TestPhone {
        let phone = await TestPhone().opening { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.inCentre { $0.setNotificationCategories(categories) }
        await phone.background(.lab)
        return phone
    }

    private func phone(button options: UNNotificationActionOptions) async -> TestPhone {
        await phone([
            UNNotificationCategory(
                identifier: "c",
                actions: [UNNotificationAction(identifier: "act", title: "Act", options: options)],
                intentIdentifiers: []
            )
        ])
    }

    private func responses(_ phone: TestPhone) -> [String] {
        phone.device.delegate(of: lab, as: CompleteMatrixApp.self)?.responses.map(\.actionIdentifier) ?? []
    }

    // MARK: Actions

    @Test("A destructive button is only red: the app hears in the background, and the entry goes as with any button")
    func destructive() async {
        let phone = await phone(button: .destructive)
        await phone.perform { $0.lock() }
        let push = await phone.push(.texted(["category": "c"]), to: .lab)
        #expect(phone.device.longPress(push).map(\.options) == [UNNotificationActionOptions.destructive.rawValue])
        #expect(await phone.choose("act", on: push) == .done)
        #expect(responses(phone) == ["act"] && phone.device.screen.list.isEmpty)
        #expect(phone.device.condition(of: lab) == .background)
    }

    @Test("A foreground button unlocks the device and brings the app to the front")
    func foreground() async {
        let phone = await phone(button: .foreground)
        await phone.perform { $0.lock() }
        let push = await phone.push(.texted(["category": "c"]), to: .lab)
        #expect(await phone.choose("act", on: push) == .waitsForUnlock)
        #expect(responses(phone) == [])
        await phone.perform { $0.unlock() }
        #expect(responses(phone) == ["act"] && phone.device.screen.front == lab)
    }

    @Test("A button with authenticationRequired waits for the unlocking, and leaves the app in the background")
    func authentication() async {
        let phone = await phone(button: .authenticationRequired)
        await phone.perform { $0.lock() }
        let push = await phone.push(.texted(["category": "c"]), to: .lab)
        #expect(await phone.choose("act", on: push) == .waitsForUnlock)
        await phone.perform { $0.unlock() }
        #expect(responses(phone) == ["act"] && phone.device.condition(of: lab) == .background)
        let open = await phone.push(.texted(["category": "c"]), to: .lab)
        #expect(await phone.choose("act", on: open) == .done)
    }

    @Test("Every button that is chosen takes its entry with it", arguments: [0, 1, 2, 4, 7])
    func takesEntry(_ options: UInt) async {
        let phone = await phone(button: UNNotificationActionOptions(rawValue: options))
        let push = await phone.push(.texted(["category": "c"]), to: .lab)
        await phone.choose("act", on: push)
        #expect(phone.device.screen.list.isEmpty && phone.device.screen.banner == nil)
        #expect(await phone.perform { $0.choose("act", on: push) } == .notThere)
    }

    @Test("A button has no options and no picture unless it is given some")
    func actionDefaults() {
        let action = UNNotificationAction(identifier: "a", title: "A")
        #expect(action.identifier == "a" && action.title == "A" && action.options == [] && action.icon == nil)
        let icon = UNNotificationActionIcon(templateImageName: "i")
        #expect(UNNotificationAction(identifier: "a", title: "A", icon: icon).icon == icon)
        let text = UNTextInputNotificationAction(
            identifier: "a",
            title: "A",
            textInputButtonTitle: "Send",
            textInputPlaceholder: "…"
        )
        #expect(text.options == [] && text != action)
    }

    // MARK: Categories

    @Test("Categories are equal by every field")
    func equality() {
        let action = UNNotificationAction(identifier: "a", title: "A")
        let make: [() -> UNNotificationCategory] = [
            { UNNotificationCategory(identifier: "c", actions: [action], intentIdentifiers: []) },
            { UNNotificationCategory(identifier: "d", actions: [action], intentIdentifiers: []) },
            { UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: []) },
            { UNNotificationCategory(identifier: "c", actions: [action], intentIdentifiers: ["i"]) },
            {
                UNNotificationCategory(
                    identifier: "c",
                    actions: [action],
                    intentIdentifiers: [],
                    options: .customDismissAction
                )
            },
            {
                UNNotificationCategory(
                    identifier: "c",
                    actions: [action],
                    intentIdentifiers: [],
                    hiddenPreviewsBodyPlaceholder: "p"
                )
            },
            {
                UNNotificationCategory(
                    identifier: "c",
                    actions: [action],
                    intentIdentifiers: [],
                    hiddenPreviewsBodyPlaceholder: nil,
                    categorySummaryFormat: "%u more"
                )
            },
        ]
        #expect(Set(make.map { $0() }).count == make.count)
        for category in make { #expect(category() == category() && category().hash == category().hash) }
    }

    @Test("A category without placeholder and summary has empty ones")
    func categoryDefaults() {
        let category = UNNotificationCategory(
            identifier: "c",
            actions: [],
            intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: nil,
            categorySummaryFormat: nil
        )
        #expect(category == UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: []))
        #expect(category.hiddenPreviewsBodyPlaceholder == "" && category.categorySummaryFormat == "")
        #expect(category.options == [])
    }

    @Test("Names of intents are neither buttons nor notifications: they change nothing that is seen")
    func intents() async {
        let phone = await phone([
            UNNotificationCategory(
                identifier: "c",
                actions: [UNNotificationAction(identifier: "act", title: "Act")],
                intentIdentifiers: ["act", "c", "other"]
            )
        ])
        let push = await phone.push(.texted(["category": "c"]), to: .lab)
        #expect(phone.device.longPress(push).map(\.identifier) == ["act"])
    }

    @Test("One of two categories with one identifier counts, as a whole")
    func sameIdentifier() async {
        let phone = await phone(
            Set(
                ["a", "b"].map { name in
                    UNNotificationCategory(
                        identifier: "c",
                        actions: [UNNotificationAction(identifier: name, title: name)],
                        intentIdentifiers: []
                    )
                }
            )
        )
        let push = await phone.push(.texted(["category": "c"]), to: .lab)
        #expect([["a"], ["b"]].contains(phone.device.longPress(push).map(\.identifier)))
    }

    @Test("The first two buttons are shown in limited space")
    func compact() async {
        let actions = (1...12).map { UNNotificationAction(identifier: "\($0)", title: "\($0)") }
        let phone = await phone([UNNotificationCategory(identifier: "c", actions: actions, intentIdentifiers: [])])
        let push = await phone.push(.texted(["category": "c"]), to: .lab)
        #expect(phone.device.compactButtons(of: push).map(\.identifier) == ["1", "2"])
        #expect(phone.device.longPress(push).count == 10)
        #expect(phone.device.compactButtons(of: "gone") == [])
    }

    // MARK: Hidden previews

    @Test("Hidden previews: the body becomes the placeholder, \"Notification\" where there is none, %u the number")
    func hiddenPreviews() async {
        let phone = await phone([
            UNNotificationCategory(
                identifier: "c",
                actions: [],
                intentIdentifiers: [],
                hiddenPreviewsBodyPlaceholder: "%u new"
            )
        ])
        await phone.push(.texted(["category": "c"]), to: .lab)
        await phone.push(.texted([:]), to: .lab)
        phone.device.changeSettings(of: lab) { $0.showPreviews = 2 }
        #expect(phone.device.screen.list.map(\.body) == ["Notification", "2 new"])
        #expect(phone.device.screen.list.map(\.title) == ["", ""])
    }

    @Test("Previews that are hidden until the unlocking show then")
    func previewsWhenUnlocked() async {
        let phone = await phone([])
        phone.device.changeSettings(of: lab) { $0.showPreviews = 1 }
        await phone.perform { $0.lock() }
        await phone.push(.texted([:]), to: .lab)
        #expect(phone.device.screen.list.map(\.body) == ["Notification"])
        await phone.perform { $0.unlock() }
        #expect(phone.device.screen.list.map(\.body) == ["Hello"])
    }

    @Test("The app reads the whole text, however the user sees it")
    func previewsAndTheApp() async throws {
        let phone = await phone([])
        phone.device.changeSettings(of: lab) { $0.showPreviews = 2 }
        await phone.push(.texted([:]), to: .lab)
        let bodies = await phone.inCentre { await $0.deliveredNotifications().map(\.request.content.body) }
        #expect(bodies == ["Hello"])
    }
}
