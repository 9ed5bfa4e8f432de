import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing

@Suite("A content extension's process", .timeLimit(.minutes(2)))
struct ContentProcessTests {
    private static let buttons = ["keep", "close", "forward", "hang", "trap", "default", "leave", "fewer"]

    /// A phone whose user has long-pressed a notification: the extension's view is open.
    private func opened() async throws -> (stage: OrdersStage, id: String) {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let id = await stage.phone.push(
            ["aps": ["alert": "Ready", "category": "order"], "order": "7"],
            to: stage.app
        )
        #expect(await stage.phone.perform { $0.longPress(id) }.map(\.identifier) == Self.buttons)
        return (stage, id)
    }

    @Test("Shows the notification, with its own title, height and media button; closing the view ends the process")
    func shows() async throws {
        let (stage, id) = try await opened()
        let view = try #require(stage.phone.device.screen.expanded)
        #expect(view.id == id)
        #expect(view.title == "Order 7")
        #expect(view.content?.height == 120)
        #expect(view.content?.mediaButton?.frame == [10, 10, 40, 40])
        #expect(
            stage.phone.journeys.callbacks(of: id).contains("UNNotificationContentExtension.didReceive(_:)@background")
        )
        let process = try await stage.process("OrdersContent: showing ")
        await stage.phone.perform { $0.closeExpanded() }
        #expect(stage.phone.device.screen.expanded == nil)
        try await OrdersStage.isGone(process)
    }

    @Test("The media button plays and pauses")
    func media() async throws {
        let (stage, _) = try await opened()
        for (title, isPlaying) in [("playing", true), ("paused", false)] {
            #expect(await stage.phone.perform { $0.pressPlayPause() })
            #expect(stage.phone.device.screen.expanded?.title == title)
            #expect(stage.phone.device.screen.expanded?.isPlaying == isPlaying)
        }
    }

    @Test("A button's answer keeps the view, changes its buttons, closes it, or forwards to the app")
    func responses() async throws {
        let (stage, id) = try await opened()
        _ = await stage.phone.choose("keep", on: id)
        #expect(stage.phone.device.screen.expanded?.title == "keep")
        _ = await stage.phone.choose("fewer", on: id)
        #expect(stage.phone.device.screen.expanded?.actions.map(\.identifier) == ["close"])
        _ = await stage.phone.choose("close", on: id)
        #expect(stage.phone.device.screen.expanded == nil)
        #expect(
            !stage.phone.journeys.callbacks(of: id).contains { $0.hasPrefix("userNotificationCenter(_:didReceive") }
        )

        let (other, second) = try await opened()
        _ = await other.phone.choose("forward", on: second)
        #expect(other.phone.device.screen.expanded == nil)
        #expect(
            other.phone.journeys.callbacks(of: second).contains { $0.hasPrefix("userNotificationCenter(_:didReceive") }
        )
    }

    @Test("Its context opens the app, or closes the view")
    func context() async throws {
        let (stage, id) = try await opened()
        _ = await stage.phone.choose("default", on: id)
        #expect(stage.phone.device.screen.front == stage.app.bundleID)
        #expect(stage.phone.journeys.kinds(of: id).contains(.opened))

        let (other, second) = try await opened()
        _ = await other.phone.choose("leave", on: second)
        #expect(other.phone.device.screen.expanded == nil)
        #expect(other.phone.device.screen.list.map(\.id) == [second])
    }

    @Test("A crash closes the view and says so; the app goes on")
    func crash() async throws {
        let (stage, id) = try await opened()
        let app = try await stage.launched()
        _ = stage.phone.device.choose("trap", on: id)
        await stage.ended()
        #expect(stage.phone.device.screen.expanded == nil)
        #expect(stage.phone.journeys.kinds(of: id).contains { if case .crashed = $0 { true } else { false } })
        #expect(OrdersStage.state(of: app) != nil)
    }

    @Test("One that hangs ends with its view")
    func hang() async throws {
        let (stage, id) = try await opened()
        let process = try await stage.process("OrdersContent: showing ")
        _ = stage.phone.device.choose("hang", on: id)
        stage.phone.device.closeExpanded()
        #expect(stage.phone.device.screen.expanded == nil)
        try await OrdersStage.isGone(process)
    }

    @Test("An Info.plist without its categories is refused with the key")
    func refused() throws {
        let (executable, _) = OrdersStage.program("OrdersContent")
        let (_, info) = OrdersStage.program("OrdersExtension")
        #expect {
            try ProgramContentExtension(executable: executable, info: info)
        } throws: {
            "\($0)".contains("needs UNNotificationExtensionCategory in NSExtension.NSExtensionAttributes")
        }
    }
}
