import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import Testing

@Suite("Links, quick actions and background work of an app in a process of its own", .timeLimit(.minutes(2)))
struct AppActionProcessTests {
    private func changes(_ stage: OrdersStage) -> [String] {
        stage.phone.device.recentDeviceEvents.compactMap { event in
            if event.app == stage.app.bundleID, case .changed(let text) = event.kind { text } else { nil }
        }
    }

    @Test("Cross the port in both directions")
    func roundTrip() async throws {
        let stage = try OrdersStage()
        let phone = stage.phone
        let bundleID = stage.app.bundleID
        let link = try #require(URL(string: "https://orders.example.com/41"))
        #expect(await phone.perform { $0.openURL(link) })
        try await stage.prints("OrdersApp: continues https://orders.example.com/41 true")
        #expect(await phone.perform { $0.chooseShortcut("reorder", of: bundleID) })
        try await stage.prints("OrdersApp: performs reorder -")
        #expect(phone.device.shortcuts(of: bundleID).map(\.type) == ["reorder", "cancel"])
        #expect(await phone.perform { $0.chooseShortcut("cancel", of: bundleID) })
        try await stage.prints("OrdersApp: performs cancel 7")
        await phone.perform { $0.warnOfMemory() }
        try await stage.prints("OrdersApp: memory")
    }

    @Test("A fetch resumes a suspended process and starts one that has ended; so does the end of a session")
    func background() async throws {
        let stage = try OrdersStage()
        let phone = stage.phone
        let bundleID = stage.app.bundleID
        #expect(await phone.perform { $0.chooseShortcut("reorder", of: bundleID) })
        await phone.background(stage.app)
        await phone.advance(by: .seconds(899))
        #expect(!changes(stage).contains("background fetch"))
        await phone.advance(by: .seconds(1))
        try await stage.prints("OrdersApp: fetches")
        #expect(changes(stage).suffix(2) == ["background fetch", "background fetch: newData"])
        await phone.terminate(stage.app)
        #expect(await phone.perform { $0.finishBackgroundSession("downloads", of: bundleID) })
        try await stage.prints("OrdersApp: session downloads")
        _ = try await stage.launched(2)
        #expect(phone.device.condition(of: bundleID) == .background)
    }
}

@Suite("An app's process reads state without asking", .timeLimit(.minutes(2)))
struct ReadBackTests {
    @Test("Is what it has written, each time")
    func badge() async throws {
        let stage = try OrdersStage()
        await stage.openAndLeave()
        await stage.phone.push(["aps": ["content-available": 1], "atFetch": "count"], to: stage.app)
        #expect(stage.phone.device.screen.badges == [stage.app.bundleID: 2])
    }
}
