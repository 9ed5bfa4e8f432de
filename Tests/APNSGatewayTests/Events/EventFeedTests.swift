import APNSGateway
import APNSTransport
import DeviceLink
import Dispatch
import Foundation
import PushClock
import PushModel
import Synchronization
import TestSupport
import Testing

@Suite("Events feed", .suiteLimit)
struct EventFeedTests {
    private let event = JourneyEvent(date: Date(timeIntervalSince1970: 0), station: .gateway, kind: .stored)

    private let id = APNSID(high: 1, low: 2)

    private func numbers(_ frames: [String]?) -> [Int64] {
        (frames ?? []).compactMap { EventFrame(text: $0) }.compactMap {
            if case .event(let number, _, _) = $0 { number } else { nil }
        }
    }

    /// All frames that a follower reads.
    private func follow(_ feed: EventFeed, log: String, after: Int64) -> [String]? {
        guard let answer = feed.received(EventFrame.follow(log: log, after: after).text) else { return nil }
        var frames = [answer.frame]
        var page = feed.page(after: answer.after)
        while let last = page.last {
            frames += page.frames
            page = feed.page(after: last)
        }
        return frames
    }

    @Test("The feed is read in pages, so that no reader holds others up")
    func pages() {
        var feed = EventFeed(log: "a", capacity: 1000)
        for _ in 1...1200 { _ = feed.append(event, id) }
        var sizes: [Int] = []
        var page = feed.page(after: 0)
        #expect(page.gap == 1...200)
        while let last = page.last {
            sizes.append(page.events.count)
            page = feed.page(after: last)
        }
        #expect(sizes == [256, 256, 256, 232])
    }

    @Test("A follower gets what it has not seen, then what comes")
    func resumes() {
        var feed = EventFeed(log: "a")
        for _ in 1...3 { _ = feed.append(event, id) }
        let frames = follow(feed, log: "a", after: 1)
        #expect(frames?.first.flatMap { EventFrame(text: $0) } == .following(log: "a", after: 1))
        #expect(numbers(frames) == [2, 3])
        #expect(feed.nextPage(after: 3, for: 1).last == nil)
        let woken = feed.append(event, id)
        #expect(woken.map(\.follower) == [1])
        #expect(woken.map(\.after) == [3])
        #expect(feed.append(event, id).isEmpty, "It reads, and needs no second call.")
        #expect(feed.nextPage(after: 3, for: 1).last == 5)
        #expect(feed.nextPage(after: 5, for: 1).last == nil)
        feed.closed(1)
        #expect(feed.append(event, id).isEmpty)
    }

    @Test("A follower that comes too late is told of the gap")
    func gap() {
        var feed = EventFeed(log: "a", capacity: 2)
        for _ in 1...5 { _ = feed.append(event, id) }
        let frames = follow(feed, log: "a", after: 1)
        #expect(frames?.dropFirst().first.flatMap { EventFrame(text: $0) } == .gap(first: 2, last: 3))
        #expect(numbers(frames) == [4, 5])
    }

    @Test("Another log begins at its beginning")
    func restart() {
        var feed = EventFeed(log: "b")
        _ = feed.append(event, id)
        let frames = follow(feed, log: "a", after: 77)
        #expect(frames?.first.flatMap { EventFrame(text: $0) } == .following(log: "b", after: 0))
        #expect(numbers(frames) == [1])
    }

    @Test("Nonsense closes the link")
    func nonsense() {
        #expect(EventFeed(log: "a").received("{}") == nil)
    }

    /// A follower's link that stands still in the middle of its first page until it is told to go on.
    private final class SlowLink: LinkConnection {
        private let frames = Mutex<[String]>([])
        private let gate = DispatchSemaphore(value: 0)

        var all: [String] { frames.withLock { $0 } }

        func send(_ text: String) {
            let count = frames.withLock { frames in
                frames.append(text)
                return frames.count
            }
            if count == 10 { gate.wait() }
        }

        func close() {}
        func goOn() { gate.signal() }
    }

