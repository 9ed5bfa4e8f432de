import DeviceLink
import PushModel

// The app's identity with the service, and the callers that wait for it.

extension JPushState {
    mutating func whenRegistered(_ handler: @escaping @Sendable (Int32, String?) -> Void) {
        if let registrationID {
            add(.known(handler, code: 0, registrationID))
        } else if let refusal {
            add(.known(handler, code: refusal, nil))
        } else {
            waiting.append(handler)
        }
    }

    mutating func setToken(_ token: DeviceToken) {
        self.token = token
        guard let environment = setup?.environment else { return }
        act { $0.setToken(token, environment: environment) }
    }

    mutating func announce() {
        guard let registrationID else { return }
        for handler in waiting { add(.known(handler, code: 0, registrationID)) }
        waiting = []
    }

    /// Records that the app cannot connect in this process, and gives the reason to waiting callers.
    mutating func refuse(_ code: Int, _ reason: String) {
        refusal = code
        add(.log(.error, "\(reason) (code \(code))."))
        add(.post(.failedRegister))
        add(.post(.serviceError("\(reason) (code \(code))")))
        for handler in waiting { add(.known(handler, code: code, nil)) }
        for operation in early {
            durable.remove(operation.number)
            gates.leave(operation.number)
            add(.answer(operation.answer, SDKReply(code: code, message: reason)))
        }
        if !early.isEmpty, stored != nil { add(saveDurable()) }
        release(code)
        waiting = []
        early = []
    }

    mutating func complain(_ text: String) {
        add(.log(.error, "\(text)."))
        add(.post(.serviceError(text)))
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
