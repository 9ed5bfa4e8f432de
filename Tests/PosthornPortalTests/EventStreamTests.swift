import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

@testable import PosthornPortal

@Suite("Streams of events", .suiteLimit)
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

    @Test(
        "A session has a few streams, its user some more, and a place is free when its stream has ended or never began"
    )
    func places() async throws {
        let places = StreamPlaces()
        let sessions = SessionStore()
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        func session(_ user: String) -> Session { sessions.start(user, .viewer, version: "1", at: now) }
        let ana = session("ana")
        var held = try (0..<StreamPlaces.ofSession).map { _ in try places.take(ana) }
        let refusal = #expect(throws: PortalProblem.self) { try places.take(ana) }
        #expect(refusal?.status == .tooManyRequests && refusal?.key == "too_many_streams")
        held.removeLast()
        // A response whose body is never written gives its place back as well.
        _ = EventStream.response(at: try places.take(ana)) { _ in }
        held.append(try places.take(ana))
        while held.count < StreamPlaces.ofUser {
            let other = session("ana")
            held += try (0..<StreamPlaces.ofSession).map { _ in try places.take(other) }
        }
        #expect(throws: PortalProblem.self) { try places.take(session("ana")) }
        held.append(try places.take(session("ben")))
        held = []
        let client = SlowClient()
        client.mayRead.make(.success(()))
        for _ in 0..<StreamPlaces.ofSession * 2 {
            let response = EventStream.response(at: try places.take(ana)) { send in try await send(Self.event(1)) }
            try await response.body.write(client)
        }
    }

    @Test("A push is read once for all streams that follow it, and again after a second")
    func watches() async throws {
        let watches = MessageWatches()
        let id = MessageID(7)
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let reads = Mutex(0)
        let before = Mutex<JSONValue?>(nil)
        func look(_ seconds: TimeInterval) async throws -> MessageWatches.Reading? {
            try await watches.state(of: id, at: start + seconds) {
                let count = reads.withLock { reads in
                    reads += 1
                    return reads
                }
                // While one stream reads, another has the last state.
                let other = try await watches.state(of: id, at: start + 9) { throw CancellationError() }
                #expect(other?.live == before.withLock(\.self))
                return MessageWatches.Reading(isWaiting: true, live: .integer(Int64(count)))
            }
        }
        func expect(_ count: Int64, at seconds: TimeInterval) async throws {
            let reading = try await look(seconds)
            #expect(reading?.live == .integer(count))
            before.withLock { $0 = reading?.live }
        }
        try await watches.follow(id) {
            try await watches.follow(id) {
                for _ in 0..<100 { try await expect(1, at: 0) }
                try await expect(1, at: 0.9)
                try await expect(2, at: 1)
            }
            try await expect(2, at: 1.5)
            // A clock that was set back does not stop it.
            try await expect(3, at: -100)
            try await expect(4, at: 0)
            await #expect(throws: CancellationError.self) {
                try await watches.state(of: id, at: start + 5) { throw CancellationError() }
            }
            try await expect(5, at: 5)
        }
        before.withLock { $0 = nil }
        try await watches.follow(id) { try await expect(6, at: 0) }
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
