import DeviceLink
import HTTPTypes
import Hummingbird
import NIOCore
import NetworkSupport
import PushModel
import PushService

/// The calls of devices, for apps without an SDK link: registration, tokens, tags, alias, receipts and custom messages.
struct RegistrationRoutes: Sendable {
    private static let path = "posthorn/v1/registrations"
    /// The maximum size of the body of a registered device's call in bytes.
    private static let bodyLimit = 64 * 1024
    /// The time that a device waits for a conclusion unless it says otherwise, in seconds.
    private static let diagnosisWait = 10

    let controller: RegistrationController
    let diagnoser: Diagnoser
    let registry: Registry
    let proxies: ProxyRule
    let failures: FailedLogins

    func add(to router: Router<APIContext>) {
        let open = router.group("").add(middleware: DeviceErrors())
        open.resource(Self.path, [.post]).on(.post, by: { _ in }) { request, context, _ in
            try await register(request, context)
        }
        let group = open.add(
            middleware: DeviceAuthentication(controller: controller, proxies: proxies, failures: failures)
        )
        let path = "\(Self.path)/:id"
        let one = group.resource(path, [.put, .delete])
        one.on(.put, by: authenticated) { request, _, device in try await start(request, device) }
        one.on(.delete, by: authenticated) { _, _, device in
            try await controller.unregister(device)
            return .done
        }
        for kind in ["tags", "alias", "badge", "mobile", "attributes", "topics", "push-switch"] {
            group.resource("\(path)/\(kind)", [.post]).on(.post, by: authenticated) { request, _, device in
                let body = try await body(request, limit: Self.bodyLimit)
                let reply = try await controller.carryOut(
                    try body.request(kind),
                    numbered: try body.sequence(),
                    for: device
                )
                guard reply.code == 0 else { throw RegistrationRefusal(reply) }
                return Response(json: .object(reply.members))
            }
        }
        group.resource("\(path)/receipts", [.post]).on(.post, by: authenticated) { request, _, device in
            let receipts = try await body(request, limit: Self.bodyLimit).receipts()
            let reply = try await controller.record(receipts, of: device)
            guard reply.code == 0 else { throw RegistrationRefusal(reply) }
            return .done
        }
        group.resource("\(path)/messages", [.get]).on(.get, by: authenticated) { request, _, device in
            try await messages(request, device)
        }
        group.resource("\(path)/diagnosis", [.get]).on(.get, by: authenticated) { request, _, device in
            try await diagnose(request, device)
        }
    }

    private func register(_ request: Request, _ context: APIContext) async throws -> Response {
        let body = try await body(request, limit: RegistrationController.unauthenticatedBytes)
        let (registration, tokens) = try body.registration()
        let network = proxies.network(of: request, context)
        let registered = try await controller.register(registration, with: tokens, from: network)
        var answer = registered.state.members
        answer.add(present: [
            "registration_id": registered.registrationID.text, "secret": registered.secret,
            "user_id": registered.device.userID,
        ])
        return Response(json: .object(answer))
    }

    private func start(_ request: Request, _ device: DeviceID) async throws -> Response {
        let body = try await body(request, limit: Self.bodyLimit)
        let (report, tokens) = try body.report(stored: registry.environment(of: device) ?? .production)
        guard let state = try await controller.start(device, report, with: tokens) else {
            throw RegistrationRefusal.unknown
        }
        var answer = state.members
        let orders = try await controller.openTakeBacks(of: device)
        if !orders.isEmpty {
            answer["take_back"] = .array(
                orders.map { order -> JSONValue in
                    ["id": .string("\(order.id)"), "msg_id": .string("\(order.messageID)")]
                }
            )
        }
        return Response(json: .object(answer))
    }

    private func messages(_ request: Request, _ device: DeviceID) async throws -> Response {
        let after = request.parameter("after").flatMap { $0.isEmpty ? nil : $0 }
        let position = after.flatMap { Int64($0) }
        if let after, position ?? -1 < 0 {
            throw RegistrationRefusal(6017, "'after' is '\(after)'; expected a position.")
        }
        let messages = try await controller.messages(for: device, after: position)
        let answer = JSONObject(present: [
            "messages": messages.map(\.answer), "position": messages.last?.position ?? position,
        ])
        return Response(json: .object(answer))
    }

