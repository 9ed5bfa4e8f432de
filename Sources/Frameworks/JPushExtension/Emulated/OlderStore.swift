import DeviceLink
import Foundation
import PosthornClient
import PushModel
import SystemPort

/// The values that the SDK for Linux stored before it was the client of iPhones, read as parts of the client's state, where it has none.
struct OlderStore {
    private struct State: Encodable {
        var installation: String
        var appKey: String
        var registration: Registration?
        var isPushOff: Bool
        /// The values as the app wants them, and those that the service has.
        var wanted: DeviceValues
        var known: DeviceValues
    }

    private struct Queue: Encodable {
        struct Queued: Encodable {
            var number: Int
            var operation: DeviceOperation
        }

        var queue: [Queued]
        var lastNumber: Int
    }

    private struct Receipts: Encodable {
        var receipts: [Receipt]
        var reported: [Receipt]
    }

    private struct Position: Encodable {
        var registrationID: String
        var position: Int64
    }

    let port: any SystemPort

    private func value(_ name: String) -> JSONValue? {
        guard case .value(let text?) = port.read(.readStorage(key: "cn.jpush.\(name)")) else { return nil }
        return try? JSONValue(parsing: text)
    }

    func data(for key: String) -> Data? {
        switch key {
        case "state": encoded(state)
        case "queue": encoded(queue)
        case "receipts": encoded(receipts)
        case "position": encoded(position)
        default: nil
        }
    }

    private func encoded(_ part: (some Encodable)?) -> Data? { part.flatMap { try? JSONEncoder().encode($0) } }

    private var state: State? {
        guard let object = value("identity")?.object, let installation = object["installation"]?.string,
            let appKey = object["app-key"]?.string
        else { return nil }
        var registration: Registration?
        if let id = object["registration-id"]?.string, let secret = object["secret"]?.string {
            registration = Registration(id: id, secret: secret, userID: object["user-id"]?.integer)
        }
        let known = DeviceValues(on: port)
        var state = State(
            installation: installation,
            appKey: appKey,
            registration: registration,
            isPushOff: object["stopped"]?.bool ?? false,
            wanted: known,
            known: known
        )
        for request in requests {
            switch request {
            case .voipToken(let token, _): state.wanted.voipToken = token.hexadecimal
            case .activityToken(let name, let token):
                state.wanted.activityTokens[name] = token?.hexadecimal
                state.known.activityTokens[name] = token == nil ? "" : nil
            case .activityStartToken(let type, let token):
                state.wanted.activityStartTokens[type] = token?.hexadecimal
                state.known.activityStartTokens[type] = token == nil ? "" : nil
            default: break
            }
        }
        return state
    }

    /// The requests that the service had yet to answer, as frames of the link.
    private var requests: [SDKRequest] {
        (value("requests")?.array ?? []).compactMap { value in
            guard let text = value.string, case .request(_, _, let request)? = try? SDKFrame(text: text) else {
                return nil
            }
            return request
        }
    }

    private var queue: Queue? {
        let operations = requests.compactMap(DeviceOperation.init)
        if operations.isEmpty { return nil }
        let queue = operations.enumerated().map { Queue.Queued(number: $0 + 1, operation: $1) }
        return Queue(queue: queue, lastNumber: queue.count)
    }

    private var receipts: Receipts? {
        let all = [value("receipts")?.object, value("receipts.extension")?.object].compactMap(\.self)
        if all.isEmpty { return nil }
        let waiting = all.flatMap { Self.receipts($0["waiting"]) }
        let told = all.flatMap { Self.receipts($0["told"]) }
        let sent = told.filter { told in
            !waiting.contains { $0.messageID == told.messageID && $0.event == told.event }
        }
        return Receipts(receipts: waiting, reported: sent)
    }

    private static func receipts(_ value: JSONValue?) -> [Receipt] {
        (value?.array ?? []).compactMap { value in
            guard let parts = value.array, parts.count >= 2, let id = parts[0].integer,
                let event = parts[1].string.flatMap(Receipt.Event.init(rawValue:))
            else { return nil }
            return Receipt(messageID: id, event: event, time: parts.count > 2 ? parts[2].integer ?? 0 : 0)
        }
    }

    private var position: Position? {
        guard let object = value("position")?.object, let id = object["registration-id"]?.string,
            let position = object["position"]?.integer
        else { return nil }
        return Position(registrationID: id, position: position)
    }
}

extension DeviceOperation {
    /// The operation behind a request of the link; nil for tokens, receipts and questions.
    fileprivate init?(_ request: SDKRequest) {
        switch request {
        case .addTags(let tags, let proofs): self = .addTags(tags, proofs: proofs)
        case .setTags(let tags, let proofs): self = .setTags(tags, proofs: proofs)
        case .deleteTags(let tags): self = .deleteTags(tags)
        case .cleanTags: self = .cleanTags
        case .setAlias(let alias, let proof): self = .setAlias(alias, proof: proof)
        case .deleteAlias: self = .deleteAlias
        case .badge(let badge): self = .setBadge(badge)
        case .mobile(let number): self = .setMobile(number)
        case .attributes(let values): self = .setAttributes(values)
        case .pushSwitch(let isOn): self = .setPush(isOn)
        case .topics(let declined?): self = .declineTopics(declined)
        default: return nil
        }
    }
}
