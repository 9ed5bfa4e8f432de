import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PushAPI
import PushClock
import PushModel
import PushService

/// Everything that the pages of the portal use: the operations of operators, and the API in the name of an app.
struct PortalEnvironment: Sendable {
    let pages: PageSource
    let core: ServiceCore
    let caller: AppCaller
    /// The settings of the server at whose port the portal is.
    let api: PushAPI.Settings
    let phones: PhoneShelf
    let logger: Logger
    let sessions = SessionStore()
    let limits = SignInLimits()
    let invitations = Invitations()
    let streams = StreamPlaces()
    let watches = MessageWatches()
    /// Held while a push is explained, which takes a core.
    let explaining = AsyncMutex()

    var operators: OperatorController { core.operators }
    var registry: Registry { core.registry }
    var clock: any CivilClock { core.clock }
    /// The time zone of all times that pages show.
    var timeZone: TimeZone { api.timeZone }

    /// The greatest number of bytes of a request's body.
    static let bodyLimit = PushAPI.bodyLimit

    // MARK: - Operations

    /// Performs an operation as the user who has signed in; the answer's remarks are in the user's language.
    ///
    /// - Throws: ``OperatorError``.
    func perform<Answer: Decodable>(_ request: OperatorRequest, in context: PortalContext) async throws -> Answer {
        let (name, parameters) = JSONCoding.namedCase(of: request)
        let body = parameters.bytes
        return try JSONCoding.read(from: .object(try await perform(named: name, body, in: context)))
    }

    /// Performs the operation of a name, as a script has asked for it.
    func perform(named name: String, _ body: [UInt8], in context: PortalContext) async throws -> JSONObject {
        let answer = try await operators.perform(name, body, by: actor(in: context))
        return remarkText(in: context).localized(answer)
    }

    private func actor(in context: PortalContext) -> Actor {
        Actor(name: context.session?.user ?? "portal", address: context.address)
    }

    /// Counts a change that the user is about to make through the API.
    ///
    /// - Throws: ``OperatorError`` if the user has made too many in this minute.
    func admit(_ action: String, in context: PortalContext) async throws(OperatorError) {
        try await operators.admit(actor(in: context), to: action)
    }

    /// Returns what says remarks in the user's language.
    func remarkText(in context: PortalContext) -> RemarkText { RemarkText(texts(context)) { shown($0) } }

    /// Writes what a user did through the API into the audit log.
    ///
    /// A failure is only logged: the change was made, and an error would let the user make it again.
    func record(_ action: String, of subject: String?, detail: String?, ok: Bool, in context: PortalContext) async {
        let entry = AuditEntry(
            at: clock.date,
            actor: actor(in: context),
            action: action,
            subject: subject,
            detail: detail,
            isDone: ok
        )
        do { try await operators.record(entry) } catch {
            let metadata: Logger.Metadata = ["action": "\(action)", "error": "\(error)"]
            logger.error("The audit log cannot be written", metadata: metadata)
        }
    }

    /// Returns a user; nil if there is no such user any more.
    func user(_ name: String) async throws -> UserAnswer? {
        try await operators.listUsers().users.first { $0.name == name }
    }

    // MARK: - The API

    /// Returns the app that the path names as `:app`.
    ///
    /// - Throws: 404 if there is none.
    func app(_ context: PortalContext) async throws -> App {
        let text = try context.parameters.require("app")
        guard let key = AppKey(text), let app = try await registry.app(key) else {
            throw PortalProblem(.notFound, "no_app", values: ["app": text])
        }
        return app
    }

