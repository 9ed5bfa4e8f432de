package import Foundation
package import PushDevice
package import SystemPort

/// An order to a running device, as on the command line: an action of the user or a change in its surroundings.
package enum DeviceOrder: Hashable, Sendable {
    /// Taps the notification with this id, or the newest one.
    case tap(String?)
    /// Expands the notification, which shows its buttons.
    case longPress(String?)
    /// Presses the button with this identifier.
    case action(String, on: String?)
    /// Sends text with the first button that asks for it.
    case reply(String, to: String?)
    case dismiss(String?)
    case clear
    case open
    case background
    case kill
    case lock
    case unlock
    case reboot
    /// Answers the prompt on the screen; without one, turns the app's notifications on or off.
    case allow
    case deny
    case location(latitude: Double, longitude: Double)
    /// Sets the app's access to the device's location.
    case locationAccess(LocationAuthorization)
    /// Presses the media button of the expanded notification.
    case playPause
    /// Sets the times of the scheduled summary; an empty array removes them.
    case summary([TimeOfDay])
    /// Adds the app's notifications to the scheduled summary, or removes them.
    case summarize(Bool)
    case language(String)
    /// Opens a URL.
    case openURL(URL)
    case timeZone(String)
    case addLocal(LocalNotification)
    case listLocal
    case removeLocal(String)
    case turnClock(Duration)
    case turnClockToNext
    case network(Bool)
    /// Returns the content of the screen as JSON.
    case screen

    /// A local notification, as the command line describes it.
    package struct LocalNotification: Hashable, Sendable {
        package var identifier: String
        /// The trigger: date components such as `weekday=2 hour=8`, or `interval=60`; empty for immediately.
        package var trigger: String
        package var repeats: Bool
        package var title: String
        package var body: String

        package init(identifier: String, trigger: String, repeats: Bool, title: String, body: String) {
            self.identifier = identifier
            self.trigger = trigger
            self.repeats = repeats
            self.title = title
            self.body = body
        }
    }

    /// Reads the words after `posthorn device`.
    ///
    /// - Throws: ``DeviceOrderProblem`` with the word found and the words expected.
    package init(_ words: [String]) throws(DeviceOrderProblem) {
        let rest = Array(words.dropFirst())
        func none(_ order: DeviceOrder) throws(DeviceOrderProblem) -> DeviceOrder {
            guard rest.isEmpty else { throw DeviceOrderProblem("'\(words[0])' takes no argument; found '\(rest[0])'.") }
            return order
        }
        switch words.first {
        case "tap": self = .tap(rest.first)
        case "long-press": self = .longPress(rest.first)
        case "action", "reply":
            guard let text = rest.first else { throw DeviceOrderProblem("'\(words[0])' needs an argument.") }
            let id = rest.dropFirst().first
            self = words[0] == "action" ? .action(text, on: id) : .reply(text, to: id)
        case "dismiss": self = .dismiss(rest.first)
        case "clear": self = try none(.clear)
        case "lock": self = try none(.lock)
        case "unlock": self = try none(.unlock)
        case "reboot": self = try none(.reboot)
        case "location": self = try Self.place(rest.first ?? "")
        case "location-access": self = try Self.access(rest.first ?? "")
        case "play-pause": self = try none(.playPause)
        case "summary" where rest == ["on"] || rest == ["off"]: self = .summarize(rest == ["on"])
        case "summary": self = .summary(try Self.times(rest))
        case "language": self = try Self.languageTag(rest.first ?? "")
        case "open-url": self = try Self.link(rest.first ?? "")
        case "time-zone": self = try Self.zone(rest.first ?? "")
        case "local": self = try Self.local(rest)
        case "open": self = try none(.open)
        case "background": self = try none(.background)
        case "kill": self = try none(.kill)
        case "allow": self = try none(.allow)
        case "deny": self = try none(.deny)
        case "screen": self = try none(.screen)
        case "clock" where rest == ["next"]: self = .turnClockToNext
        case "clock": self = .turnClock(try Self.duration(rest.first ?? ""))
        case "network": self = .network(try Self.onOff(rest.first ?? ""))
        case .some(let word): throw DeviceOrderProblem("'\(word)' is not a device order.")
        case nil: throw DeviceOrderProblem("Say what to do.")
        }
    }

    /// Reads a duration: `+90s`, `+5m`, `+1h` or `+2d`.
    private static func duration(_ text: String) throws(DeviceOrderProblem) -> Duration {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let digits = text.hasPrefix("+") ? text.dropFirst() : Substring(text)
        guard let unit = digits.last.flatMap({ units[$0] }), let number = Int64(digits.dropLast()), number >= 0,
            case let (seconds, overflow) = number.multipliedReportingOverflow(by: unit), !overflow
        else {
            throw DeviceOrderProblem("'clock' takes 'next' or a time such as +90s, +5m, +1h or +2d; found '\(text)'.")
        }
        return .seconds(seconds)
    }

    private static func place(_ text: String) throws(DeviceOrderProblem) -> DeviceOrder {
        let numbers = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1], abs(latitude) <= 90,
            abs(longitude) <= 180
        else {
            throw DeviceOrderProblem(
                "'location' takes LATITUDE,LONGITUDE in degrees, such as 52.52,13.40; found '\(text)'."
            )
        }
        return .location(latitude: latitude, longitude: longitude)
    }

    private static let accesses: [(word: String, value: LocationAuthorization)] = [
        ("never", .denied), ("ask", .notDetermined), ("while-using", .whenInUse), ("always", .always),
    ]

    private static func access(_ text: String) throws(DeviceOrderProblem) -> DeviceOrder {
        guard let access = accesses.first(where: { $0.word == text }) else {
            let words = accesses.map { "'\($0.word)'" }.joined(separator: ", ")
            throw DeviceOrderProblem("'location-access' takes one of \(words); found '\(text)'.")
        }
        return .locationAccess(access.value)
    }

    private static func times(_ words: [String]) throws(DeviceOrderProblem) -> [TimeOfDay] {
        var times: [TimeOfDay] = []
        for word in words {
            let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
                (0...59).contains(minute)
            else {
                throw DeviceOrderProblem("'summary' takes 'on', 'off' or times such as 8:00 18:30; found '\(word)'.")
            }
            times.append(TimeOfDay(hour: hour, minute: minute))
        }
        return times
    }

    private static func languageTag(_ text: String) throws(DeviceOrderProblem) -> DeviceOrder {
        guard !text.isEmpty, text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
            throw DeviceOrderProblem("'language' takes a tag such as de or zh-Hans; found '\(text)'.")
        }
        return .language(text)
    }

    private static func link(_ text: String) throws(DeviceOrderProblem) -> DeviceOrder {
        guard let url = URL(string: text), url.scheme != nil else {
            throw DeviceOrderProblem("'open-url' takes a URL with its scheme, such as myapp://news/1; found '\(text)'.")
        }
        return .openURL(url)
    }

    private static func zone(_ text: String) throws(DeviceOrderProblem) -> DeviceOrder {
        guard TimeZone(identifier: text) != nil else {
            throw DeviceOrderProblem(
                "'time-zone' takes a zone of the IANA database, such as Europe/Berlin; found '\(text)'."
            )
        }
        return .timeZone(text)
    }

    private static func local(_ words: [String]) throws(DeviceOrderProblem) -> DeviceOrder {
        switch (words.first, words.count) {
        case ("add", 6):
            return .addLocal(
                LocalNotification(
                    identifier: words[1],
                    trigger: words[2],
                    repeats: words[3] == "repeats",
                    title: words[4],
                    body: words[5]
                )
            )
        case ("list", 1): return .listLocal
        case ("remove", 2): return .removeLocal(words[1])
        default: throw DeviceOrderProblem("'local' takes 'add', 'list' or 'remove ID'.")
        }
    }

    private static func onOff(_ text: String) throws(DeviceOrderProblem) -> Bool {
        switch text {
        case "on": return true
        case "off": return false
        default: throw DeviceOrderProblem("Expected 'on' or 'off'; found '\(text)'.")
        }
    }

    /// The words that ``init(_:)`` reads.
    package var words: [String] {
        switch self {
        case .tap(let id): ["tap"] + (id.map { [$0] } ?? [])
        case .longPress(let id): ["long-press"] + (id.map { [$0] } ?? [])
        case .action(let action, let id): ["action", action] + (id.map { [$0] } ?? [])
        case .reply(let text, let id): ["reply", text] + (id.map { [$0] } ?? [])
        case .dismiss(let id): ["dismiss"] + (id.map { [$0] } ?? [])
        case .clear: ["clear"]
        case .lock: ["lock"]
        case .unlock: ["unlock"]
        case .reboot: ["reboot"]
        case .location(let latitude, let longitude): ["location", "\(latitude),\(longitude)"]
        case .locationAccess(let access):
            ["location-access", Self.accesses.first { $0.value == access }?.word ?? "never"]
        case .playPause: ["play-pause"]
        case .summary(let times):
            ["summary"] + times.map { "\($0.hour):\($0.minute < 10 ? "0" : "")\($0.minute)" }
        case .summarize(let isOn): ["summary", isOn ? "on" : "off"]
        case .language(let language): ["language", language]
        case .openURL(let url): ["open-url", url.absoluteString]
        case .timeZone(let zone): ["time-zone", zone]
        case .addLocal(let local):
            [
                "local", "add", local.identifier, local.trigger, local.repeats ? "repeats" : "once", local.title,
                local.body,
            ]
        case .listLocal: ["local", "list"]
        case .removeLocal(let identifier): ["local", "remove", identifier]
        case .open: ["open"]
        case .background: ["background"]
        case .kill: ["kill"]
        case .allow: ["allow"]
        case .deny: ["deny"]
        case .turnClock(let duration): ["clock", "+\(duration.components.seconds)s"]
        case .turnClockToNext: ["clock", "next"]
        case .network(let isOn): ["network", isOn ? "on" : "off"]
        case .screen: ["screen"]
        }
    }
}

/// An order that is invalid or cannot be carried out now.
package struct DeviceOrderProblem: Error, Equatable, CustomStringConvertible {
    package var description: String
    init(_ description: String) { self.description = description }
}
