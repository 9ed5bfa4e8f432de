package import APNSGateway
package import Foundation
import HTTPTypes
package import Hummingbird
import PushModel
import PushService

/// The APNs console: pages at a gateway's control endpoint that show its pushes as they come, and set faults by click.
package struct Console: ControlPages {
    package static let segment = "console"

    private let pages: PageSource
    private let timeZone: TimeZone

    /// - Parameters:
    ///   - folder: a folder whose files are read again for each request, instead of those in the binary.
    ///   - timeZone: the zone of all times that the pages show.
    /// - Throws: an error about a file of `folder`.
    package init(reloading folder: URL? = nil, timeZone: TimeZone = .current) throws {
        pages = try PageSource(reloading: folder)
        self.timeZone = timeZone
    }

    package func respond(to request: Request, _ facts: ControlFacts) async -> Response {
        let library = pages.current
        let path = request.uri.path.split(separator: "/").map(String.init)
        var response: Response
        switch path.dropFirst().first {
        case nil: response = page(request, of: facts, library)
        case "files" where path.count == 4:
            response = library.response(path[3], version: path[2]) ?? Response(status: .notFound)
        default: response = Response(status: .notFound)
        }
        for (name, text) in ProblemMiddleware.headers { response.headers[name] = text }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }

    private func page(_ request: Request, of facts: ControlFacts, _ library: PageLibrary) -> Response {
        let query = ConsoleQuery(request.uri.query ?? "")
        let chosen = query["language"].flatMap(Language.init(rawValue:))
        let language = chosen ?? Language(of: request)
        let texts = library.catalogue(language)
        let view = ConsoleView(query)
        let content = ConsoleContent(facts: facts, query: query, texts: texts, timeZone: timeZone)
        var values = content.values(view)
        values["t"] = texts.sections
        values["language"] = language.rawValue
        values["languages"] = Language.allCases.map { other -> PageValues in
            [
                "tag": other.rawValue, "name": other.name, "is_current": other == language,
                "link": query.link(["language": other.rawValue]),
            ]
        }
        values["files"] = "/console/files/\(library.files.version)"
        values["in_\(view.rawValue)"] = true
        values["view"] = view.rawValue
        values["title"] = texts["console", view.rawValue]
        var response = Response(html: library.render("console", values))
        if let chosen {
            let cookie = Cookie(
                name: Cookies.language,
                value: chosen.rawValue,
                maxAge: 365 * 86_400,
                path: "/",
                httpOnly: true,
                sameSite: .lax
            )
            response.setCookie(cookie)
        }
        return response
    }
}

/// A view of the console.
enum ConsoleView: String {
    case pushes
    case faults
    case connections
    case tokens
    case keys

    init(_ query: ConsoleQuery) { self = query["view"].flatMap(Self.init(rawValue:)) ?? .pushes }
}

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

/// The faults that are set, and the means to set more.
extension ConsoleContent {
    /// The faults that one click sets, by the key of their text; each happens once.
    private static let presets: [(text: String, fault: JSONObject)] = [
        ("preset_many", ["kind": "answer", "reason": "TooManyRequests", "next": 1]),
        ("preset_unavailable", ["kind": "answer", "reason": "ServiceUnavailable", "next": 1]),
        ("preset_unregistered", ["kind": "answer", "reason": "Unregistered", "next": 1]),
        ("preset_expired", ["kind": "answer", "reason": "ExpiredProviderToken", "next": 1]),
        ("preset_late", ["kind": "latency", "seconds": 5, "next": 1]),
        ("preset_goaway", ["kind": "goAway", "reason": "Shutdown", "next": 1]),
        ("preset_reset", ["kind": "reset", "next": 1]), ("preset_close", ["kind": "close", "next": 1]),
        ("preset_drop", ["kind": "dropDelivery", "next": 1]),
        ("preset_duplicate", ["kind": "duplicateDelivery", "next": 1]),
    ]

    var faults: PageValues {
        let set = facts.gateway.faults
        return [
            "search": search(["token", "topic"]),
            "presets": Self.presets.map { preset -> PageValues in
                var fault = preset.fault
                if let token = query["token"] { fault["token"] = .string(token) }
                return ["name": text(preset.text), "fault": fault.text]
            },
            "faults": set.reversed().map(row), "is_empty": set.isEmpty,
            "reasons": APNSReason.documented.map { reason -> PageValues in
                ["word": reason.rawValue, "status": reason.status, "is_chosen": reason == .tooManyRequests]
            },
            "environments": environments, "outage": facts.gateway.outage?.rawValue,
            "outages": ["InternalServerError", "ServiceUnavailable", "Shutdown"], "is_live": true,
        ]
    }

    private func row(_ active: ActiveFault) -> PageValues {
        let fault = active.fault.json
        let details =
            (active.script.map { ["script \($0)"] } ?? [])
            + fault.members.filter { $0.key != "kind" }.map { "\($0.key) \($0.value.string ?? $0.value.text)" }
        return [
            "id": active.id, "kind": fault["kind"], "details": details.joined(separator: " · "),
            "met": "\(active.met)", "carried_out": "\(active.carriedOut)",
        ]
    }
}

extension JSONValue {
    /// The value as JSON with a line for each member, for people.
    var indented: String {
        var text = ""
        write(into: &text, indent: "")
        return text
    }

    private func write(into text: inout String, indent: String) {
        let deeper = indent + "  "
        switch self {
        case .object(let object) where !object.members.isEmpty:
            text += "{\n"
            for (index, member) in object.members.enumerated() {
                text += "\(index > 0 ? ",\n" : "")\(deeper)\(JSONValue.string(member.key).text): "
                member.value.write(into: &text, indent: deeper)
            }
            text += "\n\(indent)}"
        case .array(let values) where !values.isEmpty:
            text += "[\n"
            for (index, value) in values.enumerated() {
                text += "\(index > 0 ? ",\n" : "")\(deeper)"
                value.write(into: &text, indent: deeper)
            }
            text += "\n\(indent)]"
        default: text += self.text
        }
    }
}
