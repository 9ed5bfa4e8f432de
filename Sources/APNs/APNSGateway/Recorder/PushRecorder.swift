import APNSTransport
import Foundation
import PushClock
import PushModel
import ServiceLifecycle
import Synchronization

/// Keeps the latest pushes of providers with their answers, for tests and people who want to see what arrived.
///
/// A gateway has one only if somebody can read it. To record a push costs one copy of its octets, into memory that is used
/// again; it is decoded when somebody reads it.
final class PushRecorder: Sendable {
    /// The largest number of pushes that are kept.
    static let limit = 1000
    /// The largest number of octets, headers and payloads together, that are kept: 4 MiB. Pushes of usual size reach ``limit``
    /// first.
    static let octetLimit = 4 << 20
    /// The largest number of octets of a push whose memory is used again, so that a few large ones do not leave theirs behind.
    private static let reusedOctets = 4096

    /// A push as it came. The octets of the answer's fields are in the answer, or in the request.
    fileprivate struct Entry {
        var number = 0
        var date = Date()
        var environment = APNSEnvironment.development
        var connection = 0
        var request = HTTP2MessageCopy()
        var answer: HTTP2Answer?
    }

    private struct State {
        /// The memory of the pushes, which is used again: ``PushRecorder/limit`` places, allocated at the first push.
        private var places: [Entry] = []
        /// The octets of each place's request. Kept here, so that the memory of an old push is not read before it is used again.
        private var sizes: [Int32] = []
        /// The place of the oldest push. The others follow, and go on at place 0.
        private var oldest = 0
        private var count = 0
        private var octets = 0
        private var last = 0
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastListener = 0

        /// The pushes with a higher number, oldest first.
        func entries(after number: Int) -> [Entry] {
            let new = min(count, max(0, last - number))
            return (count - new..<count).map { places[(oldest + $0) % places.count] }
        }

        /// Adds a push, whose answer is written by `answer`.
        @inline(__always)
        mutating func record(
            _ request: HTTP2Message,
            at date: Date,
            environment: APNSEnvironment,
            connection: Int,
            answer: (inout HTTP2Answer?) -> Void
        ) {
            if places.isEmpty {
                places = Array(repeating: Entry(), count: PushRecorder.limit)
                sizes = Array(repeating: 0, count: PushRecorder.limit)
            }
            if count == places.count { dropOldest() }
            let place = (oldest + count) % places.count
            if sizes[place] > PushRecorder.reusedOctets { places[place] = Entry() }
            last += 1
            places[place].number = last
            places[place].date = date
            places[place].environment = environment
            places[place].connection = connection
            let size = places[place].request.replace(with: request)
            answer(&places[place].answer)
            sizes[place] = Int32(truncatingIfNeeded: size)
            octets += size
            count += 1
            while octets > PushRecorder.octetLimit, count > 1 {
                let place = oldest
                dropOldest()
                places[place] = Entry()
                sizes[place] = 0
            }
        }

        /// Forgets the oldest push, and keeps its memory.
        private mutating func dropOldest() {
            octets -= Int(sizes[oldest])
            oldest = (oldest + 1) % places.count
            count -= 1
        }
    }

    private let state = Mutex(State())

