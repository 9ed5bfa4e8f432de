package import Hummingbird

/// Web pages for people at the control endpoint.
///
/// They read what the resources show, and their scripts call the resources. Browsers ask their user for the control token as a
/// password.
package protocol ControlPages: Sendable {
    /// The first component of their paths.
    static var segment: String { get }

    /// Answers a GET request whose path begins with the segment.
    func respond(to request: Request, _ facts: ControlFacts) async -> Response
}

extension ControlPages {
    /// The first component of their paths.
    package var segment: String { Self.segment }
}

/// Routes for pages. `GET /` leads to them.
struct PageRoutes {
    let pages: any ControlPages
    let facts: ControlFacts

    func add(to router: Router<BasicRequestContext>) {
        let segment = pages.segment
        router.get("") { _, _ in Response.redirect(to: "/\(segment)", type: .found) }
        router.get("\(segment)") { [pages, facts] request, _ in await pages.respond(to: request, facts) }
        router.get("\(segment)/**") { [pages, facts] request, _ in await pages.respond(to: request, facts) }
    }
}