    private func diagnose(_ request: Request, _ device: DeviceID) async throws -> Response {
        let id = request.parameter("msg_id").flatMap { $0.isEmpty ? nil : $0 }
        let message = id.flatMap { MessageID($0) }
        if let id, message == nil {
            throw RegistrationRefusal(6017, "'msg_id' is '\(id)'; expected decimal digits.")
        }
        let wait = request.parameter("wait").map { Int($0) ?? -1 } ?? Self.diagnosisWait
        guard (0...Diagnoser.longestWait).contains(wait) else {
            throw RegistrationRefusal(6017, "'wait' is out of range; expected 0 to \(Diagnoser.longestWait).")
        }
        let language = request.parameter("language").flatMap { $0.isEmpty ? nil : Language(accepting: $0) }
        let found = try await diagnoser.diagnose(
            device,
            again: message,
            in: language,
            orElse: request.headers[.acceptLanguage].map { Language(accepting: $0) },
            waiting: wait
        )
        guard let found else {
            throw RegistrationRefusal(6017, "'msg_id' is no test push of this device.")
        }
        let (diagnosis, spoken) = found
        return Response([
            "msg_id": diagnosis.message?.description, "cause": diagnosis.cause.rawValue, "final": diagnosis.isFinal,
            "language": spoken.rawValue, "sentence": diagnosis.cause.sentence(in: spoken),
            "facts": JSONValue.object(diagnosis.facts),
        ])
    }

    private func body(_ request: Request, limit: Int) async throws -> RegistrationBody {
        do {
            return try RegistrationBody(parsing: Array(buffer: try await request.body.collect(upTo: limit)))
        } catch is NIOTooManyBytesError {
            throw JPushError(status: 413, code: 6017, message: "The body is larger than \(limit) bytes.")
        }
    }
}

/// Returns the device that has proven itself.
@Sendable
private func authenticated(_ context: APIContext) throws -> DeviceID {
    guard let device = context.device else { throw RegistrationRefusal.unknown }
    return device
}

extension RegistrationRefusal {
    /// The one answer to everybody who does not know the secret of a device.
    static let unknown = RegistrationRefusal(6016, "The registration id or its secret is not known; register again.")

    /// The status of the answer; of the codes, 6012 and 6027 are about the state of the device or the alias.
    fileprivate var status: Int {
        switch code {
        case 6011: 429
        case 6012, 6027: 409
        case 6016: 401
        default: 400
        }
    }
}

extension Response {
    fileprivate init(_ refusal: RegistrationRefusal) {
        self.init(JPushError(status: refusal.status, code: refusal.code, message: refusal.message))
        if refusal.code == 6011 { headers[.retryAfter] = "\(RegistrationController.retryAfter)" }
    }
}

/// Answers refusals with the result codes of the JPush SDK, which devices have on the SDK link too.
private struct DeviceErrors: RouterMiddleware {
    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        do { return try await next(request, context) } catch let refusal as RegistrationRefusal {
            return Response(refusal)
        }
    }
}

/// Authenticates a device by `Basic base64(registrationID:secret)`, with the id that is in the path.
private struct DeviceAuthentication: RouterMiddleware {
    let controller: RegistrationController
    let proxies: ProxyRule
    let failures: FailedLogins

    func handle(_ request: Request, context: APIContext, next: APINext) async throws -> Response {
        guard let credentials = request.credentials else { throw RegistrationRefusal.unknown }
        let network = proxies.network(of: request, context)
        switch try await controller.login(credentials.user, secret: credentials.password, from: network) {
        case .device(let device):
            guard credentials.user == context.parameters.get("id") else { throw RegistrationRefusal.unknown }
            var context = context
            context.device = device
            return try await next(request, context)
        case .wrongSecret(let device):
            let subject = "\(device.app)/\(device.ordinal)"
            return failures.answer(Response(.unknown), to: request, context, as: "a device", guessing: subject)
        case .unknown:
            // A phone whose registration is gone, behind the address of many: it is told so, and registers again.
            failures.note(request, context, as: "a device that is not known")
            throw RegistrationRefusal.unknown
        }
    }
}

extension RegistrationState {
    fileprivate var members: JSONObject {
        JSONObject(present: [
            "has_token": hasToken, "push": isOn, "sequence": sequence, "token_digest": tokenDigest,
        ])
    }
}

extension SDKMessage {
    fileprivate var answer: JSONValue {
        .object(
            JSONObject(present: [
                "position": position, "msg_id": "\(messageID)", "content": content, "title": title,
                "content_type": contentType, "extras": extras.map { JSONValue.object($0) }, "in_app": isInApp,
            ])
        )
    }
}
