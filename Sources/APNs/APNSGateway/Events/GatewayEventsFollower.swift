package import DeviceLink
package import PushClock
package import PushModel
import Synchronization

/// Follows the events of a gateway in another process and passes each to a sink once, in order, across reconnects.
package final class GatewayEventsFollower: Sendable {
    /// The position of a follower. Its owner stores it on disk.
    package struct Cursor: Hashable, Codable, Sendable {
        package var log: String
        package var number: Int64

        package init(log: String, number: Int64) {
            self.log = log
            self.number = number
        }
    }

    private let url: String
    private let dialer: any LinkDialer
    private let clock: any CivilClock
    private let sink: any JourneySink
    private let random: @Sendable () -> Double
    private let save: @Sendable (Cursor) -> Void
    private let missed: @Sendable (Int64) -> Void
    private let refused: @Sendable () -> Void
    private let cursor: Mutex<Cursor?>

    /// Creates a follower of a gateway's events.
    ///
    /// `url` is `ws://HOST:PORT/events`. `cursor` is the position to continue from; nil to begin with the oldest event
    /// that the gateway keeps. `save` receives the cursor after each event that the sink has received. `missed`
    /// receives the number of events that were lost because the follower was away for too long. `refused` is called when a link
    /// is closed because of a frame that no gateway sends. `random` is a number from 0 to 1, for the pauses.
    package init(
        url: String,
        dialer: any LinkDialer,
        clock: any CivilClock,
        sink: any JourneySink,
        cursor: Cursor?,
        save: @escaping @Sendable (Cursor) -> Void,
        missed: @escaping @Sendable (Int64) -> Void = { _ in },
        refused: @escaping @Sendable () -> Void = {},
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.url = url
        self.dialer = dialer
        self.clock = clock
        self.sink = sink
        self.save = save
        self.missed = missed
        self.refused = refused
        self.random = random
        self.cursor = Mutex(cursor)
    }

    /// Follows until the task is cancelled. A broken link is reopened after 0.5 to 1 s; the pause doubles each time, up to 30 s.
    package func run() async {
        var failures = 0
        while !Task.isCancelled {
            failures = await follow() ? 1 : failures + 1
            let pause = min(Duration.seconds(1) * (1 << min(failures - 1, 5)), .seconds(30))
            do { try await clock.sleep(for: pause * (0.5 + 0.5 * random())) } catch { return }
        }
    }

    /// Runs one link, from its opening to its end.
    ///
    /// - Returns: whether the gateway has answered on it.
    private func follow() async -> Bool {
        let inbox = LinkInbox()
        let link = inbox.open(url, by: dialer)
        defer { link.close() }
        var hasAnswered = false
        for await event in inbox.events {
            switch event {
            case .opened:
                let cursor = cursor.withLock { $0 }
                link.send(EventFrame.follow(log: cursor?.log, after: cursor?.number ?? 0).text)
            case .received(let text):
                inbox.took(text)
                guard received(text) else {
                    refused()
                    return hasAnswered
                }
                hasAnswered = true
            case .closed: return hasAnswered
            }
        }
        return hasAnswered
    }

    /// - Returns: false for a frame that no gateway sends.
    private func received(_ text: String) -> Bool {
        switch EventFrame(text: text) {
        case .following(let log, let after): cursor.withLock { $0 = Cursor(log: log, number: after) }
        case .gap(let first, let last):
            missed(last - first + 1)
            move(to: last)
        case .event(let number, let apnsID, let event):
            if text.utf8.count <= EventFrame.recordedBytes { sink.record(event, of: .push(apnsID: apnsID)) }
            move(to: number)
        case .unknownEvent(let number): move(to: number)
        case .follow, nil: return false
        }
        return true
    }

    private func move(to number: Int64) {
        let moved = cursor.withLock { cursor in
            cursor?.number = number
            return cursor
        }
        if let moved { save(moved) }
    }
}
