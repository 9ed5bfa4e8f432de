import DeviceLink
import PushModel

@testable import PosthornClient

// The service's side of the link, with its own codec.

extension ServiceModel {
    /// Answers a frame, which the service's own codec reads and writes.
    mutating func answer(_ text: String) -> [String] {
        guard let frame = try? SDKFrame(text: text) else {
            return [SDKFrame.refused(code: 6017, message: "unreadable: \(text)").text]
        }
        return answers(to: frame).map(\.text)
    }

    private func loggedIn(_ installation: String) -> SDKFrame {
        guard tellsState, let device = devices[installation] else { return .loggedIn() }
        return .loggedIn(
            SDKDeviceState(
                hasToken: device.values.token != nil,
                isOn: device.isPushOn,
                sequence: Int64(device.sequence)
            )
        )
    }

    private mutating func answers(to frame: SDKFrame) -> [SDKFrame] {
        switch frame {
        case .register(let asked):
            var values = DeviceValues(
                environment: asked.environment == .production ? .production : .development,
                system: asked.system
            )
            values.zone = asked.zone
            values.language = asked.language
            values.appVersion = asked.appVersion
            let client = SavedState(installation: asked.installation, appKey: asked.appKey)
            guard case .registered(let given, _) = register(values, client) else {
                return [.refused(code: 1005, message: "no such app")]
            }
            linked = asked.installation
            return [
                .registered(registrationID: given.id, secret: given.secret, userID: 1), loggedIn(asked.installation),
            ]
        case .login(_, let id, let secret, let position, let takesMessages, let zone, _, _, _):
            guard let device = devices.first(where: { $0.value.id == id && $0.value.secret == secret })?.key else {
                return [.refused(code: 6016, message: "unknown")]
            }
            linked = device
            devices[device]?.values.zone = zone
            let waiting = takesMessages ? messages.filter { $0.position > position ?? 0 }.prefix(5) : []
            return [loggedIn(device)]
                + waiting.map {
                    .message(
                        SDKMessage(
                            position: $0.position,
                            messageID: $0.id,
                            content: $0.content,
                            title: nil,
                            extras: nil
                        )
                    )
                }
        case .request(let number, let sequence, let request):
            guard let linked, var device = devices[linked] else {
                return [.reply(number: number, SDKReply(code: 6016))]
            }
            let reply = device.answer(request, numbered: sequence.map { Int($0) })
            devices[linked] = device
            return [.reply(number: number, reply)]
        default: return []
        }
    }
}

extension ServiceModel.Device {
    fileprivate mutating func answer(_ request: SDKRequest, numbered number: Int?) -> SDKReply {
        switch request {
        case .token(let token, _): values.token = token.hexadecimal
        case .voipToken(let token, _): values.voipToken = token.hexadecimal
        case .activityToken(let name, let token): values.activityTokens[name] = token?.hexadecimal
        case .activityStartToken(let type, let token): values.activityStartTokens[type] = token?.hexadecimal
        case .receipts(let all): for receipt in all { receipts.insert("\(receipt.messageID) \(receipt.event)") }
        default:
            guard let operation = DeviceOperation(request) else { return SDKReply(code: 6017) }
            let answer = perform(operation, numbered: number)
            return SDKReply(code: 0, tags: answer.tags, alias: answer.alias, isBound: answer.isBound, isOn: answer.isOn)
        }
        return SDKReply(code: 0)
    }
}

extension DeviceOperation {
    /// The operation behind a request of the link; nil for tokens and receipts.
    init?(_ request: SDKRequest) {
        switch request {
        case .addTags(let tags, let proofs): self = .addTags(tags, proofs: proofs)
        case .setTags(let tags, let proofs): self = .setTags(tags, proofs: proofs)
        case .deleteTags(let tags): self = .deleteTags(tags)
        case .cleanTags: self = .cleanTags
        case .getAllTags: self = .getTags
        case .checkTag(let tag): self = .checkTag(tag)
        case .setAlias(let alias, let proof): self = .setAlias(alias, proof: proof)
        case .deleteAlias: self = .deleteAlias
        case .getAlias: self = .getAlias
        case .badge(let badge): self = .setBadge(badge)
        case .mobile(let number): self = .setMobile(number)
        case .attributes(let values): self = .setAttributes(values)
        case .pushSwitch(let isOn): self = .setPush(isOn)
        case .pushStatus: self = .getPush
        case .topics(let declined): self = declined.map { .declineTopics($0) } ?? .getTopics
        case .token, .receipts, .voipToken, .activityToken, .activityStartToken: return nil
        }
    }
}