    /// Calls the API as an app, because of a request to the portal. The path has its query, such as `/posthorn/v1/devices?limit=100`.
    func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: ByteBuffer = ByteBuffer(),
        as app: App,
        for request: Request,
        in context: PortalContext
    ) async throws -> Response {
        var headers = HTTPFields()
        headers[.contentType] = request.headers[.contentType] ?? "application/json"
        headers[.contentLength] = "\(body.readableBytes)"
        // The pushes of the request, and its entries in the log, name the user.
        if method == .post, let user = context.session?.user {
            headers[.requestID] = "portal/\(user)/\(context.id.description)"
        }
        let head = HTTPRequest(
            method: method,
            scheme: "http",
            authority: request.head.authority,
            path: path,
            headerFields: headers
        )
        return try await caller.respond(
            to: Request(head: head, body: RequestBody(buffer: body)),
            as: app,
            from: context.source
        )
    }

    /// Reads a resource of the API as JSON.
    ///
    /// - Throws: the API's refusal, in its words.
    func get(_ path: String, as app: App, for request: Request, _ context: PortalContext) async throws -> JSONValue {
        let response = try await call(.get, path, as: app, for: request, in: context)
        let bytes = try await response.body.bytes(upTo: 64 << 20)
        let json = try? JSONValue(parsing: bytes)
        guard response.status == .ok, let json else {
            throw PortalProblem(response.status, message: json.flatMap(Self.message) ?? response.status.reasonPhrase)
        }
        return json
    }

    /// Returns the sentence of an error of the API.
    static func message(_ json: JSONValue) -> String? {
        JPushError(json: json)?.message ?? json.object?["message"]?.string
    }

    // MARK: - Pages

    /// Returns the texts in the user's language.
    func texts(_ context: PortalContext) -> Catalogue { pages.current.catalogue(context.language) }

    /// Returns a page, with the menu of the app that it is about, and in it the section that it belongs to.
    ///
    /// The template is the name of a file in `Pages/`, without `.mustache`; by default it is the section too, and that of the texts with
    /// the title. Its values are added to those of every page: `t` (texts), `user`, `is_sender`, `is_admin`, `csrf`, `files` (the address of
    /// scripts and styles), `language`, `languages`, `title` (in the user's language), `here` (the path), `zone` (of all times).
    func page(
        _ template: String,
        title: String? = nil,
        _ values: PageValues = [:],
        app: App? = nil,
        section: String? = nil,
        in context: PortalContext
    ) -> Response {
        let library = pages.current
        let texts = library.catalogue(context.language)
        var all = values
        all["t"] = texts.sections
        all["title"] = title ?? texts[template, "title"]
        all["files"] = "/portal/files/\(library.files.version)"
        all["language"] = context.language.rawValue
        all["languages"] = Language.allCases.map { language -> PageValues in
            ["tag": language.rawValue, "name": language.name, "is_current": language == context.language]
        }
        all["here"] = context.path
        all["zone"] = timeZone.shown
        if let session = context.session {
            all["user"] = session.user
            all["csrf"] = session.csrfToken
            all["is_sender"] = session.role >= .sender
            all["is_admin"] = session.role >= .admin
            all["has_phones"] = !phones.names.isEmpty
        }
        if let app {
            let values: PageValues = [
                "key": app.key.text, "name": app.name, "bundle_id": app.bundleID,
                "environment": app.defaultEnvironment.rawValue, "is_production": app.defaultEnvironment == .production,
            ]
            all["app"] = values
        }
        all["in_\(section ?? template)"] = true
        return Response(html: library.render(template, all))
    }

    /// Returns a date as pages show it: `2026-11-25 07:45:15 +08:00`, in the service's time zone.
    func shown(_ date: Date) -> String { "\(date.shown(in: timeZone)) \(timeZone.offset(at: date))" }

    /// Returns an ISO 8601 date of the API as pages show it; the text itself if it is none.
    func shown(_ text: String?) -> String {
        guard let text, let date = try? Date(text, strategy: .iso8601) else { return text ?? "" }
        return shown(date)
    }

    /// Returns a sentence of the service with its ISO 8601 dates as pages show them.
    func shown(datesIn sentence: String) -> String {
        sentence.replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)/#) { shown(String($0.output)) }
    }
}

extension TimeZone {
    /// The name of the zone for people: its IANA name, or `UTC+08:00` for an offset.
    var shown: String { identifier.hasPrefix("GMT") ? "UTC\(offset(at: .now))" : identifier }
}

extension Date {
    /// Returns the date and the time of day in a zone: `2026-11-25 07:45:15`.
    func shown(in zone: TimeZone, fraction: Bool = false) -> String {
        formatted(
            Date.ISO8601FormatStyle(timeZone: zone).year().month().day().dateSeparator(.dash)
                .dateTimeSeparator(.space).time(includingFractionalSeconds: fraction).timeSeparator(.colon)
        )
    }
}

extension ResponseBody {
    /// Writes the body into memory.
    ///
    /// - Throws: if it is larger than `limit`.
    consuming func bytes(upTo limit: Int) async throws -> [UInt8] {
        let writer = MemoryWriter(limit: limit)
        try await write(writer)
        return writer.bytes
    }
}

/// Keeps a response's body in memory.
final class MemoryWriter: ResponseBodyWriter {
    private let limit: Int
    private(set) var bytes: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    func write(_ buffer: ByteBuffer) async throws {
        guard bytes.count + buffer.readableBytes <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
        bytes.append(contentsOf: buffer.readableBytesView)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
