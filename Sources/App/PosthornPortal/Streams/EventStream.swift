import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PushClock
import PushModel
import ServiceLifecycle
import Synchronization

/// A stream of Server-Sent Events (WHATWG HTML, section 9.2).
struct EventStream {
    /// An event of the stream.
    struct Event: Sendable {
        /// The type that a script listens for.
        var name: String
        /// The id that the browser sends as `Last-Event-ID` when it connects again; nil to keep the previous one.
        var id: String?
        var data: JSONValue

        var text: String {
            let id = id.map { "id: \($0)\n" } ?? ""
            // JSON text has no line breaks.
            return "\(id)event: \(name)\ndata: \(data.text)\n\n"
        }
    }

    /// The time after which the server ends a stream, within its time limit for responses. The browser connects again at once.
    static let longest = Duration.seconds(60)
    /// The greatest time between two lines, so that a lost connection is noticed.
    static let pulse = Duration.seconds(15)
    /// The number of events that wait for a slow reader. One that falls further behind is cut off; it connects again with the id
    /// of its last event.
    static let waiting = 1000

    /// Returns a response that sends events until `body` returns, the client leaves or the server shuts down.
    ///
    /// - Parameters:
    ///   - channel: the connection of the client; nil for one that is no network connection.
    ///   - place: the stream's place among those of its session, which it gives back at its end.
    ///   - body: sends events with the closure that it gets.
    /// - Returns: the response.
    static func response(
        on channel: (any Channel)? = nil,
        at place: StreamPlaces.Place? = nil,
        _ body: @escaping @Sendable (_ send: @Sendable (Event) async throws -> Void) async throws -> Void
    ) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                let (parts, continuation) = AsyncStream.makeStream(
                    of: String.self,
                    bufferingPolicy: .bufferingOldest(waiting)
                )
                defer { withExtendedLifetime(place) {} }
                let departure = Departure { continuation.finish() }
                try await channel?.pipeline.addHandler(departure, position: .first).get()
                try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        // A failure of the body ends the stream; the browser asks again and gets the error.
                        try? await body { event in
                            if case .dropped = continuation.yield(event.text) { continuation.finish() }
                        }
                        continuation.finish()
                    }
                    group.addTask { await keepAlive(continuation) }
                    group.addTask {
                        // When cancelled, the stream has ended already.
                        try? await gracefulShutdown()
                        continuation.finish()
                    }
                    for await part in parts {
                        // A client that has left ends the stream.
                        guard (try? await writer.write(ByteBuffer(string: part))) != nil else { break }
                    }
                    group.cancelAll()
                }
                // Fails if the connection has ended.
                try? await channel?.pipeline.removeHandler(departure).get()
                try await writer.finish(nil)
            }
        )
    }

    /// Sends comments, and ends the stream in time.
    private static func keepAlive(_ stream: AsyncStream<String>.Continuation) async {
        var left = longest
        while left > .zero, (try? await Task.sleep(for: pulse)) != nil {
            stream.yield(": \n\n")
            left -= pulse
        }
        stream.finish()
    }
}

/// Notices that a client has closed its connection, before the next line that cannot be written would tell.
private final class Departure: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = NIOAny

    private let left: @Sendable () -> Void

    init(_ left: @escaping @Sendable () -> Void) { self.left = left }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { left() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        left()
        context.fireChannelInactive()
    }
}

/// The streams of events that are open, a few for each session and each user.
final class StreamPlaces: Sendable {
    /// The number of streams of one session. A browser has no more than six with one server over HTTP/1.1.
    static let ofSession = 8
    /// The number of streams of one user, over all sessions.
    static let ofUser = 32

    private struct Owner: Hashable {
        var session: String?
        var user: String
    }

    private let open = Mutex<[Owner: Int]>([:])

    /// A place, which is free again when nothing refers to it any more: also if its response is never written.
    final class Place: Sendable {
        private let free: @Sendable () -> Void
        fileprivate init(_ free: @escaping @Sendable () -> Void) { self.free = free }
        deinit { free() }
    }

    /// Takes a place for a stream.
    ///
    /// - Parameter session: the session of the request.
    /// - Returns: the place.
    /// - Throws: 429 if the session or its user has no place left.
    func take(_ session: Session) throws -> Place {
        let limits = [
            (owner: Owner(session: session.id, user: session.user), most: Self.ofSession),
            (owner: Owner(session: nil, user: session.user), most: Self.ofUser),
        ]
        let isTaken = open.withLock { open in
            guard limits.allSatisfy({ open[$0.owner, default: 0] < $0.most }) else { return false }
            for (owner, _) in limits { open[owner, default: 0] += 1 }
            return true
        }
        guard isTaken else { throw PortalProblem(.tooManyRequests, "too_many_streams", retryAfter: 30) }
        return Place { [self] in
            open.withLock { open in
                for (owner, _) in limits { open[owner] = open[owner].flatMap { $0 > 1 ? $0 - 1 : nil } }
            }
        }
    }
}
