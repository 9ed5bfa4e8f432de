import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PushAPI
import PushClock
import PushModel
import PushService

/// The calls of the portal's scripts: the API in the name of an app, and the operations of operators.
///
/// - `portal/api/apps/APP/v3/push` and so on: a path of the API, called as the app.
/// - `portal/api/operator/OPERATION`: an operation.
extension Visit {
    // MARK: - The API

    func callAPI() async throws -> Response {
        let session = try context.signedIn()
        let app = try await portal.app(context)
        let path = "/" + context.parameters.getCatchAll().joined(separator: "/")
        let rule = CallRule(request.method, path)
        guard session.role >= rule.role else { throw PortalProblem(.forbidden, "role_\(rule.role.rawValue)") }
        let limit = path.hasPrefix("/v3/files/") ? PushAPI.uploadLimit : PortalEnvironment.bodyLimit
        let body = try await request.body.collect(upTo: limit)
        if rule.password != .never, !session.isFresh(at: portal.clock.date) {
            let reach = try await portal.reach(by: rule, request.method, path, body: Array(buffer: body), of: app)
            guard !reach.isEveryone, reach.devices <= portal.core.settings.value.operators.devicesWithoutPassword else {
                throw PortalProblem(.forbidden, "authenticate_again")
            }
        }
        let action = "\(request.method) \(path)"
        if rule.changes { try await portal.admit(action, in: context) }
        let query = request.uri.query.map { "?\($0)" } ?? ""
        let response = try await portal.call(
            request.method,
            path + query,
            body: body,
            as: app,
            for: request,
            in: context
        )
        if rule.changes {
            await portal.record(
                action,
                of: app.key.text,
                detail: response.status == .ok ? nil : "\(response.status.code)",
                ok: response.status.code < 400,
                in: context
            )
        }
        guard response.status.code >= 400 || path == "/posthorn/v1/segments" else { return response }
        return try await said(response)
    }

    /// Returns a refusal of the API, or its list of segments with their problems, in the user's language.
    private func said(_ response: Response) async throws -> Response {
        var said = response
        let bytes = try await response.body.bytes(upTo: .max)
        said.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        guard var answer = (try? JSONValue(parsing: bytes))?.object else { return said }
        func translate(_ key: String, of value: JSONValue) -> JSONValue {
            guard var object = value.object, let words = object[key]?.string else { return value }
            object[key] = .string(texts.said(words))
            return .object(object)
        }
        if let error = answer["error"] { answer["error"] = translate("message", of: error) }
        if let segments = answer["segments"]?.array {
            answer["segments"] = .array(segments.map { translate("problem", of: $0) })
        }
        said.body = ResponseBody(byteBuffer: ByteBuffer(bytes: answer.bytes))
        said.headers[.contentLength] = nil
        return said
    }

    // MARK: - Operations

    func operate() async throws -> Response {
        let session = try context.signedIn()
        let name = try context.parameters.require("operation")
        guard let operation = OperatorController.Operation(rawValue: name), operation.isForPages else {
            throw PortalProblem(.notFound, "not_found")
        }
        let role = operation.role
        guard session.role >= role else { throw PortalProblem(.forbidden, "role_\(role.rawValue)") }
        guard !operation.needsPassword || session.isFresh(at: portal.clock.date) else {
            throw PortalProblem(.forbidden, "authenticate_again")
        }
        let body = Array(buffer: try await request.body.collect(upTo: PortalEnvironment.bodyLimit))
        guard try body.isEmpty || JSONValue(parsing: body).object != nil else {
            throw PortalProblem(.badRequest, "no_object")
        }
        let answer = try await portal.perform(named: name, body, in: context)
        if operation == .userSet {
            let user: UserAnswer = try JSONCoding.read(from: .object(answer))
            if user.name == session.user { portal.sessions.keep(session.id, version: user.version) }
        }
        return Response(JSONMembers(of: JSONValue.object(answer)))
    }
}

/// The rule for a call of the API.
struct CallRule {
    /// When the user must have given the password within ``Session/freshness``.
    enum Password {
        case never
        /// If it sends pushes, now or later, to more devices than an operator allows without.
        case toSend
        /// If it changes the tags or aliases of more devices than that, to which a waiting push may go.
        case toRename
        /// Always: it decides who gets pushes that are sent later.
        case always
    }

    var role: Role
    var password: Password
    /// Whether it changes something, and is written into the audit log.
    var changes: Bool

    init(_ method: HTTPRequest.Method, _ path: String) {
        let reads =
            method == .get
            || ["/v3/push/validate", "/v3/devices/status", "/v3/status/message", "/posthorn/v1/audience"].contains(path)
        changes = !reads
        let isSettings =
            ["/posthorn/v1/app", "/posthorn/v1/topics"].contains(path)
            || path.hasPrefix("/posthorn/v1/devices/import")
        password = changes ? Self.password(method, path) : .never
        if reads {
            role = .viewer
        } else {
            role = isSettings ? .admin : .sender
        }
    }

