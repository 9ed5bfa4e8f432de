import APNSGateway
import Foundation
import PushModel

/// The values that the console's template shows.
struct ConsoleContent {
    let facts: ControlFacts
    let query: ConsoleQuery
    let texts: Catalogue
    let timeZone: TimeZone

    func values(_ view: ConsoleView) -> JSONObject {
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
    func environment(_ environment: APNSEnvironment) -> JSONValue {
        ["word": .string(environment.rawValue), "name": .string(text(environment.rawValue))]
    }

    /// Returns a time as pages show it, and as machines read it.
    func time(_ date: Date) -> JSONValue {
        // To the nearest millisecond: the styles truncate, and half of all milliseconds are slightly smaller as a `Date`.
        let date = date.addingTimeInterval(0.0005)
        let whole = shown(date)
        // Only the day of another day's push is worth its space.
        let isToday = whole.prefix(10) == shown(Date()).prefix(10)
        return [
            "machine": .string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "whole": .string("\(whole) \(timeZone.abbreviation(for: date) ?? "")"),
            "short": .string(isToday ? String(whole.dropFirst(11).prefix(8)) : String(whole.prefix(19))),
        ]
    }

    private func shown(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day().dateSeparator(.dash)
            .dateTimeSeparator(.space).time(includingFractionalSeconds: true).timeSeparator(.colon)
        return date.formatted(style)
    }

    /// The fields of a search as the template shows them in its form, with `_` for `-` in their names.
    func search(_ names: [String]) -> JSONValue {
        .object(JSONObject(names.map { ($0.replacing("-", with: "_"), query[$0].map { .string($0) } ?? .null) }))
    }

    /// The environments as options of a form.
    var environments: JSONValue {
        .array(
            APNSEnvironment.allCases.map { each in
                [
                    "word": .string(each.rawValue), "name": .string(text(each.rawValue)),
                    "is_chosen": .bool(query["environment"] == each.rawValue),
                ]
            }
        )
    }
}
