package import APNSGateway
package import Foundation
import HTTPTypes
package import Hummingbird
import PushModel

/// The APNs console: pages at a gateway's control endpoint that show its pushes as they come, and set faults by click.
package struct Console: ControlPages {
    package static let segment = "console"

    private let library: PageLibrary
    private let timeZone: TimeZone

    /// - Parameters:
    ///   - folder: a folder whose files are read again for each request, instead of those in the binary.
    ///   - timeZone: the zone of all times that the pages show.
    /// - Throws: an error about a file of `folder`.
    package init(reloading folder: URL? = nil, timeZone: TimeZone = .current) throws {
        library = try folder.map { try PageLibrary(reloading: $0) } ?? PageLibrary()
        self.timeZone = timeZone
    }

    package func respond(to request: Request, _ facts: ControlFacts) async -> Response {
        let library = library.current
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
        let language =
            chosen ?? request.cookies[Cookies.language].flatMap { Language(rawValue: $0.value) }
            ?? Language(accepting: request.headers[.acceptLanguage])
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