    @Test("While a follower reads a large log, one page at a time, the gateway answers and takes in more")
    func readsOutsideTheLock() async throws {
        let world = try World()
        let token = world.issueToken()
        let connection = ProviderConnection(environment: .development)
        func send(_ count: Int) {
            for _ in 0..<count {
                let request = world.request(to: token, ["apns-collapse-id": UUID().uuidString])
                #expect(world.gateway.respond(to: request, on: connection).status == 200)
            }
        }
        send(600)
        let link = SlowLink()
        let hear = world.gateway.events.accept(link)
        hear(.received(EventFrame.follow(log: nil, after: 0).text))
        try await eventually("it stands in its first page") { link.all.count == 10 }
        #expect(world.gateway.statistics.stored == 600)
        send(5)
        #expect(world.gateway.statistics.stored == 605)
        #expect(link.all.count == 10)
        link.goOn()
        let total = world.sink.all.count
        try await eventually("all have come") { link.all.count == total + 1 }
        send(1)
        try await eventually("it hears what comes") { link.all.count > total + 1 }
        #expect(numbers(link.all) == (1...Int64(link.all.count - 1)).map { $0 })
        // Who follows already is not read out to again.
        let before = link.all.count
        hear(.received(EventFrame.follow(log: nil, after: 0).text))
        hear(.closed("gone"))
        send(1)
        #expect(link.all.count == before)
    }

    /// A follower's link on which nothing leaves until it is told so.
    private final class StuckLink: LinkConnection {
        private let state = Mutex((frames: 0, flushed: [@Sendable () -> Void]()))

        var frames: Int { state.withLock(\.frames) }
        var waiters: Int { state.withLock(\.flushed.count) }

        func send(_ text: String) { state.withLock { $0.frames += 1 } }
        func whenFlushed(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.flushed.append(body) } }
        func close() {}

        func flush() {
            let bodies = state.withLock { state in
                defer { state.flushed = [] }
                return state.flushed
            }
            for body in bodies { body() }
        }
    }

    @Test("One page waits for a follower that does not read, however much happens")
    func stuck() async throws {
        let world = try World()
        let token = world.issueToken()
        func send(_ count: Int) {
            for _ in 0..<count {
                let request = world.request(to: token, ["apns-collapse-id": UUID().uuidString])
                let answer = world.respond(to: request)
                #expect(answer.status == 200)
            }
        }
        send(1)
        let link = StuckLink()
        let hear = world.gateway.events.accept(link)
        hear(.received(EventFrame.follow(log: nil, after: 0).text))
        try await eventually("the first page is on its way") { link.waiters == 1 }
        let first = link.frames
        send(1000)
        #expect(link.frames == first)
        link.flush()
        try await eventually("the second page is on its way") { link.waiters == 1 }
        #expect(link.frames == first + EventFeed.pageSize)
        let total = world.sink.all.count + 1
        try await eventually("all pages have left") {
            link.flush()
            return link.frames == total
        }
        hear(.closed("gone"))
    }

    @Test("A follower goes on where it was, over a broken link, each event once")
    func follows() async throws {
        let world = try World()
        let token = world.issueToken()
        let dialer = LoopDialer(acceptor: world.gateway.events)
        let sink = RecordingSink()
        let saved = Mutex<GatewayEventsFollower.Cursor?>(nil)
        let follower = GatewayEventsFollower(
            url: "loop:",
            dialer: dialer,
            clock: world.clock,
            sink: sink,
            cursor: nil,
            save: { cursor in saved.withLock { $0 = cursor } },
            random: { 1 }
        )
        let running = Task { await follower.run() }
        func send() throws {
            let request = world.request(to: token, ["apns-collapse-id": UUID().uuidString])
            let answer = world.respond(to: request)
            #expect(answer.status == 200)
        }
        try send()
        try await eventually("1 events are reported") { sink.all.count == 1 }
        dialer.breakLinks()
        try await world.clock.sleeper()
        try send()
        #expect(sink.all.count == 1)
        await world.clock.advance(by: .seconds(1))
        try await eventually("2 events are reported") { sink.all.count == 2 }
        try send()
        try await eventually("3 events are reported") { sink.all.count == 3 }
        try await eventually("the position is saved") { saved.withLock { $0?.number } == 3 }
        running.cancel()
        dialer.breakLinks()
        await running.value
        #expect(sink.all.map(\.apnsID) == world.sink.all.map(\.apnsID))
    }

    @Test("A frame that no gateway sends closes the link; an event of a newer version is skipped")
    func foreignFrames() async throws {
        let world = try World()
        let saved = Mutex<[Int64]>([])
        let refusals = Mutex(0)
        let gateway = FalseGateway()
        let follower = GatewayEventsFollower(
            url: "loop:",
            dialer: LoopDialer(acceptor: gateway),
            clock: world.clock,
            sink: RecordingSink(),
            cursor: nil,
            save: { cursor in saved.withLock { $0.append(cursor.number) } },
            refused: { refusals.withLock { $0 += 1 } }
        )
        let running = Task { await follower.run() }
        try await eventually("it follows") { gateway.links.count == 1 }
        gateway.links[0].send(EventFrame.following(log: "l", after: 3).text)
        gateway.links[0].send(#"{"type":"event","number":4,"apns-id":"x","event":{"event":"of tomorrow"}}"#)
        try await eventually("the event counts as received") { saved.withLock { $0 == [4] } }
        gateway.links[0].send(#"{"type":"weather","text":"fine"}"#)
        try await eventually("the link is closed") { gateway.closed == 1 && refusals.withLock { $0 == 1 } }
        running.cancel()
        await running.value
    }

    @Test("While many events wait, nothing is read; when half of them are taken, reading goes on")
    func inbox() async throws {
        let inbox = LinkInbox()
        let connection = HeldConnection()
        let link = inbox.open("loop:", by: HeldDialer(connection: connection))
        #expect(link === connection)
        let text = String(repeating: "x", count: (64 << 10) - 64)
        for count in 1...4 {
            connection.receive(text)
            #expect(!connection.isHeld, "\(count)")
        }
        connection.receive(text)
        #expect(connection.isHeld)
        var taken = 0
        for await event in inbox.events {
            guard case .received(let text) = event else { continue }
            inbox.took(text)
            taken += 1
            #expect(connection.isHeld == (taken < 3))
            if taken == 5 { break }
        }
    }
}

/// Keeps the links of followers open, and says what a test lets it say.
private final class FalseGateway: LinkAcceptor {
    private let state = Mutex<(links: [any LinkConnection], closed: Int)>(([], 0))

    var links: [any LinkConnection] { state.withLock(\.links) }
    var closed: Int { state.withLock(\.closed) }

    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        { [self] event in
            switch event {
            case .opened: break
            case .received: state.withLock { $0.links.append(connection) }
            case .closed: state.withLock { $0.closed += 1 }
            }
        }
    }
}

