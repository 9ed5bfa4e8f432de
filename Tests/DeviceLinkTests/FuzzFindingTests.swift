import PushModel
import Testing

@testable import DeviceLink

/// What the fuzz targets of Fuzzing/ have found, each with its input.
@Suite("Fuzzing: what it found on the links")
struct FuzzFindingTests {
    /// The second device was still reached over the link after it had become the first one's, and its pushes with it.
    @Test("A link that says hello as a device of another link is that device alone")
    func helloAsADeviceOfAnotherLink() {
        var server = CourierServer()
        let (first, second) = (server.opened(), server.opened())
        let app = CourierServer.App(device: "e", topic: "com.example.app", environment: .production)
        #expect(server.received(#"{"type":"hello","device":"d"}"#, on: first) == [])
        #expect(server.received(#"{"type":"hello","device":"e"}"#, on: second) == [])
        _ = server.registered(app, token: DeviceToken(bytes: [1]))
        #expect(server.canReach(app))
        #expect(server.received(#"{"type":"hello","device":"d"}"#, on: second) == [.lost(app), .close(first)])
        #expect(!server.canReach(app))
        #expect(server.apps(of: "e") == [] && server.apps(of: "d") == [])
    }
}
