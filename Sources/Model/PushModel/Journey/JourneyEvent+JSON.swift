import Foundation

// One flat object per event: {"at":"2026-01-01T08:00:00.000Z","by":"device","event":"callback","name":"…","state":"active"}.
// The same form is sent over the courier link, stored in the database and printed by `--json`.

extension JourneyEvent: JSONVersioned {
    package static var form: JSONForm<JourneyEvent> { JSONForm("an event", JourneyEvent.init(json:)) }

    /// The event as a JSON object, the form in which it is stored and sent.
    public var json: JSONValue {
        var object: JSONObject = ["at": .string(Self.text(date)), "by": .string(station.rawValue)]
        let (name, details) = kind.parts
        object["event"] = .string(name)
        for (key, value) in details { object[key] = value }
        return .object(object)
    }

    /// Nil if `json` is not an event known to this version.
    public init?(json: JSONValue) {
        guard let object = json.object,
            let date = object["at"]?.string.flatMap(Self.date),
            let station = object["by"]?.string.flatMap(Station.init(rawValue:)),
            let name = object["event"]?.string,
            let kind = Kind(name: name, details: object)
        else { return nil }
        self.init(date: date, station: station, kind: kind)
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Formats a date to the nearest millisecond.
    ///
    /// The style truncates, and half of all milliseconds are slightly smaller as a `Date`: a parsed date would be written as
    /// one millisecond less.
    fileprivate static func text(_ date: Date) -> String { date.addingTimeInterval(0.0005).formatted(style) }

    /// Reads a date of the years 1 to 9999. Others send it, and one beyond them has no milliseconds since 1970.
    fileprivate static func date(_ text: String) -> Date? {
        guard let date = try? Date(text, strategy: style), years.contains(date) else { return nil }
        return date
    }

    private static let years = Date.distantPast..<Date(timeIntervalSince1970: 253_402_300_800)
}

extension JourneyEvent.Kind: CustomStringConvertible {
    /// The name of the event, without its details.
    public var name: String { parts.name }

    /// The members beside time, reporter and name.
    package var details: [(key: String, value: JSONValue)] { parts.details }

    fileprivate var parts: (name: String, details: [(key: String, value: JSONValue)]) {
        switch self {
        case .accepted: ("accepted", [])
        case .targeted: ("targeted", [])
        case .sent: ("sent", [])
        case .refused(let reason): ("refused", [("reason", .string(reason.rawValue))])
        case .retried(let reason): ("retried", [("reason", .string(reason))])
        case .paused(let reason): ("paused", [("reason", .string(reason.rawValue))])
        case .withdrawn: ("withdrawn", [])
        case .quietHours(let until, let isHeld):
            (
                "suppressed",
                [
                    ("reason", .string(Self.quietHoursReason)), ("until", .string(JourneyEvent.text(until))),
                    ("held", .bool(isHeld)),
                ]
            )
        case .stored: ("stored", [])
        case .coalesced: ("coalesced", [])
        case .expired: ("expired", [])
        case .delivered: ("delivered", [])
        case .woken(let state): ("woken", [("state", .string(state.rawValue))])
        case .callback(let name, let state):
            ("callback", [("name", .string(name)), ("state", .string(state.rawValue))])
        case .finished(let outcome): ("finished", [("outcome", .string(outcome.rawValue))])
        case .serviceExtension(let outcome): ("serviceExtension", [("outcome", .string(outcome.rawValue))])
        case .crashed(let reason): ("crashed", [("reason", .string(reason))])
        case .suppressed(let reason): ("suppressed", [("reason", .string(reason.rawValue))])
        case .notDecoded(let reason): ("notDecoded", [("reason", .string(reason))])
        case .presented(let how): ("presented", [("how", .string(how.rawValue))])
        case .opened: ("opened", [])
        case .acted(let action): ("acted", [("action", .string(action))])
        case .replied(let length): ("replied", [("characters", .number(length))])
        case .dismissed: ("dismissed", [])
        case .takenBack(let wasShown): ("takenBack", [("shown", .bool(wasShown))])
        case .scheduled: ("scheduled", [])
        case .replaced(let other): ("replaced", [("by-request", .string(other))])
        case .evicted(let limit): ("evicted", [("limit", .number(limit))])
        case .fired: ("fired", [])
        }
    }

    /// The reason among the details, if it has one.
    package var reason: String? { details.first { $0.key == "reason" }?.value.string }

    /// The name and the details, such as `suppressed reason=foreground`.
    public var description: String {
        ([parts.name] + parts.details.map { "\($0)=\($1.string ?? $1.text)" }).joined(separator: " ")
    }

    private static let quietHoursReason = "quietHours"

    private init?(quietHours details: JSONObject) {
        guard let text = details["until"]?.string, let until = JourneyEvent.date(text) else { return nil }
        self = .quietHours(until: until, isHeld: details["held"]?.bool ?? false)
    }

    fileprivate init?(name: String, details: JSONObject) {
        func word<Word: RawRepresentable<String>>(_ key: String, as type: Word.Type = Word.self) -> Word? {
            details[key]?.string.flatMap(Word.init(rawValue:))
        }
        let kind: Self? =
            switch name {
            case "accepted": .accepted
            case "targeted": .targeted
            case "sent": .sent
            case "refused": word("reason").map(Self.refused)
            case "retried": details["reason"]?.string.map(Self.retried)
            case "paused": word("reason").map(Self.paused)
            case "withdrawn": .withdrawn
            case "stored": .stored
            case "coalesced": .coalesced
            case "expired": .expired
            case "delivered": .delivered
            case "woken": word("state").map(Self.woken)
            case "callback":
                details["name"]?.string.flatMap { name in word("state").map { .callback(name: name, state: $0) } }
            case "finished": word("outcome").map(Self.finished)
            case "serviceExtension": word("outcome").map(Self.serviceExtension)
            case "notDecoded": details["reason"]?.string.map(Self.notDecoded)
            case "crashed": details["reason"]?.string.map(Self.crashed)
            case "suppressed" where details["reason"]?.string == Self.quietHoursReason: Self(quietHours: details)
            case "suppressed": word("reason").map(Self.suppressed)
            case "presented": word("how").map(Self.presented)
            case "opened": .opened
            case "acted": details["action"]?.string.map(Self.acted)
            case "replied": details["characters"]?.integer.map { .replied(Int($0)) }
            case "dismissed": .dismissed
            case "takenBack": details["shown"]?.bool.map(Self.takenBack)
            case "scheduled": .scheduled
            case "replaced": details["by-request"]?.string.map { .replaced(by: $0) }
            case "evicted": details["limit"]?.integer.map { .evicted(limit: Int($0)) }
            case "fired": .fired
            default: nil
            }
        guard let kind else { return nil }
        self = kind
    }
}
