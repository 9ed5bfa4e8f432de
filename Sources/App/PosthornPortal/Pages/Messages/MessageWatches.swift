import Foundation
import PushModel
import PushService
import Synchronization

/// The states of pushes that pages follow. Each push is read once a second, however many streams follow it.
final class MessageWatches: Sendable {
    /// The state of a push, and the part that the streams send.
    struct Reading: Sendable {
        var isWaiting: Bool
        var live: JSONValue
    }

    private struct Watch {
        var streams = 0
        var readAt: Date?
        var isReading = false
        var last: Reading?
    }

    /// The time between two readings of a push, in seconds.
    static let interval: TimeInterval = 1

    private let watches = Mutex<[MessageID: Watch]>([:])

    /// Follows a push while `body` runs.
    ///
    /// - Parameters:
    ///   - message: the push.
    ///   - body: the stream.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`.
    func follow<Result>(_ message: MessageID, _ body: () async throws -> Result) async rethrows -> Result {
        watches.withLock { $0[message, default: Watch()].streams += 1 }
        defer {
            watches.withLock { watches in
                watches[message]?.streams -= 1
                if watches[message]?.streams == 0 { watches[message] = nil }
            }
        }
        return try await body()
    }

    /// Returns the state of a push that is followed: the last one, if another stream has read it within a second or is reading it.
    ///
    /// - Parameters:
    ///   - message: the push.
    ///   - now: the time.
    ///   - read: reads the state.
    /// - Returns: the state; nil if the first one is being read.
    /// - Throws: the error of `read`.
    func state(of message: MessageID, at now: Date, _ read: () async throws -> Reading) async throws -> Reading? {
        let known = watches.withLock { watches -> (last: Reading?, isCurrent: Bool) in
            guard var watch = watches[message] else { return (nil, false) }
            let isCurrent = watch.readAt.map { !$0.isOver(after: Self.interval, at: now) } ?? false
            guard !watch.isReading, !isCurrent else { return (watch.last, true) }
            watch.isReading = true
            watches[message] = watch
            return (nil, false)
        }
        if known.isCurrent { return known.last }
        let reading: Reading
        do { reading = try await read() } catch {
            watches.withLock { $0[message]?.isReading = false }
            throw error
        }
        watches.withLock { watches in
            watches[message]?.isReading = false
            watches[message]?.readAt = now
            watches[message]?.last = reading
        }
        return reading
    }
}
