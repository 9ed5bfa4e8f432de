import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The calls under `/posthorn/v1/registrations`, from values to requests and back.
struct ServiceWire: Sendable {
    /// The number of receipts in one call.
    static let mostReceipts = 100

    /// The address of the service.
    let service: URL
    /// The app's bundle id.
    let bundleID: String

    private var registrations: URL { service.appendingPathComponent("posthorn/v1/registrations") }

    /// The address of the SDK link.
    var link: URL? {
        guard var parts = URLComponents(url: service.appendingPathComponent("link"), resolvingAgainstBaseURL: false)
        else { return nil }
        parts.scheme = parts.scheme == "http" ? "ws" : "wss"
        return parts.url
    }

    // MARK: Requests

    /// Returns the request for a call; nil if it needs an identity and there is none.
    func request(for call: ServiceCall, state: SavedState) -> URLRequest? {
        switch call {
        case .register(let values):
            var members = values.changes(from: nil)
            members["app_key"] = state.appKey
            members["bundle_id"] = bundleID
            members["installation"] = state.installation
            members["former_id"] = state.former?.id
            members["former_secret"] = state.former?.secret
            return request("POST", registrations, members: members)
        case .update(let values, let known): return own("PUT", nil, members: values.changes(from: known), state: state)
        case .operation(let count, let operation):
            var members = operation.members
            members["operation"] = operation.verb
            if !operation.isQuestion { members["sequence"] = count }
            return own("POST", operation.subject, members: members, state: state)
        case .receipts(let receipts):
            let listed: [[String: Any]] = receipts.map { receipt in
                ["msg_id": String(receipt.messageID), "event": receipt.event.rawValue, "time": receipt.time]
            }
            return own("POST", "receipts", members: ["receipts": listed], state: state)
        case .messages(let position):
            let query = position.map { [URLQueryItem(name: "after", value: String($0))] } ?? []
            return own("GET", "messages", state: state, query: query)
        case .unregister: return own("DELETE", nil, state: state)
        }
    }

    /// Returns the request for a test push.
    ///
    /// - Parameters:
    ///   - messageID: an earlier test push to look at again; nil for a new one.
    ///   - language: the language of the sentence; nil for the device's.
    ///   - wait: the seconds for which the service waits for what comes of it.
    ///   - state: has the identity.
    /// - Returns: nil without an identity.
    func diagnosis(messageID: String?, language: String?, wait: Int, state: SavedState) -> URLRequest? {
        var query = [URLQueryItem(name: "wait", value: String(wait))]
        if let language { query.append(URLQueryItem(name: "language", value: language)) }
        if let messageID { query.append(URLQueryItem(name: "msg_id", value: messageID)) }
        return own("GET", "diagnosis", state: state, query: query)
    }

    /// Returns a request in the device's name; nil without an identity.
    private func own(
        _ method: String,
        _ path: String?,
        members: [String: Any]? = nil,
        state: SavedState,
        query: [URLQueryItem] = []
    ) -> URLRequest? {
        guard let registration = state.registration else { return nil }
        var url = registrations.appendingPathComponent(registration.id)
        if let path { url.appendPathComponent(path) }
        if !query.isEmpty, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) {
            parts.queryItems = query
            url = parts.url ?? url
        }
        var request = request(method, url, members: members)
        let credentials = Data("\(registration.id):\(registration.secret)".utf8).base64EncodedString()
        request.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
        return request
    }

    private func request(_ method: String, _ url: URL, members: [String: Any]?) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let members {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try? JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        }
        return request
    }

    // MARK: Answers

    /// Returns what came of a call.
    func outcome(of call: ServiceCall, _ result: Result<ServiceAnswer, any Error>) -> CallOutcome {
        let answer: ServiceAnswer
        switch result {
        case .failure(let error):
            let message = "The service cannot be reached: \(error.localizedDescription)"
            return .failed(PosthornError(code: PosthornError.notSentYet, message: message), retryAfter: nil)
        case .success(let given): answer = given
        }
        guard answer.status == 200 else { return Self.failure(answer) }
        guard let object = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any],
            let outcome = Self.success(of: call, object)
        else {
            // Another server answers in the service's place, such as the login page of a network.
            let message = "The answer is not the service's: \(Self.excerpt(answer.body))"
            return .failed(PosthornError(code: PosthornError.notSentYet, message: message), retryAfter: nil)
        }
        return outcome
    }

    private static func success(of call: ServiceCall, _ object: [String: Any]) -> CallOutcome? {
        switch call {
        case .register:
            guard let id = object["registration_id"] as? String, let secret = object["secret"] as? String else {
                return nil
            }
            let user = CustomMessage.integer(object["user_id"])
            return .registered(
                Registration(id: id, secret: secret, userID: user),
                hasToken: object["has_token"] as? Bool ?? true
            )
        case .update:
            return .updated(
                hasToken: object["has_token"] as? Bool ?? true,
                isPushOn: object["push"] as? Bool ?? true,
                tokenDigest: object["token_digest"] as? String,
                sequence: CustomMessage.integer(object["sequence"]),
                orders: (object["take_back"] as? [[String: Any]] ?? []).compactMap(TakeBack.init)
            )
        case .operation:
            return .answered(DeviceAnswer(object))
        case .messages:
            guard let listed = object["messages"] as? [[String: Any]] else { return nil }
            return .received(listed.compactMap(CustomMessage.init), position: CustomMessage.integer(object["position"]))
        case .receipts, .unregister: return .done
        }
    }

    /// The failure that an answer reports, permanent or not.
    static func failure(_ answer: ServiceAnswer) -> CallOutcome {
        let object = (try? JSONSerialization.jsonObject(with: answer.body)) as? [String: Any]
        let given = object?["error"] as? [String: Any]
        let text = given?["message"] as? String ?? "The service answers with status \(answer.status)."
        let isTemporary = answer.status == 429 || answer.status == 408 || answer.status >= 500
        guard let code = given?["code"] as? Int, !isTemporary else {
            // Without a code it is not the service that answers, but a proxy or another server.
            let code = answer.status == 429 ? PosthornError.tooOften : PosthornError.notSentYet
            return .failed(PosthornError(code: code, message: text), retryAfter: answer.retryAfter)
        }
        return .refused(PosthornError(code: code, message: text))
    }

    private static func excerpt(_ body: Data) -> String { String(decoding: body.prefix(80), as: UTF8.self) }
}
