import Foundation
import Testing

@testable import PosthornClient

@Suite("The client's link for custom messages")
struct SocketStateTests {
    private func inFront() -> ClientStage {
        var stage = ClientStage()
        stage.client.socket.isUsed = true
        stage.start()
        stage.run { $0.moved(toFront: true) }
        return stage
    }

    @Test("Logs in with the position, hands out messages once, and acknowledges each")
    func link() throws {
        var stage = inFront()
        let number = stage.client.socket.number
        #expect(stage.client.socket.phase == .opening)
        stage.run { $0.receive(CustomMessage("zero", at: 4)) }
        stage.run { $0.socketOpened(number) }
        let login = try #require(JSONSerialization.jsonObject(with: Data(stage.sent[0].utf8)) as? [String: Any])
        #expect(login["type"] as? String == "login")
        #expect(login["position"] as? Int == 4)
        #expect(login["registration-id"] as? String == "id-1")
        stage.run { $0.socketReceived(#"{"type":"logged-in"}"#, on: number) }
        stage.calls = []
        stage.run { $0.fetchMessages() }
        #expect(stage.calls.isEmpty, "A device with a link gets its messages there.")
        let frame = #"{"type":"message","position":9,"id":2251799813685252,"content":"one","extras":{"k":1}}"#
        stage.run { $0.socketReceived(frame, on: number) }
        stage.run { $0.socketReceived(frame, on: number) }
        #expect(stage.delivered == ["zero", "one"])
        #expect(stage.sent.dropFirst() == [#"{"position":9,"type":"ack"}"#, #"{"position":9,"type":"ack"}"#])
        #expect(stage.stored.position == 9)
    }

    @Test("Fetches messages while no link can be had, and tries again with growing waits")
    func fallsBack() {
        var stage = inFront()
        stage.service.messages = [CustomMessage("one", at: 1)]
        let number = stage.client.socket.number
        stage.run { $0.socketClosed(number) }
        #expect(stage.delivered == ["one"])
        #expect(stage.client.socket.phase == .waiting)
        stage.run { $0.rang(.link) }
        #expect(stage.client.socket.phase == .opening)
    }

    @Test("Closes the link in the background, and when the device is unregistered")
    func closes() {
        var stage = inFront()
        stage.run { $0.moved(toFront: false) }
        #expect(stage.client.socket.phase == .off)
        stage.run { $0.moved(toFront: true) }
        #expect(stage.client.socket.phase == .opening)
        stage.run { $0.leave() }
        #expect(stage.client.socket.phase == .off)
    }

    @Test("Registers again if the link does not know the identity")
    func forgotten() {
        var stage = inFront()
        let number = stage.client.socket.number
        stage.run { $0.socketOpened(number) }
        stage.service.devices = [:]
        stage.run { $0.socketReceived(#"{"type":"refused","code":6016,"message":"unknown"}"#, on: number) }
        #expect(stage.client.saved.registration?.id == "id-2")
        #expect(stage.client.socket.phase == .opening)
        #expect(stage.client.socket.number != number)
    }
}
