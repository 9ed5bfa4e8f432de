import PosthornTesting
import PushDevice
import SystemPort
import Testing

@Suite("In-app views above an app's page")
@MainActor
struct InAppViewTests {
    private let phone = TestPhone()
    private let record = InAppRecord(id: "1", title: "T", body: "hello")

    private func port() async throws -> any SystemPort {
        phone.install(.lab) { PlainApp() }
        await phone.open(.lab)
        return try #require(phone.device.port(of: InstalledApp.lab.bundleID))
    }

    private func ask(_ port: any SystemPort, _ call: SystemCall) async -> SystemReply {
        await withCheckedContinuation { continuation in port.call(call) { continuation.resume(returning: $0) } }
    }

    @Test("Is on the screen while the app is in front, one at a time, until the user touches it")
    func touched() async throws {
        let port = try await port()
        #expect(await ask(port, .showInApp(record)) == .done)
        guard case .failed = await ask(port, .showInApp(InAppRecord(id: "2", title: "", body: ""))) else {
            Issue.record("A second one is refused.")
            return
        }
        await phone.background(.lab)
        #expect(phone.device.screen.inApp == nil)
        #expect(await phone.perform { $0.tap("1") } == false)
        await phone.open(.lab)
        #expect(phone.device.screen.inApp?.record == record)
        #expect(await phone.perform { $0.tap("2") } == false)
        let waiter = Task { await ask(port, .awaitInAppEnd(id: "1")) }
        #expect(await phone.dismiss("1"))
        #expect(await waiter.value == .inAppEnded(byTap: false))
        let kinds = phone.device.recentDeviceEvents.map { "\($0.kind)" }
        #expect(kinds.filter { $0.hasPrefix("inAppShown") }.count == 1)
        #expect(kinds.suffix(2) == ["dismissed(id: \"1\")", "inAppHidden"])
    }

    @Test("A tap is not lost on an app that asks for the end after it")
    func late() async throws {
        let port = try await port()
        #expect(await ask(port, .showInApp(record)) == .done)
        #expect(await phone.tap("1"))
        #expect(await ask(port, .awaitInAppEnd(id: "1")) == .inAppEnded(byTap: true))
        #expect(await ask(port, .showInApp(record)) == .done)
        #expect(await ask(port, .hideInApp(id: "1")) == .done)
        #expect(await ask(port, .awaitInAppEnd(id: "1")) == .inAppEnded(byTap: false))
    }

    @Test("Goes with the process that shows it, and none comes in the background")
    func ends() async throws {
        let port = try await port()
        #expect(await ask(port, .showInApp(record)) == .done)
        await phone.forceQuit(.lab)
        #expect(phone.device.screen.inApp == nil)
        #expect(await ask(port, .awaitInAppEnd(id: "1")) == .terminated)
        await phone.open(.lab)
        #expect(phone.device.screen.inApp == nil)
        await phone.background(.lab)
        let next = try #require(phone.device.port(of: InstalledApp.lab.bundleID))
        guard case .failed = await ask(next, .showInApp(record)) else {
            Issue.record("An app in the background has no page to be seen.")
            return
        }
    }
}
