import PushModel
import Testing

@testable import DeviceLink

/// The findings of the fuzz targets of Fuzzing/, each with its input.
@Suite("Fuzzing: what it found on the links")
struct FuzzFindingTests {
    /// The second device was still reached over the link after it had become the first one's, and its pushes with it.
    @Test("A link that says hello as a device of another link is that device alone")
    func helloAsADeviceOfAnotherLink() {
        var server = CourierServer()
        let first = server.opened()
        let second = server.opened()
        let app = CourierServer.DeviceApp(device: "e", topic: "com.example.app", environment: .production)
        #expect(server.welcome("d", on: first) == [])
        #expect(server.welcome("e", on: second) == [])
        _ = server.registered(app, token: DeviceToken(bytes: [1]))
        #expect(server.canReach(app))
        #expect(server.welcome("d", on: second) == [.lost(app), .close(first)])
        #expect(!server.canReach(app))
        #expect(server.apps(of: "e") == [] && server.apps(of: "d") == [])
    }

    /// Half of all milliseconds were written as one less, each time that an event was read and written.
    @Test("An event keeps its millisecond on every link it goes over")
    func millisecondsOfEvents() throws {
        for millisecond in 0..<1000 {
            let date = "2026-11-23T08:00:00.\(String(millisecond + 1000).dropFirst())Z"
            let text = """
                {"type":"events","events":[{"number":1,"apns-id":"0f1e","event":\
                {"at":"\(date)","by":"device","event":"opened"}}]}
                """
            #expect(try CourierFrame(text: text).text.contains(date))
        }
    }
}
