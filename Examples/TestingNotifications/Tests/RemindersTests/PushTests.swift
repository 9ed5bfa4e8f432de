import Foundation
import PosthornTesting
import Reminders
import Testing

@Suite("Pushes", .phoneStory)
@MainActor
struct PushTests {
    @Test("A tap on a push launches the app, which opens the note")
    func deepLinkOnColdLaunch() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        await stage.phone.terminate(stage.app)
        let push = await stage.push("A note for you", note: "42")
        #expect(stage.delegate == nil)
        await stage.phone.tap(push)
        #expect(stage.delegate?.openedNote == "42")
    }

    @Test("In the foreground a push shows a banner, unless its note is on the screen")
    func foreground() async throws {
        let stage = try Stage()
        try await stage.start()
        let first = await stage.push("A note for you", note: "42")
        #expect(stage.phone.device.screen.banner?.id == first)
        await stage.phone.tap(first)
        let second = await stage.push("It has changed", note: "42")
        #expect(stage.phone.device.screen.banner == nil)
        #expect(stage.phone.journeys.callbacks(of: second).first?.contains("willPresent") == true)
    }

    @Test("A silent push brings a note in the background")
    func silentPush() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        let push = await stage.phone.push(["aps": ["content-available": 1], "note": "7"], to: stage.app)
        await stage.phone.wait("the app has finished") { $0.journeys.kinds(of: push).contains(.finished(.newData)) }
        #expect(stage.delegate?.notes == ["7"])
        #expect(stage.phone.device.screen.list.isEmpty)
    }

    @Test("After the user has swiped the app away, a silent push does not wake it, and the journey says why")
    func forceQuit() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        await stage.phone.forceQuit(stage.app)
        let push = await stage.phone.push(["aps": ["content-available": 1], "note": "7"], to: stage.app)
        #expect(stage.phone.journeys.kinds(of: push) == [.suppressed(.forceQuit)])
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .forceQuit)
    }

    @Test("A push sets the badge; opening the app clears it")
    func badge() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        await stage.phone.push(["aps": ["alert": "Three notes", "badge": 3]], to: stage.app)
        #expect(stage.phone.device.screen.badges == [stage.app.bundleID: 3])
        await stage.phone.open(stage.app)
        #expect(stage.phone.device.screen.badges.isEmpty)
    }

    @Test("A push of the category 'note' has its button, another has none")
    func categories() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        let note = await stage.push("What do you think?", note: "42", category: Categories.note)
        let other = await stage.push("News", note: "43")
        #expect(await stage.phone.perform { $0.longPress(note) }.map(\.title) == ["Answer"])
        #expect(await stage.phone.perform { $0.longPress(other) }.isEmpty)
    }

    @Test("An answer in the notification reaches the app")
    func textReply() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        let push = await stage.push("What do you think?", note: "42", category: Categories.note)
        await stage.phone.reply("A fine idea", with: Categories.answer, to: push)
        #expect(stage.delegate?.answers == ["A fine idea"])
        #expect(stage.delegate?.openedNote == nil)
    }

    @Test("A push with the same collapse id replaces the one that is shown")
    func collapseID() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        _ = await stage.push("One change", note: "42", collapseID: "note-42")
        _ = await stage.push("Two changes", note: "42", collapseID: "note-42")
        #expect(stage.phone.device.screen.list.map(\.body) == ["Two changes"])
    }

    @Test("The notifications of a note are removed, and no others")
    func removingDelivered() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        _ = await stage.push("One change", note: "42")
        _ = await stage.push("Another note", note: "43")
        await stage.inside { await ReminderCenter().clear(note: "42") }
        await stage.phone.settle()
        #expect(stage.phone.device.screen.list.map(\.body) == ["Another note"])
    }

    @Test("The service extension attaches the picture and names the author")
    func attachment() async throws {
        let stage = try Stage()
        try await stage.startInBackground()
        let dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
        let payload: JSONValue = [
            "aps": ["alert": ["title": "New", "body": "A picture"], "mutable-content": 1], "author": "Ann",
            "picture": .string(dot),
        ]
        await stage.phone.push(payload, to: stage.app)
        let shown = await stage.phone.expectBanner(titled: "Ann wrote")
        #expect(shown?.attachments.map(\.identifier) == ["picture"])
    }
}
