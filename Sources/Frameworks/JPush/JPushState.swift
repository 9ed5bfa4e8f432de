import DeviceLink
import PushModel
import SystemPort

/// What the SDK knows in one process of an app.
struct JPushState: Sendable {
    /// One operation of a kind at a time: the second one is refused until the first is answered.
    enum Gate: Sendable {
        case tags
        case alias

        /// The client result code for who comes too early.
        var busy: Int {
            switch self {
            case .tags: 6021
            case .alias: 6022
            }
        }
    }

    enum Effect: Sendable {
        case link(SDKLinkClient.Action)
        case load
        case save(String?)
        case post(NetworkEvent)
        case answer(@Sendable (SDKReply) -> Void, SDKReply)
        case known(@Sendable (Int32, String?) -> Void, code: Int, String?)
        case complain(String)
    }

    /// What apps observe.
    enum NetworkEvent: Sendable {
        case isConnecting
        case didSetup
        case didClose
        case didRegister(String)
        case failedRegister
        case didLogin
    }

    private struct Call: Sendable {
        var request: SDKRequest
        var gate: Gate?
        var answer: @Sendable (SDKReply) -> Void
    }

    private struct Pending: Sendable {
        var gate: Gate?
        var answer: @Sendable (SDKReply) -> Void
    }

    /// The client result code of a device that is not registered.
    static let noRegistrationID = 1011

    var random: PortRandom
    private var appKey: String?
    private var channel: String?
    private var environment = APNSEnvironment.production
    private var link: SDKLinkClient?
    private var token: DeviceToken?
    private var installation = ""
    private var early: [Call] = []
    private var pending: [Int64: Pending] = [:]
    private var busy: Set<Gate> = []
    private var waiting: [@Sendable (Int32, String?) -> Void] = []
    private var refusal: Int?

    init(random: PortRandom) { self.random = random }

    var registrationID: String? { link?.identity?.registrationID }

    mutating func setUp(
        _ appKey: String?,
        _ channel: String?,
        _ environment: APNSEnvironment,
        _ effects: inout [Effect]
    ) {
        guard self.appKey == nil else { return }
        guard let appKey, !appKey.isEmpty else {
            return effects.append(.complain("JPUSHService.setup needs an app key."))
        }
        self.appKey = appKey
        self.channel = channel
        self.environment = environment
        effects.append(.load)
    }

    /// The app's store was read: the SDK knows who it is, or that it is nobody yet.
    mutating func loaded(_ text: String?, _ facts: AppFacts, _ effects: inout [Effect]) {
        guard let appKey, link == nil else { return }
        let stored = text.flatMap { StoredIdentity(text: $0) }
        installation = stored?.installation ?? random.uuid()
        let registration = SDKRegistration(
            appKey: appKey,
            bundleID: facts.bundleID,
            channel: channel,
            environment: environment,
            system: "iOS \(facts.systemVersion)",
            installation: installation
        )
        // Another app key is another app: the identity is of no use to it.
        let identity = stored?.appKey == appKey ? stored?.identity : nil
        var link = SDKLinkClient(registration: registration, identity: identity)
        if identity == nil { effects.append(save(nil)) }
        if let token { _ = link.setToken(token, environment: environment) }
        let actions = link.start()
        self.link = link
        perform(actions, &effects)
        if identity != nil { announce(&effects) }
        let calls = early
        early = []
        for call in calls { send(call, &effects) }
    }

    mutating func setToken(_ token: DeviceToken, _ effects: inout [Effect]) {
        self.token = token
        let environment = environment
        act(&effects) { $0.setToken(token, environment: environment) }
    }

    mutating func whenRegistered(_ handler: @escaping @Sendable (Int32, String?) -> Void, _ effects: inout [Effect]) {
        if let registrationID {
            effects.append(.known(handler, code: 0, registrationID))
        } else if let refusal {
            effects.append(.known(handler, code: refusal, nil))
        } else {
            waiting.append(handler)
        }
    }

    mutating func request(
        _ request: SDKRequest,
        gate: Gate?,
        _ answer: @escaping @Sendable (SDKReply) -> Void,
        _ effects: inout [Effect]
    ) {
        if let gate, !busy.insert(gate).inserted { return effects.append(.answer(answer, SDKReply(code: gate.busy))) }
        let call = Call(request: request, gate: gate, answer: answer)
        if link == nil { early.append(call) } else { send(call, &effects) }
    }