/// A link whose reading may be on hold.
private final class HeldConnection: LinkConnection {
    private struct State {
        var isHeld = false
        var handler: (@Sendable (LinkEvent) -> Void)?
    }

    private let state = Mutex(State())

    var isHeld: Bool { state.withLock(\.isHeld) }

    func connect(_ handler: @escaping @Sendable (LinkEvent) -> Void) { state.withLock { $0.handler = handler } }
    func receive(_ text: String) { state.withLock(\.handler)?(.received(text)) }
    func send(_ text: String) {}
    func close() {}
    func holdReading() { state.withLock { $0.isHeld = true } }
    func resumeReading() { state.withLock { $0.isHeld = false } }
}

private struct HeldDialer: LinkDialer {
    let connection: HeldConnection

    func open(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        connection.connect(handler)
        return connection
    }
}

/// Opens links straight into an acceptor.
private final class LoopDialer: LinkDialer {
    private final class End: LinkConnection {
        private let deliver: Mutex<(@Sendable (LinkEvent) -> Void)?>

        init(_ deliver: (@Sendable (LinkEvent) -> Void)? = nil) { self.deliver = Mutex(deliver) }

        func connect(_ handler: @escaping @Sendable (LinkEvent) -> Void) { deliver.withLock { $0 = handler } }
        func send(_ text: String) { deliver.withLock(\.self)?(.received(text)) }
        func close() {
            let handler = deliver.withLock { deliver in
                defer { deliver = nil }
                return deliver
            }
            handler?(.closed("closed"))
        }
    }

    private let acceptor: any LinkAcceptor
    private let ends = Mutex<[End]>([])

    init(acceptor: any LinkAcceptor) { self.acceptor = acceptor }

    func open(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        let near = End()
        let far = End(handler)
        near.connect(acceptor.accept(far))
        ends.withLock { $0 += [near, far] }
        handler(.opened)
        return near
    }

    func breakLinks() {
        let open = ends.withLock { ends in
            defer { ends = [] }
            return ends
        }
        for end in open { end.close() }
    }
}
