import APNSGateway
import Foundation
import PushModel

/// The values that the console's template shows.
struct ConsoleContent {
    let facts: ControlFacts
    let query: ConsoleQuery
    let texts: Catalogue
    let timeZone: TimeZone

    func values(_ view: ConsoleView) -> PageValues {
        switch view {
        case .pushes: pushes
        case .faults: faults
        case .connections: connections
        case .tokens: tokens
        case .keys: keys
        }
    }

    /// Returns a text of the console.
    func text(_ key: String, _ values: [String: String] = [:]) -> String { texts.text("console", key, with: values) }

    /// Returns the name of an environment, with what a template needs to colour it.
    func environment(_ environment: APNSEnvironment) -> PageValues {
        ["word": environment.rawValue, "name": text(environment.rawValue)]
    }

    /// Returns a time as pages show it, and as machines read it.
    func time(_ date: Date) -> PageValues {
        // To the nearest millisecond: the styles truncate, and half of all milliseconds are slightly smaller as a `Date`.
        let date = date.addingTimeInterval(0.0005)
        let whole = date.shown(in: timeZone, fraction: true)
        // Only the day of another day's push is worth its space.
        let isToday = whole.prefix(10) == Date().shown(in: timeZone).prefix(10)
        return [
            "machine": date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            "whole": "\(whole) \(timeZone.abbreviation(for: date) ?? "")",
            "short": isToday ? String(whole.dropFirst(11).prefix(8)) : String(whole.prefix(19)),
        ]
    }

    /// The fields of a search as the template shows them in its form, with `_` for `-` in their names.
    func search(_ names: [String]) -> PageValues {
        var fields: PageValues = [:]
        for name in names { fields[name.replacing("-", with: "_")] = query[name] }
        return fields
    }

    /// The environments as options of a form.
    var environments: [PageValues] {
        APNSEnvironment.allCases.map { each in
            [
                "word": each.rawValue, "name": text(each.rawValue),
                "is_chosen": query["environment"] == each.rawValue,
            ]
        }
    }
}
