import Foundation

/// Runs an APNs of its own for the time of `body`, so that tests can run at the same time.
///
/// - Parameters:
///   - options: more options of `posthorn gateway`.
///   - body: the test.
/// - Returns: the result of `body`.
/// - Throws: ``PosthornError`` if the program does not start, and whatever `body` throws.
public func withAPNs<Result: Sendable>(
    options: [String] = [],
    _ body: @Sendable (APNs) async throws -> Result
) async throws -> Result {
    let program = try await Program { folder in
        [
            "gateway", "--json", "--until-eof", "--data", folder + "/data", "--hand-out", folder + "/out",
            "--tokens", "1", "--development-port", "0", "--production-port", "0", "--courier-port", "0",
            "--control-port", "0",
        ] + options
    }
    defer { program.stop() }
    let facts = try JSONDecoder().decode(APNs.Facts.self, from: program.facts)
    func read(_ name: String) throws -> String {
        try String(contentsOf: program.folder.appendingPathComponent("out/\(name)"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let keys = try SigningKeys(folder: program.folder.appendingPathComponent("out"), teamID: facts.teamID)
    let apns = APNs(facts, topic: try read("topic"), authorization: try read("authorization"), keys: keys)
    return try await body(apns)
}

/// An APNs for one test.
public struct APNs: Sendable {
    struct Facts: Decodable {
        var port, productionPort, developmentPort: Int?
        var ca, keyFile, keyID, teamID, control: String
        var topic: String?
    }

    /// The reason that APNs gives with a status, for tests that only name the status.
    private static let reasons = [
        400: "BadDeviceToken", 403: "ExpiredProviderToken", 404: "BadPath", 405: "MethodNotAllowed",
        410: "Unregistered",
        413: "PayloadTooLarge", 429: "TooManyRequests", 500: "InternalServerError", 503: "ServiceUnavailable",
    ]

    /// The name in the server's certificate.
    public let host = "localhost"
    /// The port for production.
    public let port: Int
    /// The port for development; nil in the sandbox, which has one environment.
    public let developmentPort: Int?
    /// The path of the authority that a client has to trust, in PEM.
    public let ca: String
    /// The path of the signing key, a p8 file as from Apple.
    public let keyFile: String
    public let keyID: String
    public let teamID: String
    /// The bundle id of the tokens.
    public let topic: String
    /// A signed `bearer` value, valid for an hour; nil in the sandbox.
    public let authorization: String?
    /// Keys of each kind; nil in the sandbox.
    public let keys: SigningKeys?
    /// The address of the control endpoint.
    public let controlURL: String

    let control: Endpoint

    init(_ facts: Facts, topic: String, authorization: String?, keys: SigningKeys? = nil) {
        port = facts.productionPort ?? facts.port ?? 0
        developmentPort = facts.developmentPort
        ca = facts.ca
        keyFile = facts.keyFile
        keyID = facts.keyID
        teamID = facts.teamID
        self.topic = topic
        self.authorization = authorization
        self.keys = keys
        controlURL = facts.control
        control = Endpoint(url: facts.control)
    }

    /// Issues a device token. It belongs to no device; pushes to it are judged and stored.
    public func token(environment: String = "production", topic: String? = nil) async throws -> String {
        let issued = try await control("POST", "tokens", ["topic": topic ?? self.topic, "environment": environment])
        guard let token = (issued["tokens"] as? [String])?.first else { throw PosthornError("No token in \(issued).") }
        return token
    }

    /// Lets the app be removed: pushes to the token get 410 `Unregistered` from now on.
    public func unregister(_ token: String, since: Date? = nil) async throws {
        try await invalidate(token, as: "unregistered", since: since)
    }

    /// Lets the token expire: pushes to it get 410 `ExpiredToken` from now on.
    public func expire(_ token: String, since: Date? = nil) async throws {
        try await invalidate(token, as: "expired", since: since)
    }

    private func invalidate(_ token: String, as state: String, since: Date?) async throws {
        var body: [String: Any] = ["state": state]
        if let since { body["since"] = Int(since.timeIntervalSince1970 * 1000) }
        try await control("PUT", "tokens/\(token)", body)
    }

    // MARK: - What has arrived

    /// Returns the pushes so far, refused ones too.
    public func pushes(_ conditions: PushConditions = PushConditions()) async throws -> [Push] {
        try await pushes(conditions.query)
    }

    /// Waits until so many pushes meet the conditions, and returns them.
    ///
    /// - Throws: ``PosthornError`` after `within` seconds; it says what has arrived instead.
    @discardableResult
    public func wait(
        _ conditions: PushConditions = PushConditions(),
        count: Int = 1,
        within: Double = 5
    ) async throws -> [Push] {
        let deadline = ContinuousClock.now + .seconds(within)
        while true {
            let rest = max(0, (deadline - .now) / .seconds(1))
            let query = conditions.query.merging(["count": "\(count)", "wait": "\(min(rest, 60))"]) { $1 }
            let found = try await pushes(query)
            if found.count >= count { return found }
            guard ContinuousClock.now < deadline else {
                let wanted = conditions.query.map { ", \($0) \($1)" }.sorted().joined()
                throw PosthornError(
                    "waited \(within) s for \(count) pushes\(wanted); found \(found.count).\n\(await story())"
                )
            }
        }
    }

    private func pushes(_ query: [String: String]) async throws -> [Push] {
        var components = URLComponents()
        components.queryItems = query.merging(["limit": "1000"]) { $1 }.map { URLQueryItem(name: $0, value: $1) }
        let listed = try await control("GET", "pushes?\(components.percentEncodedQuery ?? "")")
        return try (listed["pushes"] as? [[String: Any]] ?? []).map(Push.init)
    }

    /// Returns what became of a push after its answer: `waiting`, `delivered`, `expired` …
    public func state(of push: Push) async throws -> String {
        try await control("GET", "pushes/\(push.apnsID ?? "")")["state"] as? String ?? ""
    }

    /// Waits until a push is in this state.
    ///
    /// - Throws: ``PosthornError`` after `within` seconds; it says what has arrived instead.
    public func wait(for push: Push, toBe state: String, within: Double = 5) async throws {
        try await poll(within) { found in
            "waited \(within) s for push #\(push.number) to be \(state); it is \(found).\n\(await story())"
        } until: {
            let found = try await self.state(of: push)
            return (found, found == state)
        }
    }

    // MARK: - Faults

    /// Answers the next pushes with a status such as 410 and its usual reason, and does not accept them.
    ///
    /// `keys` are those of the control endpoint, such as `token`.
    @discardableResult
    public func failNext(_ status: Int, count: Int = 1, _ keys: [String: any Sendable] = [:]) async throws -> Int {
        guard let reason = Self.reasons[status] else {
            throw PosthornError(
                "Status \(status) has no usual reason; give one of Apple's reasons, or use fault(_:_:)."
            )
        }
        return try await failNext(with: reason, count: count, keys)
    }

    /// Answers the next pushes with one of Apple's reasons, such as `TooManyRequests`, and does not accept them.
    @discardableResult
    public func failNext(with reason: String, count: Int = 1, _ keys: [String: any Sendable] = [:]) async throws -> Int
    {
        try await fault("answer", keys.merging(["reason": reason, "next": count]) { $1 })
    }

    /// Processes each push, or the next `count`, so many seconds later.
    @discardableResult
    public func delay(_ seconds: Double, count: Int? = nil, _ keys: [String: any Sendable] = [:]) async throws -> Int {
        var keys = keys
        keys["seconds"] = seconds
        keys["next"] = count
        return try await fault("latency", keys)
    }

    /// Sends GOAWAY with the next push: `last` is "this" if it is still answered, "before" if not.
    @discardableResult
    public func goAway(count: Int = 1, last: String = "this", _ keys: [String: any Sendable] = [:]) async throws -> Int
    {
        try await fault("goAway", keys.merging(["reason": "Shutdown", "lastStreamID": last, "next": count]) { $1 })
    }

    /// Resets the stream of the next push, which is not accepted.
    @discardableResult
    public func reset(count: Int = 1, _ keys: [String: any Sendable] = [:]) async throws -> Int {
        try await fault("reset", keys.merging(["next": count]) { $1 })
    }

    /// Closes the connection at the next push, which is not accepted.
    @discardableResult
    public func close(count: Int = 1, _ keys: [String: any Sendable] = [:]) async throws -> Int {
        try await fault("close", keys.merging(["next": count]) { $1 })
    }

    /// Sets any fault of the control endpoint, and returns its number.
    @discardableResult
    public func fault(_ kind: String, _ keys: [String: any Sendable] = [:]) async throws -> Int {
        let fault = try await control("POST", "faults", keys.merging(["kind": kind]) { $1 })
        guard let id = fault["id"] as? Int else { throw PosthornError("No number in \(fault).") }
        return id
    }

    /// Returns how often a fault has occurred.
    public func times(_ fault: Int) async throws -> Int {
        let entries = try await control("GET", "log")["entries"] as? [[String: Any]] ?? []
        return entries.count { $0["fault"] as? Int == fault }
    }

    /// Ends all faults.
    public func endFaults() async throws { try await control("DELETE", "faults") }

    // MARK: - Time

    /// The APNs' time.
    public var now: Date {
        get async throws {
            let clock = try await control("GET", "clock")
            guard let seconds = clock["seconds"] as? Double else { throw PosthornError("No time in \(clock).") }
            return Date(timeIntervalSince1970: seconds)
        }
    }

    /// Advances the clock, in the sandbox those of service and devices too.
    public func turnClock(by seconds: Double) async throws { try await control("POST", "clock", ["turn": seconds]) }

    /// What has happened so far, for people.
    public func story() async -> String {
        do {
            let pushes = try await pushes()
            let faults = try await control("GET", "log")["entries"] as? [[String: Any]] ?? []
            let first = pushes.isEmpty ? "No push has arrived." : "Pushes:"
            let last =
                "Faults that have occurred: \(faults.compactMap { $0["kind"] as? String }.joined(separator: ", "))."
            return ([first] + pushes.map(\.description) + (faults.isEmpty ? [] : [last])).joined(separator: "\n")
        } catch { return "\(error)" }
    }
}

/// Asks again and again, at most so many seconds, until the second part of the answer is true.
func poll(
    _ seconds: Double,
    otherwise: (String) async -> String,
    until: () async throws -> (found: String, isEnd: Bool)
) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
        let (found, isEnd) = try await until()
        if isEnd { return }
        guard ContinuousClock.now < deadline else { throw PosthornError(await otherwise(found)) }
        try await Task.sleep(nanoseconds: 20_000_000)
    }
}
