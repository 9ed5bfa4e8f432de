import DeviceLink
import PushModel

// The app's identity with the service, and the callers that wait for it.

extension JPushState {
    mutating func whenRegistered(_ handler: @escaping @Sendable (Int32, String?) -> Void, _ effects: inout [Effect]) {
        if let registrationID {
            effects.append(.known(handler, code: 0, registrationID))
        } else if let refusal {
            effects.append(.known(handler, code: refusal, nil))
        } else {
            waiting.append(handler)
        }
    }

    mutating func setToken(_ token: DeviceToken, _ effects: inout [Effect]) {
        self.token = token
        guard let environment = setup?.environment else { return }
        act(&effects) { $0.setToken(token, environment: environment) }
    }

    mutating func announce(_ effects: inout [Effect]) {
        guard let registrationID else { return }
        for handler in waiting { effects.append(.known(handler, code: 0, registrationID)) }
        waiting = []
    }

    /// Records that the app cannot connect in this process, and gives the reason to waiting callers.
    mutating func refuse(_ code: Int, _ reason: String, _ effects: inout [Effect]) {
        refusal = code
        effects += [.log(.error, "\(reason) (code \(code))."), .post(.failedRegister)]
        effects.append(.post(.serviceError("\(reason) (code \(code))")))
        for handler in waiting { effects.append(.known(handler, code: code, nil)) }
        for operation in early {
            durable.remove(operation.number)
            if let gate = operation.gate, busy[gate] == operation.number {
                busy[gate] = nil
                effects.append(.unwatch(gate))
            }
            effects.append(.answer(operation.answer, SDKReply(code: code, message: reason)))
        }
        if !early.isEmpty, stored != nil { effects.append(saveDurable()) }
        release(code, &effects)
        waiting = []
        early = []
    }

    func complain(_ text: String, _ effects: inout [Effect]) {
        effects += [.log(.error, "\(text)."), .post(.serviceError(text))]
    }

    func save(_ identity: SDKLinkClient.Identity?) -> Effect {
        let kept = StoredIdentity(
            installation: installation,
            appKey: setup?.appKey ?? "",
            identity: identity,
            isStopped: identity != nil && isStopped
        )
        return .save(.identity, kept.text)
    }
}
