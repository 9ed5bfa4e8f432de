public import PushModel

/// The app's end of the SDK link: registers once, logs in ever after, and sends requests until each has its reply.
public struct SDKLinkClient: Sendable {
    /// What the service gave the app at its registration; the app keeps it for good.
    public struct Identity: Hashable, Sendable {
        public var registrationID: String
        public var secret: String
        public var userID: Int64

        public init(registrationID: String, secret: String, userID: Int64) {
            self.registrationID = registrationID
            self.secret = secret
            self.userID = userID
        }
    }

    /// What the owner has to do, in this order.
    public enum Action: Hashable, Sendable {
        /// Open a link.
        case open
        case close
        case send(SDKFrame)
        /// Call ``SDKLinkClient/waited()`` after this time.
        case wait(Duration)
        /// Call ``SDKLinkClient/expired(_:)`` with this number after this time.
        case watch(number: Int64, Duration)
        case connected
        case disconnected(String)
        /// Keep this identity.
        case registered(Identity)
        /// The identity is not known any more: forget it.
        case forget
        case loggedIn(Identity)
        /// The service will not have this app; the link stays closed.
        case refused(code: Int, message: String)
        /// A request has its answer. Comes once a request.
        case answer(number: Int64, SDKReply)
    }

    private enum State: Equatable {
        case stopped
        case opening
        /// The link is open, the service has not said `loggedIn` yet.
        case entering
        case ready
        case waiting
        case refused(code: Int)
    }

    private struct Waiting {
        var number: Int64
        var request: SDKRequest
    }

    /// How long a request with an answer waits for it; then code 6002.
    public static let patience = Duration.seconds(20)
    static let timeout = 6002

    private let registration: SDKRegistration
    public private(set) var identity: Identity?
    private var state = State.stopped
    private var backoff = LinkBackoff()
    private var nextNumber: Int64 = 1
    private var waiting: [Waiting] = []
    private var token: SDKRequest?

    public init(registration: SDKRegistration, identity: Identity?) {
        self.registration = registration
        self.identity = identity
    }

    public mutating func start() -> [Action] {
        guard state == .stopped else { return [] }
        state = .opening
        return [.open]
    }

    public mutating func stop() -> [Action] {
        defer { state = .stopped }
        switch state {
        case .stopped, .waiting, .refused: return []
        case .opening: return [.close]
        case .entering, .ready: return [.close, .disconnected("the app closed the link")]
        }
    }

    public mutating func opened() -> [Action] {
        guard state == .opening else { return [] }
        state = .entering
        return [.connected, .send(greeting)]
    }

    /// The link could not be opened, or ended.
    public mutating func closed(_ reason: String, using random: inout some RandomNumberGenerator) -> [Action] {
        switch state {
        case .stopped, .waiting, .refused:
            return []
        case .opening:
            state = .waiting
            return [.wait(backoff.next(using: &random))]
        case .entering, .ready:
            state = .waiting
            return [.disconnected(reason), .wait(backoff.next(using: &random))]
        }
    }

    public mutating func waited() -> [Action] {
        guard state == .waiting else { return [] }
        state = .opening
        return [.open]
    }

    /// A frame came; one that a service does not send, or not now, is passed over.
    public mutating func received(_ frame: SDKFrame) -> [Action] {
        switch (state, frame) {
        case (.entering, .registered(let registrationID, let secret, let userID)):
            let identity = Identity(registrationID: registrationID, secret: secret, userID: userID)
            self.identity = identity
            return [.registered(identity)]
        case (.entering, .loggedIn):
            guard let identity else { return [] }
            state = .ready
            backoff.reset()
            return [.loggedIn(identity)] + sendAll()
        case (.entering, .refused(let code, let message)):
            return refused(code, message)
        case (.ready, .reply(let number, let reply)):
            guard let place = waiting.firstIndex(where: { $0.number == number }) else { return [] }
            waiting.remove(at: place)
            return [.answer(number: number, reply)]
        default:
            return []
        }
    }

    /// Sends a request, now or after the next login, again after each until it is answered.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - expires: whether it is given up after ``patience``.
    /// - Returns: the number under which the answer comes, and what to do.
    public mutating func request(_ request: SDKRequest, expires: Bool) -> (number: Int64, actions: [Action]) {
        let number = nextNumber
        nextNumber += 1
        if case .refused(let code) = state { return (number, [.answer(number: number, SDKReply(code: code))]) }
        waiting.append(Waiting(number: number, request: request))
        var actions: [Action] = expires ? [.watch(number: number, Self.patience)] : []
        if state == .ready { actions.append(.send(.request(number: number, request))) }
        return (number, actions)
    }

    /// The app's APNs token is known: the service hears of it now and after every login.
    public mutating func setToken(_ token: DeviceToken, environment: APNSEnvironment) -> [Action] {
        let request = SDKRequest.token(token, environment)
        guard self.token != request || state != .ready else { return [] }
        self.token = request
        return state == .ready ? [sendToken(request)] : []
    }

    public mutating func expired(_ number: Int64) -> [Action] {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return [] }
        waiting.remove(at: place)
        return [.answer(number: number, SDKReply(code: Self.timeout))]
    }

    private var greeting: SDKFrame {
        guard let identity else { return .register(registration) }
        return .login(
            appKey: registration.appKey,
            registrationID: identity.registrationID,
            secret: identity.secret
        )
    }

    private mutating func sendAll() -> [Action] {
        let tokens = token.map { [sendToken($0)] } ?? []
        return tokens + waiting.map { .send(.request(number: $0.number, $0.request)) }
    }

    /// The token needs no list: it is sent after each login anyway, and its reply answers nobody.
    private mutating func sendToken(_ request: SDKRequest) -> Action {
        defer { nextNumber += 1 }
        return .send(.request(number: nextNumber, request))
    }

    private mutating func refused(_ code: Int, _ message: String) -> [Action] {
        // 6016: the identity is not known. The link ends, and the next one registers anew.
        if code == 6016, identity != nil {
            identity = nil
            return [.forget, .close]
        }
        state = .refused(code: code)
        let answers = waiting.map { Action.answer(number: $0.number, SDKReply(code: code, message: message)) }
        waiting = []
        return [.refused(code: code, message: message), .close] + answers
    }
}
