import DeviceLink
import JPush
import PosthornTesting
import PushDevice
import PushModel
import Synchronization
import Testing
import UIKit

@Suite("Custom messages through JPUSHService")
@MainActor
struct JPushMessageTests {
    private func message(_ position: Int64, _ content: String = "text") -> SDKMessage {
        SDKMessage(position: position, messageID: 9_007_199_254_740_993 + position, content: content)
    }

    private func contents(_ stage: JPushStage) -> [String] {
        stage.posted.filter { $0.name == "NetworkDidReceiveMessage" }.compactMap { $0.info["content"] as? String }
    }

    @Test("A message has its keys, on the main thread, and is acknowledged")
    func keys() async throws {
        let stage = await JPushStage()
        await stage.setUp()
        stage.service.send(
            SDKMessage(
                position: 7,
                messageID: 9_007_199_254_740_993,
                content: "hello",
                title: "Ann",
                contentType: "text",
                extras: ["n": 1, "deep": ["k": "v"]]
            )
        )
        await stage.settle()
        let post = try #require(stage.posted.last)
        #expect(post.name == "NetworkDidReceiveMessage")
        #expect(post.info["content"] as? String == "hello")
        #expect(post.info["title"] as? String == "Ann")
        #expect(post.info["_j_msgid"] as? String == "9007199254740993")
        #expect(post.info["content_type"] as? String == "text")
        let extras = try #require(post.info["extras"] as? [String: Any])
        #expect(extras["n"] as? Int == 1)
        #expect((extras["deep"] as? [String: Any])?["k"] as? String == "v")
        #expect(stage.service.state.withLock(\.acknowledged) == [7])

        stage.service.send(message(8))
        await stage.settle()
        let bare = try #require(stage.posted.last)
        #expect(Set(bare.info.keys.compactMap { $0 as? String }) == ["content", "_j_msgid"])
    }

    @Test("Waiting messages come in order at the next login, once, although the acknowledgement was lost")
    func once() async {
        let stage = await JPushStage()
        await stage.setUp()
        for position in Int64(1)...3 { stage.service.send(message(position, "m\(position)")) }
        await stage.settle()
        #expect(contents(stage) == ["m1", "m2", "m3"])
        // The service did not hear: it sends all three again, and a new one.
        stage.service.set { $0.messages = (1...4).map { message($0, "m\($0)") } }
        stage.service.drop()
        await stage.advance(by: .seconds(2))
        await stage.settle()
        #expect(contents(stage) == ["m1", "m2", "m3", "m4"])
        #expect(stage.service.state.withLock(\.messages).isEmpty)

        stage.service.set { $0.messages = (3...5).map { message($0, "m\($0)") } }
        await stage.relaunch()
        await stage.setUp()
        #expect(contents(stage) == ["m1", "m2", "m3", "m4", "m5"])
        #expect(
            stage.service.received.last { if case .login = $0 { true } else { false } }
                == .login(appKey: "key", registrationID: "19d1", secret: "s1", position: 4, zone: "GMT", language: "en")
        )
    }

    @Test("A message that an app had on its way when it was killed comes to the next process")
    func killed() async {
        let stage = await JPushStage()
        await stage.setUp()
        stage.service.send(message(1, "m1"))
        // Before the main thread has had its turn.
        stage.phone.device.terminate(stage.app.bundleID)
        await stage.settle()
        #expect(contents(stage) == [])
        await stage.phone.open(stage.app)
        await stage.setUp()
        #expect(contents(stage) == ["m1"])
        #expect(stage.service.state.withLock(\.acknowledged) == [1])
    }

    @Test("None comes in the background; what was sent meanwhile comes in front")
    func background() async {
        let stage = await JPushStage()
        await stage.setUp()
        await stage.phone.background(stage.app)
        await stage.settle()
        stage.service.send(message(1, "m1"))
        await stage.settle()
        #expect(contents(stage) == [])
        await stage.phone.open(stage.app)
        await stage.settle()
        #expect(contents(stage) == ["m1"])
    }

    @Test("Positions of a lost registration mean nothing to the new one")
    func newRegistration() async {
        let stage = await JPushStage()
        await stage.setUp()
        stage.service.send(message(50, "old"))
        await stage.settle()
        stage.service.set { $0.forgets = true }
        stage.service.drop()
        await stage.advance(by: .seconds(5))
        await stage.settle()
        stage.service.send(message(1, "new"))
        await stage.settle()
        #expect(contents(stage) == ["old", "new"])
    }
}
