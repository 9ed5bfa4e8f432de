import HTTPTypes
import Hummingbird
import NIOCore
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import PosthornPortal

@Suite("Streams of events", .timeLimit(.minutes(1)))
struct EventStreamTests {
    /// A client that reads nothing until it is told to.
    private final class SlowClient: ResponseBodyWriter, Sendable {
        let mayRead = Announcement<Void>()
        let read = Mutex("")

        func write(_ buffer: ByteBuffer) async throws {
            if !read.withLock(\.isEmpty) { try await mayRead.value }
            read.withLock { $0 += String(buffer: buffer) }
        }

        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    private static func event(_ number: Int) -> EventStream.Event {
        EventStream.Event(name: "count", id: "\(number)", data: ["number": .integer(Int64(number))])
    }

    private static func count(_ text: String) -> Int { text.matches(of: #/event: count/#).count }

    @Test("A stream ends with its body, and has every event in its order")
    func complete() async throws {
        let client = SlowClient()
        client.mayRead.make(.success(()))
        let response = EventStream.response { send in for number in 0..<100 { try await send(Self.event(number)) } }
        try await response.body.write(client)
        let text = client.read.withLock(\.self)
        #expect(Self.count(text) == 100)
        #expect(text.hasSuffix("id: 99\nevent: count\ndata: {\"number\":99}\n\n"))
    }

    @Test("A reader that falls too far behind is cut off, instead of filling the memory")
    func slow() async throws {
        let client = SlowClient()
        let response = EventStream.response { send in
            for number in 0..<EventStream.waiting * 3 { try await send(Self.event(number)) }
            client.mayRead.make(.success(()))
        }
        try await response.body.write(client)
        let count = client.read.withLock { Self.count($0) }
        #expect(count >= EventStream.waiting && count < EventStream.waiting * 2, "\(count)")
    }
}
