import Foundation
import HTTPTypes
import Hummingbird
import NetworkSupport
import PushAPI
import PushClock
import PushModel
import PushService

/// Finds where a request comes from, whether it came over TLS, and the language to answer in.
struct VisitorMiddleware: RouterMiddleware {
    let portal: PortalEnvironment

    func handle(_ request: Request, context: PortalContext, next: PortalNext) async throws -> Response {
        var context = context
        context.path = request.uri.description
        context.address = portal.api.proxies.network(
            of: context.channel.remoteAddress,
            forwarded: HTTPField.Name("X-Forwarded-For").map { request.headers[values: $0] } ?? []
        )
        let schemes = HTTPField.Name("X-Forwarded-Proto").map { request.headers[values: $0] } ?? []
        context.isSecure =
            portal.api.tls != nil || portal.api.proxies.isSecure(context.channel.remoteAddress, forwarded: schemes)
        context.language = Language(of: request)
        var response = try await next(request, context)
        // RFC 6797: for a year, the browser uses this host with TLS alone.
        if context.isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }
}

/// Finds the session of a request.
struct SessionMiddleware: RouterMiddleware {
    let portal: PortalEnvironment

    func handle(_ request: Request, context: PortalContext, next: PortalNext) async throws -> Response {
        var context = context
        // Scripts and styles are for everyone.
        if !context.path.hasPrefix("/portal/files/"), let id = request.cookies[Cookies.session]?.value,
            var session = portal.sessions.find(id, at: portal.clock.date)
        {
            // The role or the password may have been changed, or the user removed, also by a command or at another node.
            if let user = try await portal.user(session.user), user.version == session.version {
                session.role = user.role
                context.session = session
            } else {
                portal.sessions.end(id)
            }
        }
        return try await next(request, context)
    }
}

/// Refuses a changing request that another site's page has sent.
struct SameOriginMiddleware: RouterMiddleware {
    func handle(_ request: Request, context: PortalContext, next: PortalNext) async throws -> Response {
        guard request.method != .get, request.method != .head else { return try await next(request, context) }
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }) {
            guard site == "same-origin" || site == "none" else { throw PortalProblem(.forbidden, "another_site") }
        } else if let origin = request.headers[.origin] {
            let host = origin.split(separator: "/", maxSplits: 2).last.map(String.init)
            guard host == request.head.authority else { throw PortalProblem(.forbidden, "another_site") }
        }
        return try await next(request, context)
    }
}

/// Requires a user with a role. A page leads others to the sign-in; a call is refused.
struct RoleMiddleware: RouterMiddleware {
    let role: Role

    func handle(_ request: Request, context: PortalContext, next: PortalNext) async throws -> Response {
        guard let session = context.session else {
            let isPage = request.method == .get && !request.uri.path.hasPrefix("/portal/api/")
            guard isPage else { throw PortalProblem(.unauthorized, "signed_out") }
            let back = request.uri.description.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return .redirect(to: "/portal/sign-in?back=\(back)", type: .normal)
        }
        guard session.role >= role else { throw PortalProblem(.forbidden, "role_\(role.rawValue)") }
        return try await next(request, context)
    }
}

/// Requires the session's token of a call that changes something.
struct CSRFMiddleware: RouterMiddleware {
    func handle(_ request: Request, context: PortalContext, next: PortalNext) async throws -> Response {
        if request.method != .get, request.method != .head {
            let token = HTTPField.Name("X-CSRF-Token").flatMap { request.headers[$0] }
            try context.checkCSRF(token)
        }
        return try await next(request, context)
    }
}

extension PortalContext {
    /// The session of a user who has signed in.
    ///
    /// - Throws: 401 without one.
    func signedIn() throws(PortalProblem) -> Session {
        guard let session else { throw PortalProblem(.unauthorized, "signed_out") }
        return session
    }

    /// - Throws: 403 if the token is not that of the session.
    func checkCSRF(_ token: String?) throws {
        guard let token, let session, SecretHash(of: session.csrfToken).matches(token) else {
            throw PortalProblem(.forbidden, "csrf")
        }
    }
}

enum Cookies {
    static let session = "posthorn_session"
    static let language = "posthorn_language"
}
