import Foundation
import PushClock
import PushModel
import Synchronization
import SystemPort

/// A host with a launched app, and the questions of the clauses.
final class Stage: Sendable {
    /// The real time that an engine has for each answer.
    static let limit = Duration.seconds(10)

    let host: any SystemPortHost
    private let process = Mutex<(port: any SystemPort, endpoint: RecordingEndpoint)?>(nil)

    init(_ host: any SystemPortHost) { self.host = host }

    func launch() async throws {
        let endpoint = RecordingEndpoint()
        let port = try await host.launch { _ in endpoint }
        process.withLock { $0 = (port, endpoint) }
    }

    /// The port of the process that was launched last.
    var port: any SystemPort {
        get throws {
            guard let port = process.withLock({ $0?.port }) else {
                throw ConformanceFailure("No process was launched.")
            }
            return port
        }
    }

    /// The app's end of that process.
    var endpoint: RecordingEndpoint {
        get throws {
            guard let endpoint = process.withLock({ $0?.endpoint }) else {
                throw ConformanceFailure("No process was launched.")
            }
            return endpoint
        }
    }

    /// Sends a call and waits for its reply.
    @discardableResult
    func call(_ call: SystemCall) async throws -> SystemReply {
        let answer = Announcement<SystemReply>()
        try port.call(call) { answer.make(.success($0)) }
        return try await soon("a reply to \(call)") { try await answer.value }
    }

    /// Sends a call, which must be carried out.
    func change(_ call: SystemCall) async throws {
        try expect(await self.call(call), .done, as: "the reply to \(call)")
    }

    /// Adds a request without a trigger, and lets its notification be delivered: in the foreground a system asks the app first.
    func deliver(_ request: RequestRecord) async throws {
        try await change(.add(request))
        if host.abilities.contains(.time) { try await host.advance(by: .seconds(1)) }
    }

    func read(_ call: SystemCall) throws -> SystemReply { try port.read(call) }

    /// The failure of a read that was answered with another kind.
    func unexpected(_ call: SystemCall, _ expected: String) -> ConformanceFailure {
        let found = (try? read(call)).map { "\($0)" } ?? "nothing"
        return ConformanceFailure("'\(call)' was read as \(found); expected \(expected).")
    }

    func notifications() throws -> [NotificationRecord] {
        guard case .notifications(let list) = try read(.deliveredNotifications) else {
            throw unexpected(.deliveredNotifications, "a list")
        }
        return list
    }

    func requests() throws -> [RequestRecord] {
        guard case .requests(let list) = try read(.pendingRequests) else {
            throw unexpected(.pendingRequests, "a list")
        }
        return list
    }

    func settings() throws -> SettingsRecord {
        guard case .settings(let settings) = try read(.notificationSettings) else {
            throw unexpected(.notificationSettings, "settings")
        }
        return settings
    }

    /// Asks for alerts, sounds and badges, and returns the user's answer.
    @discardableResult
    func ask() async throws -> Bool {
        let options = SettingsRecord.alert | SettingsRecord.sound | SettingsRecord.badge
        let reply = try await call(.requestAuthorization(options: options))
        guard case .authorization(let granted) = reply else {
            throw ConformanceFailure("A request for permission was answered with \(reply); expected 'authorization'.")
        }
        return granted
    }

    /// Asks for permission, which is given.
    func permit() async throws {
        if host.abilities.contains(.permission) { try await host.setPermission(true) }
        try expect(await ask(), true, as: "the answer to a request for permission")
    }

    /// Runs `body` within ``limit``.
    func soon<Value: Sendable>(
        _ what: String,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let value = try await withTimeout(Self.limit, body) else {
            throw ConformanceFailure("Waited \(Self.limit) for \(what), which did not come.")
        }
        return value
    }

    func expect<Value: Equatable>(_ found: Value, _ expected: Value, as what: String) throws {
        guard found == expected else { throw ConformanceFailure("Found \(found) as \(what); expected \(expected).") }
    }

    /// A request whose texts tell it from others.
    static func request(
        _ identifier: String,
        title: String? = nil,
        after seconds: Double? = nil,
        repeats: Bool = false
    ) -> RequestRecord {
        var content = ContentRecord()
        content.title = title ?? "Title of \(identifier)"
        content.body = "Body of \(identifier), \"quoted\" – 中"
        content.threadIdentifier = "thread"
        return RequestRecord(
            identifier: identifier,
            content: content,
            trigger: seconds.map { .timeInterval($0, repeats: repeats) }
        )
    }
}

/// An app that answers every event and keeps what it has received.
final class RecordingEndpoint: AppEndpoint {
    private struct State {
        var events: [SystemEvent] = []
        var waiting: [(fits: @Sendable (SystemEvent.Kind) -> Bool, found: Announcement<SystemEvent.Kind>)] = []
    }

    /// `UNNotificationPresentationOptions`: `.alert`, `.list` and `.banner`.
    private static let bannerAndList: UInt = 4 | 8 | 16

    private let state = Mutex(State())

    var events: [SystemEvent] { state.withLock(\.events) }

    func deliver(_ event: SystemEvent, reply: @escaping @Sendable (EventReply) -> Void) {
        let found = state.withLock { state in
            state.events.append(event)
            return state.waiting.filter { $0.fits(event.kind) }.map(\.found)
        }
        for announcement in found { announcement.make(.success(event.kind)) }
        if case .willPresent = event.kind { reply(.presentation(options: Self.bannerAndList)) }
        if case .didReceive = event.kind { reply(.responded) }
        reply(.returned)
    }

    func terminate() {}

    /// Returns the first event that fits, of those received and those to come.
    func event(where fits: @escaping @Sendable (SystemEvent.Kind) -> Bool) async throws -> SystemEvent.Kind {
        let found = Announcement<SystemEvent.Kind>()
        let old = state.withLock { state -> SystemEvent.Kind? in
            if let event = state.events.first(where: { fits($0.kind) }) { return event.kind }
            state.waiting.append((fits, found))
            return nil
        }
        if let old { return old }
        return try await found.value
    }
}

/// How often each of several things has happened.
final class Counts: Sendable {
    private let counts: Mutex<[Int]>
    private let firsts: [Announcement<Void>]

    init(_ things: Int) {
        counts = Mutex(Array(repeating: 0, count: things))
        firsts = (0..<things).map { _ in Announcement() }
    }

    subscript(thing: Int) -> Int { counts.withLock { $0[thing] } }

    func add(_ thing: Int) {
        counts.withLock { $0[thing] += 1 }
        firsts[thing].make(.success(()))
    }

    /// Returns when the thing has happened for the first time.
    func first(_ thing: Int) async throws { try await firsts[thing].value }
}
