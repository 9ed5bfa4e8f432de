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
        #expect(stage.sent.dropFirst() == [#"{"type":"ack","position":9}"#, #"{"type":"ack","position":9}"#])
        #expect(stage.stored.position.position == 9)
    }

    @Test("Fetches messages while no link can be had, from the second failure on, and tries again with growing waits")
    func fallsBack() {
        var stage = inFront()
        stage.service.messages = [CustomMessage("one", at: 1)]
        for failures in 1...2 {
            stage.run { $0.socketClosed($0.socket.number) }
            #expect(stage.client.socket.phase == .waiting)
            #expect(stage.delivered.isEmpty)
            stage.run { $0.rang(.link) }
            #expect(stage.client.socket.phase == .opening)
            #expect(stage.delivered == (failures == 1 ? [] : ["one"]))
        }
    }

    @Test("The end of a link costs the service no call: the next login brings what waits")
    func noHerd() {
        var (stage, number) = ready()
        stage.run { $0.fetchMessages() }
        stage.calls = []
        stage.run { $0.socketClosed(number) }
        #expect(stage.linkWaits.count == 1)
        stage.run { $0.rang(.link) }
        number = stage.client.socket.number
        stage.run { $0.socketOpened(number) }
        #expect(stage.sent.last?.contains("login") == true)
        stage.run { $0.socketReceived(#"{"type":"logged-in"}"#, on: number) }
        #expect(stage.calls.isEmpty)
        // Without links there is nothing but calls.
        stage.run { $0.moved(toFront: false) }
        stage.run { $0.socket.isUsed = false }
        stage.run { $0.moved(toFront: true) }
        stage.run { $0.rang(.link) }
        #expect(stage.calls == [.messages(after: nil), .messages(after: nil)])
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

    private func ready(_ body: (inout ClientStage) -> Void = { _ in }) -> (ClientStage, Int) {
        var stage = inFront()
        body(&stage)
        let number = stage.client.socket.number
        stage.run { $0.socketOpened(number) }
        stage.run { $0.socketReceived(#"{"type":"logged-in"}"#, on: number) }
        return (stage, number)
    }

    private func message(_ position: Int) -> String {
        #"{"type":"message","position":\#(position),"id":\#(position),"content":"\#(position)"}"#
    }

    @Test("Without a reader the link takes no messages; one that comes or ends later logs in again on the same link")
    func readers() {
        var (stage, number) = ready { stage in
            stage.run { $0.demand(.noReader) }
            stage.run { $0.change { $0.appVersion = "3.1" } }
        }
        #expect(stage.sent.last?.contains(#""app-version":"3.1""#) == true)
        #expect(stage.sent.last?.contains(#""messages":false"#) == true)
        stage.run { $0.socketReceived(message(1), on: number) }
        #expect(stage.delivered.isEmpty && stage.sent.count == 1)
        stage.run { $0.demand(.nothing) }
        #expect(stage.sent.last?.contains(#""messages":false"#) == false)
        stage.run { $0.socketReceived(message(1), on: number) }
        stage.run { $0.socketReceived(message(2), on: number) }
        #expect(stage.offers == 1)
        #expect(stage.delivered.isEmpty && stage.sent.count == 2, "Nothing is acknowledged before it is taken.")
        stage.run { $0.demand(.one) }
        #expect(stage.delivered == ["1"])
        #expect(stage.sent.last == #"{"type":"ack","position":1}"#)
        #expect(stage.offers == 2)
        stage.run { $0.demand(.noReader) }
        #expect(stage.sent.last?.contains(#""messages":false,"position":1"#) == true)
        #expect(stage.client.inbox.waiting.isEmpty)
    }

    @Test("A reader that comes while the login is under way logs in again: that login has said that there is none")
    func earlyReader() {
        var stage = inFront()
        stage.run { $0.demand(.noReader) }
        stage.run { $0.socketOpened($0.socket.number) }
        #expect(stage.sent.last?.contains(#""messages":false"#) == true)
        stage.run { $0.demand(.all) }
        #expect(stage.sent.count == 2 && stage.sent.last?.contains(#""messages":false"#) == false)
        stage.run { $0.socketReceived(#"{"type":"logged-in"}"#, on: $0.socket.number) }
        stage.run { $0.socketReceived(message(1), on: $0.socket.number) }
        #expect(stage.delivered == ["1"])
    }

    @Test("A burst is acknowledged in groups: the first five at once, then each second and every hundred")
    func pace() {
        var (stage, number) = ready()
        for position in 1...230 { stage.run { $0.socketReceived(message(position), on: number) } }
        let positions = { (stage: ClientStage) in
            stage.sent.dropFirst().map { $0.split(separator: ":").last?.dropLast() ?? "" }
        }
        #expect(positions(stage) == ["1", "2", "3", "4", "5", "105", "205"])
        stage.run { $0.rang(.gather) }
        #expect(positions(stage).last == "230")
        stage.run { $0.rang(.gather) }
        stage.run { $0.socketReceived(message(231), on: number) }
        #expect(positions(stage).last == "231", "After a second without a message the next is acknowledged at once.")
        for position in 232...236 { stage.run { $0.socketReceived(message(position), on: number) } }
        stage.run { $0.moved(toFront: false) }
        #expect(positions(stage).last == "236", "The end of the link acknowledges the rest.")
    }

    @Test("Links come back after growing waits with a random part, of at most a minute")
    func waits() {
        var stage = inFront()
        for failures in 1...9 {
            let number = stage.client.socket.number
            stage.run { $0.socketClosed(number) }
            let most = min(60, pow(2, Double(failures - 1)))
            #expect((most / 2...most).contains(stage.linkWaits.last ?? 0), "\(failures): \(stage.linkWaits)")
            stage.run { $0.rang(.link) }
        }
        #expect(Set(stage.linkWaits.map { $0.truncatingRemainder(dividingBy: 1) }).count > 3)
    }

    @Test("Push switched off and on over HTTPS: the link logs in again, without which its messages would stay away")
    func pushOn() {
        var (stage, _) = ready()
        let logins = { (stage: ClientStage) in stage.sent.filter { $0.contains("login") }.count }
        stage.run { $0.request(.setPush(false), caller: nil) }
        #expect(logins(stage) == 1)
        stage.run { $0.request(.setPush(true), caller: nil) }
        #expect(logins(stage) == 2)
        stage.run { $0.moved(toFront: false) }
        stage.run { $0.request(.setPush(true), caller: nil) }
        #expect(logins(stage) == 2)
    }

    @Test("A link has the heartbeat that the app has asked for, until it ends")
    func heartbeat() {
        var (stage, number) = ready()
        stage.run { $0.rang(.heartbeat) }
        #expect(stage.sent.last?.contains("login") == true, "Without one there are no pings.")
        stage.run { $0.moved(toFront: false) }
        stage.run { $0.socket.heartbeat = 30_000 }
        stage.run { $0.moved(toFront: true) }
        number = stage.client.socket.number
        stage.run { $0.socketOpened(number) }
        #expect(stage.beats == 30_000)
        stage.run { $0.rang(.heartbeat) }
        #expect(stage.sent.last == "ping" && stage.beats == 30_000)
        stage.run { $0.socketClosed(number) }
        #expect(stage.beats == nil)
    }

    @Test("The end of a link is the end of the connection, and a call begins it again")
    func network() {
        var (stage, number) = ready()
        #expect(stage.network == [.connecting, .connected, .loggedIn])
        stage.network = []
        stage.run { $0.socketClosed(number) }
        #expect(stage.network == [.closed])
        stage.run { $0.request(.setBadge(1), caller: nil) }
        #expect(stage.network == [.closed, .connecting, .connected, .loggedIn])
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
