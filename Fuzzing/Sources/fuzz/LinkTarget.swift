import PushModel

@testable import DeviceLink

/// What an app or a device may say on its link, a frame a line. The same lines go to the gateway's end of the courier links:
/// the first digit of a line, if there is one, says on which link.
func fuzzLink(_ input: [UInt8]) {
    let lines = input.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    for line in lines {
        checkSDKFrame(line)
        checkCourierFrame(line)
    }
    let batch = LinkBatch(lines)
    check(batch.texts == lines, "frames that go together are others")
    var run = CourierRun()
    for line in lines { run.read(line) }
    run.finish()
}

private func checkSDKFrame(_ text: String) {
    let position = SDKFrame.plainAcknowledgement(text)
    let frame: SDKFrame
    do throws(LinkFrameError) { frame = try SDKFrame(text: text) } catch {
        check(position == nil, "an acknowledgement of \(position ?? 0) that is no frame")
        check(!error.description.isEmpty, "a refusal without words")
        return
    }
    if let position { check(frame == .acknowledge(position: position), "\(frame) is taken for \(position)") }
    do throws(LinkFrameError) {
        let again = try SDKFrame(text: frame.text)
        check(again == frame, "\(frame) is read again as \(again)")
        check(again.text == frame.text, "written twice it differs: \(frame.text)")
    } catch {
        check(false, "what is written is no frame: \(error): \(frame.text)")
    }
    guard case .message(let message) = frame else { return }
    let content = CustomMessage(
        content: message.content,
        title: message.title,
        contentType: message.contentType,
        extras: message.extras,
        isInApp: message.isInApp
    )
    let quick = SDKMessage.utf8(position: message.position, messageID: message.messageID, content)
    check(
        (try? SDKFrame(text: String(decoding: quick, as: UTF8.self))) == frame,
        "written the quick way it differs: \(frame.text)"
    )
}

private func checkCourierFrame(_ text: String) {
    guard let frame = try? CourierFrame(text: text) else { return }
    do throws(LinkFrameError) {
        let again = try CourierFrame(text: frame.text)
        // Dates lose what is finer than a millisecond, once.
        check(again.text == frame.text, "written twice it differs: \(frame.text), \(again.text)")
        if case .events = frame { return }
        check(again == frame, "\(frame) is read again as \(again)")
    } catch {
        check(false, "what is written is no frame: \(error): \(frame.text)")
    }
}

/// The gateway's end of three courier links, and an owner that does what it is told.
private struct CourierRun {
    private var server = CourierServer()
    private var links: [CourierServer.LinkID?] = [nil, nil, nil]
    private var offered = 0

    mutating func read(_ line: String) {
        let digit = line.utf8.first.map { Int($0) - 48 }.flatMap { (0..<10).contains($0) ? $0 : nil }
        let place = (digit ?? 0) % links.count
        let link = links[place] ?? server.opened()
        links[place] = link
        let frame = digit == nil ? line : String(line.dropFirst())
        perform(server.received(frame, on: link))
        checkState()
    }

    mutating func finish() {
        for link in links { if let link { perform(server.closed(link)) } }
        check(server.links.isEmpty && server.listeners.isEmpty, "something is left of links that are closed")
    }

    private mutating func perform(_ actions: [CourierServer.Action]) {
        for action in actions {
            switch action {
            // A key that ends in an odd digit is another's.
            case .prove(let device, let key, let link):
                let isRight = key.last?.wholeNumberValue.map { $0 % 2 == 0 } ?? false
                perform(isRight ? server.welcome(device, on: link) : server.refuse(link, "another key"))
            case .close(let link):
                for place in links.indices where links[place] == link { links[place] = nil }
            case .register(let app):
                perform(server.registered(app, token: DeviceToken(bytes: [1])))
                offered += 1
                perform(server.deliver(push(to: app.topic, app.environment, "\(offered % 3)"), to: app))
            case .subscribed(let channel, let link):
                if channel.id.isEmpty {
                    perform(server.endChannel(channel, on: link))
                } else {
                    check(server.listeners(to: channel).contains(link), "a subscriber does not listen to its channel")
                }
            case .send, .unregister, .unsubscribed, .awake, .heard, .acknowledged, .record, .lost: break
            }
        }
    }

    private func push(to topic: String, _ environment: APNSEnvironment, _ id: String) -> CourierPush {
        CourierPush(
            apnsID: id,
            topic: topic,
            environment: environment,
            pushType: .alert,
            priority: 10,
            collapseID: nil,
            payload: []
        )
    }

    private func checkState() {
        check(server.links.count <= links.count, "\(server.links.count) links are open")
        for (id, link) in server.links {
            check(link.apps.allSatisfy { $0.device == link.device }, "a link has apps of another device")
            check(link.channels.count <= CourierServer.channelLimit, "\(link.channels.count) channels")
            for channel in link.channels {
                check(server.listeners[channel]?.contains(id) == true, "a channel without its listener")
            }
        }
        for (channel, ids) in server.listeners {
            check(!ids.isEmpty, "a channel that nobody listens to is kept")
            for id in ids { check(server.links[id]?.channels.contains(channel) == true, "a listener without its link") }
        }
    }
}
