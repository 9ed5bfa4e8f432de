import Foundation

/// The calls as frames of the SDK link, from values to texts and back: LinkProtocol.md has them.
enum LinkWire {
    /// Returns the frame of a call; nil if the link has none.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - number: its number, which the reply repeats.
    ///   - bundleID: the app's.
    ///   - state: has the identity.
    ///   - takesAllEvents: whether the service knows all events of receipts.
    /// - Returns: the text of the frame.
    static func frame(
        of call: ServiceCall,
        number: Int,
        bundleID: String,
        state: SavedState,
        takesAllEvents: Bool = false
    ) -> String? {
        switch call {
        case .register(let values):
            var members: [String: Any] = [
                "type": "register", "app-key": state.appKey, "bundle-id": bundleID,
                "environment": values.environment.rawValue, "system": values.system,
                "installation": state.installation,
            ]
            members["channel"] = values.channel
            members["former-id"] = state.former?.id
            members["former-secret"] = state.former?.secret
            for (name, value) in SocketState.Facts(values).members { members[name] = value }
            return text(members)
        case .update(let values, let known):
            guard let token = values.token(missingIn: known) else { return nil }
            return request(token.name, token.members(in: values.environment), number: number)
        case .operation(let count, let operation):
            var members = operation.members
            if !operation.isQuestion { members["sequence"] = count }
            return request(operation.frameType, members, number: number)
        case .receipts(let receipts):
            let listed: [[String: Any]] = receipts.map { receipt in
                [
                    "id": receipt.messageID, "event": takesAllEvents ? receipt.event.rawValue : receipt.event.ofLink,
                    "time": receipt.time,
                ]
            }
            return request("receipts", ["receipts": listed], number: number)
        case .messages, .unregister: return nil
        }
    }

    private static func request(_ type: String, _ members: [String: Any?], number: Int) -> String {
        var members = members.compactMapValues(\.self)
        members["type"] = type
        members["number"] = number
        return text(members)
    }

    static func text(_ members: [String: Any]) -> String {
        var text = ""
        text.append(json: members)
        return text
    }

    /// Returns what a frame of the service says of a call; nil if it does not answer it.
    static func outcome(of call: ServiceCall, number: Int, _ frame: [String: Any]) -> CallOutcome? {
        if case .register = call {
            guard frame["type"] as? String == "registered", let id = frame["registration-id"] as? String,
                let secret = frame["secret"] as? String
            else { return nil }
            let user = CustomMessage.integer(frame["user-id"])
            return .registered(Registration(id: id, secret: secret, userID: user), hasToken: true)
        }
        guard frame["type"] as? String == "reply", frame["number"] as? Int == number else { return nil }
        let code = frame["code"] as? Int ?? PosthornError.unknown
        if code != 0 {
            let message = frame["message"] as? String ?? "The service answers with code \(code)."
            return failure(of: call, PosthornError(code: code, message: message))
        }
        guard case .operation = call else { return .done }
        return .answered(DeviceAnswer(frame))
    }

    /// The outcome of a call that the service does not carry out, now or ever.
    static func failure(of call: ServiceCall, _ error: PosthornError) -> CallOutcome {
        error.code == PosthornError.tooOften ? .failed(error, retryAfter: nil) : .refused(error)
    }
}

extension DeviceValues.Token {
    fileprivate var name: String {
        switch self {
        case .device: "token"
        case .voip: "voip-token"
        case .activity: "activity-token"
        case .activityStart: "activity-start-token"
        }
    }

    fileprivate func members(in environment: PushEnvironment) -> [String: Any?] {
        switch self {
        case .device(let token), .voip(let token): ["token": token, "environment": environment.rawValue]
        case .activity(let name, let token): ["activity": name, "token": token]
        case .activityStart(let type, let token): ["attributes-type": type, "token": token]
        }
    }
}

extension Receipt.Event {
    /// The event for the link of a service before 0.2.0, which knows four: an action counts as opening.
    fileprivate var ofLink: String {
        switch self {
        case .received, .opened, .displayed, .clicked: rawValue
        case .shown, .dismissed, .removed, .absent: Self.received.rawValue
        case .action: Self.opened.rawValue
        }
    }
}
