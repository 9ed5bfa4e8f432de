import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PushClock
import PushModel
import PushService

/// Signing in and out, the first account, and giving the password again.
struct SignInPages: Sendable {
    let portal: PortalEnvironment

    func add(to router: Router<PortalContext>) {
        router.get("portal/sign-in") { request, context in
            if context.session != nil { return Response.redirect(to: "/portal", type: .normal) }
            return signInPage(back: request.parameter("back") ?? "", context)
        }
        router.post("portal/sign-in") { try await signIn($0, $1) }
        router.get("portal/welcome") { request, context in
            let secret = request.parameter("key") ?? ""
            try await checkInvitation(secret)
            return portal.page("welcome", title: text(context, "welcome"), ["key": secret], in: context)
        }
        router.post("portal/welcome") { try await welcome($0, $1) }
        router.post("portal/sign-out") { request, context in
            let form = try await Form(request)
            try context.checkCSRF(form["csrf"])
            if let session = context.session { portal.sessions.end(session.id) }
            var response = Response.redirect(to: "/portal/sign-in", type: .normal)
            response.setCookie(cookie(Cookies.session, "", lasts: 0, in: context))
            return response
        }
        router.post("portal/language") { request, context in
            let form = try await Form(request)
            guard let language = Language(rawValue: form["language"]) else {
                throw PortalProblem(.badRequest, "no_form")
            }
            var response = Response.redirect(to: Self.own(form["back"]), type: .normal)
            response.setCookie(cookie(Cookies.language, language.rawValue, lasts: 365 * 86_400, in: context))
            return response
        }
        router.group("portal/api").add(middleware: CSRFMiddleware()).post("authenticate") { request, context in
            try await authenticate(request, context)
        }
    }

    private func text(_ context: PortalContext, _ key: String) -> String {
        portal.texts(context)["sign_in", key]
    }

    private func signInPage(
        back: String,
        problem: String? = nil,
        name: String = "",
        _ context: PortalContext
    ) -> Response {
        let values: PageValues = ["back": back, "problem": problem, "name": name]
        return portal.page("sign-in", title: text(context, "title"), values, in: context)
    }

    private func signIn(_ request: Request, _ context: PortalContext) async throws -> Response {
        let form = try await Form(request)
        let name = form["name"]
        do {
            return start(try await verify(name, password: form["password"], context), back: form["back"], context)
        } catch let problem as PortalProblem {
            let words = portal.text(of: problem, in: context)
            var response = signInPage(back: form["back"], problem: words, name: name, context)
            response.status = problem.status
            if let seconds = problem.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
            return response
        }
    }

    /// Returns the user with this password.
    func verify(_ name: String, password: String, _ context: PortalContext) async throws -> UserAnswer {
        if let seconds = try await wait(of: name, context) {
            throw PortalProblem(
                .tooManyRequests,
                "too_many_sign_ins",
                values: ["seconds": "\(seconds)"],
                retryAfter: seconds
            )
        }
        do {
            let user: UserAnswer = try await portal.perform(.userVerify(name: name, password: password), in: context)
            portal.limits.succeed(name, from: context.address, at: portal.clock.date)
            try await portal.operators.admit(Actor(name: name, address: context.address), to: AuditEntry.signIn)
            await portal.record(AuditEntry.signIn, of: name, detail: nil, ok: true, in: context)
            return user
        } catch let error as OperatorError where error.code == .unauthorized || error.code == .badRequest {
            portal.logger.warning(
                "A sign-in to the portal failed",
                metadata: ["address": "\(context.address ?? "unknown")"]
            )
            // A name that nobody has may be a password in the wrong field, so it is not written. The entry is: else the time that
            // the answer takes would tell which names there are.
            let isUser = (try? await portal.user(name)) != nil
            let subject = isUser ? name : nil
            await portal.record(AuditEntry.signIn, of: subject, detail: "wrong password", ok: false, in: context)
            throw PortalProblem(.unauthorized, "wrong_password")
        }
    }

    /// Counts an attempt, and returns the seconds until the next one if it has to wait.
    private func wait(of name: String, _ context: PortalContext) async throws -> Int? {
        let (address, now) = (context.address, portal.clock.date)
        let wait = portal.limits.take(name, from: address, at: now)
        guard let wait, wait.isForStrangers, let address,
            try await portal.operators.hasSignedIn(name, from: address, since: now - SignInLimits.knownFor)
        else { return wait?.seconds }
        portal.limits.know(name, from: address, at: now)
        return portal.limits.take(name, from: address, at: now)?.seconds
    }

    private func start(_ user: UserAnswer, back: String, _ context: PortalContext) -> Response {
        let session = portal.sessions.start(user.name, user.role, version: user.version, at: portal.clock.date)
        var response = Response.redirect(to: Self.own(back), type: .normal)
        response.setCookie(cookie(Cookies.session, session.id, lasts: nil, in: context))
        return response
    }

    private func welcome(_ request: Request, _ context: PortalContext) async throws -> Response {
        let form = try await Form(request)
        try await checkInvitation(form["key"])
        let name = form["name"]
        let user: UserAnswer
        do {
            let first = OperatorRequest.userCreate(
                name: name,
                role: .admin,
                password: form["password"],
                onlyFirst: true
            )
            user = try await portal.perform(first, in: context)
        } catch let error as OperatorError where error.code == .conflict {
            // Somebody else was first.
            throw PortalProblem(.forbidden, "has_users")
        } catch let error as OperatorError {
            let problem = portal.text(of: PortalProblem(error), in: context)
            let values: PageValues = ["key": form["key"], "name": name, "problem": problem]
            var response = portal.page("welcome", title: text(context, "welcome"), values, in: context)
            response.status = HTTPResponse.Status(code: error.code.status)
            return response
        }
        portal.invitations.end()
        return start(user, back: "", context)
    }

    /// Checks the secret of the one-time link. It ends with the first user, however and at whatever node that one was created, also if
    /// it was removed since.
    private func checkInvitation(_ secret: String) async throws {
        guard try await !portal.operators.hasHadUser() else {
            portal.invitations.end()
            throw PortalProblem(.forbidden, "has_users")
        }
        guard portal.invitations.admits(secret) else { throw PortalProblem(.forbidden, "invitation") }
    }

    /// Checks the password of the user who has signed in; the session gets another id and another token.
    private func authenticate(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.signedIn()
        let body = try JSONValue(parsing: Array(buffer: try await request.body.collect(upTo: 1 << 16)))
        let user = try await verify(session.user, password: body.object?["password"]?.string ?? "", context)
        // Changed in between, it is another session's.
        guard user.version == session.version else { throw PortalProblem(.unauthorized, "signed_out") }
        let renewed = portal.sessions.rotate(session, at: portal.clock.date)
        var response = Response(["csrf": .string(renewed.csrfToken)])
        response.setCookie(cookie(Cookies.session, renewed.id, lasts: nil, in: context))
        return response
    }

    private func cookie(_ name: String, _ value: String, lasts seconds: Int?, in context: PortalContext) -> Cookie {
        Cookie(
            name: name,
            value: value,
            maxAge: seconds,
            path: "/portal",
            secure: context.isSecure,
            httpOnly: true,
            sameSite: .strict
        )
    }

    /// Returns a path of the portal; its first page for anything else, so that no link leads to another site.
    static func own(_ path: String) -> String {
        let isOwn = path.hasPrefix("/portal/") && !path.contains("\\") && !path.contains("..")
        return isOwn && path.unicodeScalars.allSatisfy { $0.value > 32 && $0.value < 127 } ? path : "/portal"
    }
}