    private mutating func send(_ call: Call, _ effects: inout [Effect]) {
        guard let (number, actions) = link?.request(call.request, expires: call.gate != nil) else { return }
        pending[number] = Pending(gate: call.gate, answer: call.answer)
        perform(actions, &effects)
    }

    /// The SDK has nowhere to go: who waits is told so.
    mutating func stranded(_ effects: inout [Effect]) {
        refusal = Self.noRegistrationID
        for handler in waiting { effects.append(.known(handler, code: Self.noRegistrationID, nil)) }
        for call in early { effects.append(.answer(call.answer, SDKReply(code: Self.noRegistrationID))) }
        for gate in early.compactMap(\.gate) { busy.remove(gate) }
        waiting = []
        early = []
    }

    // MARK: The link

    mutating func act(_ effects: inout [Effect], _ body: (inout SDKLinkClient) -> [SDKLinkClient.Action]) {
        guard var link else { return }
        let actions = body(&link)
        self.link = link
        perform(actions, &effects)
    }

    mutating func closed(_ reason: String, _ effects: inout [Effect]) {
        guard var link else { return }
        let actions = link.closed(reason, using: &random)
        self.link = link
        perform(actions, &effects)
    }

    private mutating func perform(_ actions: [SDKLinkClient.Action], _ effects: inout [Effect]) {
        for action in actions {
            switch action {
            case .open:
                effects += [.post(.isConnecting), .link(action)]
            case .connected:
                effects.append(.post(.didSetup))
            case .disconnected:
                effects.append(.post(.didClose))
            case .registered(let identity):
                effects += [save(identity), .post(.didRegister(identity.registrationID))]
            case .forget:
                effects.append(save(nil))
            case .loggedIn:
                effects.append(.post(.didLogin))
                announce(&effects)
            case .refused(let code, let message):
                refusal = code
                effects += [
                    .complain("The service refuses the app: \(message) (code \(code))."), .post(.failedRegister),
                ]
                for handler in waiting { effects.append(.known(handler, code: code, nil)) }
                waiting = []
            case .answer(let number, let reply):
                guard let done = pending.removeValue(forKey: number) else { continue }
                if let gate = done.gate { busy.remove(gate) }
                effects += [.link(action), .answer(done.answer, reply)]
            case .close, .send, .wait, .watch:
                effects.append(.link(action))
            }
        }
    }

    private mutating func announce(_ effects: inout [Effect]) {
        guard let registrationID else { return }
        for handler in waiting { effects.append(.known(handler, code: 0, registrationID)) }
        waiting = []
    }

    private func save(_ identity: SDKLinkClient.Identity?) -> Effect {
        .save(StoredIdentity(installation: installation, appKey: appKey ?? "", identity: identity).text)
    }
}

/// What the SDK keeps in the app's store.
struct StoredIdentity: Hashable, Sendable {
    static let key = "cn.jpush.identity"

    /// Made once per installation.
    var installation: String
    var appKey: String
    var identity: SDKLinkClient.Identity?

    init(installation: String, appKey: String, identity: SDKLinkClient.Identity?) {
        self.installation = installation
        self.appKey = appKey
        self.identity = identity
    }

    /// Nil if the store holds something else.
    init?(text: String) {
        guard let object = (try? JSONValue(parsing: text))?.object, let installation = object["installation"]?.string,
            let appKey = object["app-key"]?.string
        else { return nil }
        self.init(installation: installation, appKey: appKey, identity: nil)
        if let registrationID = object["registration-id"]?.string, let secret = object["secret"]?.string,
            let userID = object["user-id"]?.integer
        {
            identity = SDKLinkClient.Identity(registrationID: registrationID, secret: secret, userID: userID)
        }
    }

    var text: String {
        var object: JSONObject = ["installation": .string(installation), "app-key": .string(appKey)]
        object["registration-id"] = identity.map { .string($0.registrationID) }
        object["secret"] = identity.map { .string($0.secret) }
        object["user-id"] = identity.map { .integer($0.userID) }
        return JSONValue.object(object).text
    }
}
