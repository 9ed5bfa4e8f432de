import Foundation

/// Something that a person, or the world, does to a running device, in the words of the command line.
package enum DeviceOrder: Hashable, Sendable {
    /// The newest notification, or the one named by its apns-id.
    case tap(String?)
    case dismiss(String?)
    case open
    case background
    case kill
    case allow
    case deny
    case turnClock(Duration)
    case turnClockToNext
    case network(Bool)
    /// What is on the screen, as JSON.
    case screen

    /// Reads the words after `posthorn device`.
    ///
    /// - Throws: ``DeviceOrderProblem``, which says what was found and what was expected.
    package init(_ words: [String]) throws(DeviceOrderProblem) {
        let rest = Array(words.dropFirst())
        func none(_ order: DeviceOrder) throws(DeviceOrderProblem) -> DeviceOrder {
            guard rest.isEmpty else { throw DeviceOrderProblem("'\(words[0])' takes no argument; found '\(rest[0])'.") }
            return order
        }
        switch words.first {
        case "tap": self = .tap(rest.first)
        case "dismiss": self = .dismiss(rest.first)
        case "open": self = try none(.open)
        case "background": self = try none(.background)
        case "kill": self = try none(.kill)
        case "allow": self = try none(.allow)
        case "deny": self = try none(.deny)
        case "screen": self = try none(.screen)
        case "clock" where rest == ["next"]: self = .turnClockToNext
        case "clock": self = .turnClock(try Self.duration(rest.first ?? ""))
        case "network": self = .network(try Self.onOff(rest.first ?? ""))
        case .some(let word): throw DeviceOrderProblem("'\(word)' is nothing that can be done to a device.")
        case nil: throw DeviceOrderProblem("Say what to do.")
        }
    }

    /// `+90s`, `+5m`, `+1h`, `+2d`.
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
        case .dismiss(let id): ["dismiss"] + (id.map { [$0] } ?? [])
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

/// An order that makes no sense, or cannot be carried out now.
package struct DeviceOrderProblem: Error, Equatable, CustomStringConvertible {
    package var description: String
    init(_ description: String) { self.description = description }
}
