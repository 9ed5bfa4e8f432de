import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import SystemPortSocket
import TestSupport
import Testing

@Suite("An app that asks for what no device can do", .timeLimit(.minutes(2)))
struct HostileAppTests {
    @Test("Times beyond every clock leave the device as it was")
    func times() async throws {
        var content = ContentRecord()
        content.title = "Far"
        let triggers: [TriggerRecord] = [
            .timeInterval(.infinity, repeats: false), .timeInterval(.nan, repeats: false),
            .timeInterval(0, repeats: true), .timeInterval(.greatestFiniteMagnitude, repeats: true),
        ]
        let requests = triggers.enumerated().map { number, trigger in
            AppFrame.call(
                id: 10 + number,
                .add(RequestRecord(identifier: "\(number)", content: content, trigger: trigger))
            )
        }
        let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
        let script = try ScriptedApp(
            [
                .call(id: 1, .requestAuthorization(options: 7)), .sleep(id: 2, until: longest),
                .sleep(id: 3, until: .zero - longest),
            ] + requests
        )
        let phone = TestPhone()
        script.install(on: phone.device)
        phone.device.open(script.app.bundleID)
        try await eventually("requests 0 and 3 are pending") {
            phone.device.pendingRequests(of: script.app.bundleID).map(\.identifier).sorted() == ["0", "3"]
        }
        #expect(phone.device.condition(of: script.app.bundleID) == .active)
    }
}
