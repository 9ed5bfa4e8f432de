import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PushClock
import PushModel
import PushService

/// Signing in and out, the first account, and giving the password again.
extension Visit {
    func askForPassword() -> Response {
        if context.session != nil { return .redirect(to: "/portal", type: .normal) }
        return signInPage(back: request.parameter("back") ?? "")
    }

    func askForFirstUser() async throws -> Response {
        let secret = request.parameter("key") ?? ""
        try await checkInvitation(secret)
        return page("welcome", title: texts["sign_in", "welcome"], ["key": secret])
    }

    func signOut() async throws -> Response {
        let form = try await Form(request)
        try context.checkCSRF(form["csrf"])
        if let session = context.session { portal.sessions.end(session.id) }
        return redirect(to: "/portal/sign-in", with: Cookies.session, "", lasts: 0)
    }

    func chooseLanguage() async throws -> Response {
        let form = try await Form(request)
        guard let language = Language(rawValue: form["language"]) else { throw PortalProblem(.badRequest, "no_form") }
        return redirect(to: Self.own(form["back"]), with: Cookies.language, language.rawValue, lasts: 365 * 86_400)
    }

    private func signInPage(back: String, problem: String? = nil, name: String = "") -> Response {
        page("sign-in", title: texts["sign_in", "title"], ["back": back, "problem": problem, "name": name])
    }

    func signIn() async throws -> Response {
        let form = try await Form(request)
        let name = form["name"]
        do {
            return start(try await verify(name, password: form["password"]), back: form["back"])
        } catch let problem as PortalProblem {
            let words = portal.text(of: problem, in: context)
            return signInPage(back: form["back"], problem: words, name: name).refusing(by: problem)
        }
    }

    /// Returns the user with this password.
    func verify(_ name: String, password: String) async throws -> UserAnswer {
        if let seconds = try await wait(of: name) {
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
    private func wait(of name: String) async throws -> Int? {
        let address = context.address
        let now = portal.clock.date
        let wait = portal.limits.take(name, from: address, at: now)
        guard let wait, wait.isForStrangers, let address,
            try await portal.operators.hasSignedIn(name, from: address, since: now - SignInLimits.knownFor)
        else { return wait?.seconds }
        portal.limits.know(name, from: address, at: now)
        return portal.limits.take(name, from: address, at: now)?.seconds
    }

    private func start(_ user: UserAnswer, back: String) -> Response {
        let session = portal.sessions.start(user.name, user.role, version: user.version, at: portal.clock.date)
        return redirect(to: Self.own(back), with: Cookies.session, session.id, lasts: nil)
    }

    func welcome() async throws -> Response {
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
            let problem = PortalProblem(error)
            let words = portal.text(of: problem, in: context)
            let values: PageValues = ["key": form["key"], "name": name, "problem": words]
            return page("welcome", title: texts["sign_in", "welcome"], values).refusing(by: problem)
        }
        portal.invitations.end()
        return start(user, back: "")
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
    func authenticate() async throws -> Response {
        let session = try context.signedIn()
        let body = try JSONValue(parsing: Array(buffer: try await request.body.collect(upTo: 1 << 16)))
        let user = try await verify(session.user, password: body.object?["password"]?.string ?? "")
        // Changed in between, it is another session's.
        guard user.version == session.version else { throw PortalProblem(.unauthorized, "signed_out") }
        let renewed = portal.sessions.rotate(session, at: portal.clock.date)
        var response = Response(["csrf": renewed.csrfToken])
        response.setCookie(cookie(Cookies.session, renewed.id, lasts: nil))
        return response
    }

    private func cookie(_ name: String, _ value: String, lasts seconds: Int?) -> Cookie {
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

    private func redirect(to path: String, with name: String, _ value: String, lasts seconds: Int?) -> Response {
        var response = Response.redirect(to: path, type: .normal)
        response.setCookie(cookie(name, value, lasts: seconds))
        return response
    }

    /// Returns a path of the portal; its first page for anything else, so that no link leads to another site.
    static func own(_ path: String) -> String {
        let isOwn = path.hasPrefix("/portal/") && !path.contains("\\") && !path.contains("..")
        return isOwn && path.unicodeScalars.allSatisfy { $0.value > 32 && $0.value < 127 } ? path : "/portal"
    }
}