    private static func password(_ method: HTTPRequest.Method, _ path: String) -> Password {
        let sends = path == "/v3/push" || path.hasPrefix("/v3/push/") || path.hasPrefix("/v3/schedules")
        if sends { return method == .delete ? .never : .toSend }
        // A schedule or a push names a segment, a topic or a tag, and goes to whom they mean when it is sent.
        let decides = ["/posthorn/v1/segments", "/posthorn/v1/topics", "/posthorn/v1/devices/import"]
        if decides.contains(where: { path == $0 || path.hasPrefix("\($0)/") }) { return .always }
        let renames = ["/v3/tags", "/v3/aliases", "/v3/devices"]
        return renames.contains { path.hasPrefix("\($0)/") } ? .toRename : .never
    }
}

extension OperatorController.Operation {
    /// The least role of the users who may perform the operation.
    var role: Role {
        switch self {
        case .appList, .appShow, .appContents, .groupList, .credentialList, .credentialShow, .healthShow,
            .retentionPreview:
            .viewer
        // They send a push to APNs.
        case .credentialTest, .doctor: .sender
        default: .admin
        }
    }

    /// Whether the user must have given the password within ``Session/freshness``.
    ///
    /// It is asked for before what hands out a secret, decides who may send or who gets a push, or cannot be undone; and
    /// for what is new, until it is listed here.
    var needsPassword: Bool {
        switch self {
        // The secret of a new app sends to nobody.
        case .appCreate, .appList, .appShow, .appSet, .appRename, .appContents, .groupList, .groupRename,
            .developerList,
            .developerDisable, .developerRename, .credentialInspect, .credentialList, .credentialShow, .credentialTest,
            .userList, .userVerify, .auditList, .auditRecord, .nodeList, .nodeDrain, .doctor, .healthShow,
            .retentionPreview, .settingsReload:
            false
        default: true
        }
    }

    /// Whether scripts may call the operation. Passwords are checked elsewhere, with limits; pages write the audit log.
    fileprivate var isForPages: Bool {
        switch self {
        case .userVerify, .auditRecord: false
        default: true
        }
    }
}

extension PortalEnvironment {
    /// Returns the devices that a request to the API concerns.
    func reach(
        by rule: CallRule,
        _ method: HTTPRequest.Method,
        _ path: String,
        body: [UInt8],
        of app: App
    ) async throws -> PushReach {
        switch rule.password {
        case .never: PushReach()
        case .always: PushReach(isEveryone: true)
        case .toSend: try await reach(method, path, body: body, of: app)
        case .toRename: PushReach(devices: renamed(method, path, body: body, of: app))
        }
    }

    /// Returns the number of devices that a request gives a tag or an alias, or takes it from.
    private func renamed(_ method: HTTPRequest.Method, _ path: String, body: [UInt8], of app: App) -> Int {
        let parts = path.split(separator: "/").map(String.init)
        // `/v3/devices/ID` is about one, and so is a tag with the id of a device behind it.
        guard parts.count == 3, parts[1] != "devices" else { return 1 }
        guard method == .delete else {
            let lists = (try? JSONValue(parsing: body))?.object?["registration_ids"]?.object?.members ?? []
            return lists.reduce(0) { $0 + ($1.value.array?.count ?? 0) }
        }
        let name = parts[2].removingPercentEncoding ?? ""
        let devices =
            parts[1] == "tags"
            ? registry.devices(withTag: name, of: app.id).count : registry.devices(withAlias: name, of: app.id).count
        return devices
    }

    /// Returns the devices that the pushes of a request to the API would find now.
    ///
    /// A request with a mistake finds none, as the API refuses it.
    private func reach(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: [UInt8],
        of app: App
    ) async throws -> PushReach {
        do {
            switch path {
            case "/v3/push/batch/regid/single":
                return core.acceptor.reach(try PushBatch(parsing: body, to: .registrationID), of: app)
            case "/v3/push/batch/alias/single":
                return core.acceptor.reach(try PushBatch(parsing: body, to: .alias), of: app)
            // Each push of a template has an audience of its own; no page sends any.
            case _ where path.hasPrefix("/v3/push/template"): return PushReach(isEveryone: true)
            case _ where path.hasPrefix("/v3/schedules"):
                guard let push = try await scheduledPush(method, path, body: body, of: app) else { return PushReach() }
                return try await core.acceptor.reach(push.bytes, of: app)
            default: return try await core.acceptor.reach(body, of: app)
            }
        } catch is JPushError { return PushReach() }
    }

    /// Returns the push that a schedule sends after a request; nil if it sends none.
    private func scheduledPush(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: [UInt8],
        of app: App
    ) async throws -> JSONValue? {
        guard let change = (try? JSONValue(parsing: body))?.object else { return nil }
        guard method == .put else { return change["push"] }
        let id = path.split(separator: "/").last.flatMap { String($0).removingPercentEncoding } ?? ""
        var schedule = try await core.schedules.schedule(id, of: app.id).schedule
        try schedule.change(change)
        return schedule.isEnabled ? schedule.push : nil
    }
}
