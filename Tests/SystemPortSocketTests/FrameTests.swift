import Foundation
import PushModel
import SystemPort
import SystemPortSocket
import Testing

@Suite("Frames of the port")
struct FrameTests {
    static let ofApps: [AppFrame] = {
        let samples = Samples.calls + Samples.placeCalls + Samples.activityCalls
        let calls = samples.map { AppFrame.call(id: 7, $0) }
        let reads = samples.map { AppFrame.read(id: .max, $0) }
        let replies = (Samples.eventReplies + Samples.activityEventReplies).map { AppFrame.eventReply(event: 3, $0) }
        let others: [AppFrame] = [
            .hello(version: 1), .askTime(id: 1), .sleep(id: 2, until: .nanoseconds(123_456_789_012_345_678)),
            .sleep(id: 2, until: .seconds(-1)), .cancelSleep(id: 2), .openLink(link: 1, url: "ws://x"),
            .sendOnLink(link: 1, text: "{}"), .pingLink(link: 1), .closeLink(link: 1),
        ]
        return calls + reads + replies + others
    }()

    static let ofDevices: [DeviceFrame] = {
        let samples = Samples.events + Samples.placeEvents + Samples.activityEvents
        let events = samples.map { DeviceFrame.event(id: 1, SystemEvent($0, state: .inactive)) }
        let replies = (Samples.replies + Samples.activityReplies).map { DeviceFrame.reply(id: 1, $0) }
        let answers = Samples.replies.map { DeviceFrame.answer(id: 1, $0) }
        let others: [DeviceFrame] = [
            .start(version: 1, Samples.facts, seed: .max), .facts(Samples.facts), .wake(id: 1),
            .time(id: 1, ClockReading(elapsed: .nanoseconds(1), date: Samples.date)), .linkOpened(link: 1),
            .linkReceived(link: 1, text: "\u{1F600}"), .linkClosed(link: 1, reason: "gone"),
        ]
        return events + replies + answers + others
    }()

    @Test("Every frame of an app reads back as it was written", arguments: ofApps)
    func app(_ frame: AppFrame) throws { try roundTrip(frame) }

    @Test("Every frame of a device reads back as it was written", arguments: ofDevices)
    func device(_ frame: DeviceFrame) throws { try roundTrip(frame) }

    private func roundTrip<Frame: Codable & Equatable>(_ frame: Frame) throws {
        let bytes = try FrameCoding.encode(frame)
        #expect(bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } == bytes.count - 4)
        var buffer = FrameBuffer()
        // Byte by byte, and two after each other.
        var bodies: [[UInt8]] = []
        for byte in bytes + bytes {
            buffer.append([byte])
            while let body = try buffer.next() { bodies.append(body) }
        }
        #expect(!buffer.isWithinFrame)
        let frames = try bodies.map { try FrameCoding.decode($0, as: Frame.self) }
        #expect(frames == [frame, frame])
    }

    @Test("A text that is not a frame is named", arguments: ["", "{", "[]", "{\"flew\":{}}", "{\"call\":{\"id\":1}}"])
    func noFrame(_ text: String) {
        let problem = #expect(throws: PortProblem.self) { try FrameCoding.decode(Array(text.utf8), as: AppFrame.self) }
        #expect(problem?.description == "A frame begins '\(text)'; expected one of version 1 of the port.")
    }

    @Test("A frame that is too long is refused before it is there")
    func tooLong() throws {
        var buffer = FrameBuffer()
        buffer.append([1, 0, 0, 1])
        let problem = #expect(throws: PortProblem.self) { try buffer.next() }
        #expect(problem?.description == "A frame has 16777217 bytes; expected at most 16777216.")
        let frame = AppFrame.sendOnLink(link: 1, text: String(repeating: "a", count: PortProtocol.frameLimit))
        #expect(throws: PortProblem.self) { try FrameCoding.encode(frame) }
    }
}

@Suite("The lines that an app prints")
struct LineSplitterTests {
    @Test("Comes in lines, however it is cut")
    func lines() {
        var splitter = LineSplitter()
        #expect(splitter.append("one\ntw".utf8) == ["one"])
        #expect(splitter.append("o\n\nthr".utf8) == ["two", ""])
        #expect(splitter.last() == "thr")
        #expect(splitter.last() == nil)
    }

    @Test("Does not wait for an end that never comes")
    func endless() {
        var splitter = LineSplitter()
        #expect(splitter.append(Array(repeating: UInt8(ascii: "x"), count: 70_000)).map(\.count) == [65_536])
    }
}