    /// Records a request. `answer` writes its answer in place, which saves a copy; nil if it is not answered.
    @inline(__always)
    func record(
        _ request: HTTP2Message,
        at date: Date,
        environment: APNSEnvironment,
        connection: Int,
        answer: (inout HTTP2Answer?) -> Void
    ) {
        let listeners = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            state.record(request, at: date, environment: environment, connection: connection, answer: answer)
            return state.listeners.isEmpty ? [] : Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    /// Returns the latest matching pushes, oldest first.
    func pushes(_ query: PushQuery, limit: Int = PushRecorder.limit) -> [RecordedPush] {
        var found: [RecordedPush] = []
        for entry in entries(after: query.after).reversed() where found.count < limit {
            let push = RecordedPush(entry)
            if query.matches(push) { found.append(push) }
        }
        return found.reversed()
    }

    /// The kept pushes with a higher number. They are decoded outside the lock, so that no provider waits for it.
    private func entries(after number: Int) -> [Entry] { state.withLock { $0.entries(after: number) } }

    /// Returns the latest matching pushes as soon as there are `count`; those that there are when the time is over.
    ///
    /// The time is real, also in a gateway on virtual time: it is the caller who waits.
    ///
    /// - Throws: `CancellationError`.
    func pushes(
        _ query: PushQuery,
        limit: Int = PushRecorder.limit,
        count: Int,
        within time: Duration
    ) async throws -> [RecordedPush] {
        let (changes, listener) = listen()
        defer { stopListening(listener) }
        do {
            // A gateway that shuts down does not wait for those who wait.
            _ = try await cancelWhenGracefulShutdown {
                try await withTimeout(time) { await self.count(of: query, reaches: count, after: changes) }
            }
        } catch is CancellationError where !Task.isCancelled {
            // Shut down: those that there are.
        }
        return pushes(query, limit: limit)
    }

    /// Returns when that many pushes have matched, each of which is looked at once.
    private func count(of query: PushQuery, reaches wanted: Int, after changes: AsyncStream<Void>) async {
        var query = query
        var found = 0
        var iterator = changes.makeAsyncIterator()
        while true {
            let fresh = entries(after: query.after)
            found += fresh.count { query.matches(RecordedPush($0)) }
            query.after = fresh.last?.number ?? query.after
            guard found < wanted, await iterator.next() != nil else { return }
        }
    }

    private func listen() -> (AsyncStream<Void>, Int) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return state.lastListener
        }
        return (stream, number)
    }

    private func stopListening(_ number: Int) { state.withLock { $0.listeners.removeValue(forKey: number) }?.finish() }
}

extension RecordedPush {
    /// Decodes what was kept.
    fileprivate init(_ entry: PushRecorder.Entry) {
        let message = entry.request.message
        let request = APNSRequest(message)
        self.init(
            number: entry.number,
            date: entry.date,
            environment: entry.environment,
            connection: entry.connection,
            path: request.path,
            headers: request.headers.filter { $0.name != "authorization" },
            payload: request.body
        )
        guard let answer = entry.answer else { return }
        let told = APNSAnswer(answer, to: message)
        status = told.status
        apnsID = (told.header("apns-request-id") ?? told.header("apns-id"))?.lowercased()
        reason = ((try? JSONValue(parsing: told.body))?.object?["reason"]?.string).map { APNSReason(rawValue: $0) }
    }
}

/// The conditions of a search for recorded pushes; nil for any value.
struct PushQuery: Sendable {
    var token: String?
    var topic: String?
    var collapseID: String?
    var apnsID: String?
    var environment: APNSEnvironment?
    var status: Int?
    var reason: APNSReason?
    /// A part of the payload, in the provider's spelling, or of a string in it.
    var text: String?
    /// Only the push with this number.
    var number: Int?
    /// Only pushes with a higher number.
    var after = 0

    func matches(_ push: RecordedPush) -> Bool {
        func fits<Value: Equatable>(_ wanted: Value?, _ found: Value?) -> Bool { wanted == nil || wanted == found }
        return push.number > after && fits(number, push.number) && fits(token?.lowercased(), push.token)
            && fits(topic, push.header("apns-topic"))
            && fits(collapseID.map(ExactText.init), push.header("apns-collapse-id").map(ExactText.init))
            && fits(apnsID?.lowercased(), push.apnsID) && fits(environment, push.environment)
            && fits(status, push.status) && fits(reason, push.reason)
            && (text.map { Self.contains($0, push) } ?? true)
    }

    /// Whether the text occurs in the payload as it was sent, or in one of its strings, which may be sent with escapes.
    private static func contains(_ text: String, _ push: RecordedPush) -> Bool {
        if push.text.contains(text) { return true }
        return (try? JSONValue(parsing: push.payload)).map { contains(text, $0) } ?? false
    }

    private static func contains(_ text: String, _ value: JSONValue) -> Bool {
        switch value {
        case .string(let string): string.contains(text)
        case .array(let values): values.contains { contains(text, $0) }
        case .object(let object): object.members.contains { $0.key.contains(text) || contains(text, $0.value) }
        default: false
        }
    }
}
