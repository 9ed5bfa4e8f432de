public import PushModel

/// The app's end of the SDK link: registers once, logs in from then on, and repeats requests until each has its reply.
public struct SDKLinkClient: Sendable {
    /// The identity that the service gave the app at registration; the app stores it permanently.
    public struct Identity: Hashable, Sendable {
        /// The registration id, as the app and the REST API use it.
        public var registrationID: String
        /// The secret with which the device logs in.
        public var secret: String
        /// The number of the device, `_j_uid` in payloads.
        public var userID: Int64

        /// Creates an identity from its stored parts.
        public init(registrationID: String, secret: String, userID: Int64) {
            self.registrationID = registrationID
            self.secret = secret
            self.userID = userID
        }
    }

    /// The steps the owner performs, in order.
    public enum Action: Hashable, Sendable {
        /// Open a link.
        case open
        case close
        case send(SDKFrame)
        /// Call ``SDKLinkClient/waited()`` after this delay.
        case wait(Duration)
        /// Call ``SDKLinkClient/expired(_:)`` with this number after this delay.
        case watch(number: Int64, Duration)
        /// Call ``SDKLinkClient/gathered()`` after this delay.
        case gather(Duration)
        /// Rate limit exceeded: cancel the timeouts of these requests, and call ``SDKLinkClient/resumed()`` after this
        /// delay.
        case pause(numbers: [Int64], Duration)
        case connected
        case disconnected(String)
        /// Store this identity.
        case registered(Identity)
        /// Delete the identity, which is no longer known.
        case forget
        case loggedIn(Identity)
        /// The service rejects this app; the link stays closed.
        case refused(code: Int, message: String)
        /// A request has its answer. Sent once per request.
        case answer(number: Int64, SDKReply)
        /// A custom message, in order and exactly once. Store its position, then call ``SDKLinkClient/kept(_:)``.
        case message(SDKMessage)
    }

    /// The time at which a request without an answer is given up.
    public enum Deadline: Hashable, Sendable {
        /// ``SDKLinkClient/patience`` from now, with a link or without.
        case fromNow
        /// ``SDKLinkClient/patience`` from the moment it is first sent.
        case onceSent
        /// Never.
        case never
    }

    private enum State: Equatable {
        case stopped
        case opening
        /// The link is open, but the service has not sent `loggedIn` yet.
        case entering
        case ready
        case waiting
        case refused(code: Int)
    }

    /// The time a request waits for its answer before it fails with code 6002.
    public static let patience = Duration.seconds(20)
    /// The code of a request that was not answered in time.
    public static let timeout = 6002
    private var registration: SDKRegistration
    private let takesMessages: Bool
    /// The identity of the device; nil before its registration.
    public private(set) var identity: Identity?
    private var state = State.stopped
    private var backoff = LinkBackoff()
    private var nextNumber: Int64 = 1
    private var queue = SDKRequestQueue()
    private var token: SDKRequest?
    /// Whether the service has yet to answer for this token.
    private var tokenIsNews = false
    /// The number of the last request with the token.
    private var tokenNumber: Int64?
    /// The position of the last custom message that the app has kept.
    private var kept: Int64?
    /// The position of the last custom message received: messages up to it have been passed to the app.
    private var newest: Int64?
    private var acknowledgements = AcknowledgementPace()

    /// - Parameters:
    ///   - registration: the data to register with if there is no identity.
    ///   - identity: the identity as the app stored it.
    ///   - position: the position of the last custom message that the app has kept under this identity.
    ///   - takesMessages: whether custom messages may come here rather than to another link of the device.
    public init(
        registration: SDKRegistration,
        identity: Identity?,
        position: Int64? = nil,
        takesMessages: Bool = true
    ) {
        self.registration = registration
        self.takesMessages = takesMessages
        self.identity = identity
        kept = position
        newest = position
    }

    /// The device's time zone, sent to the service at the next login.
    public var zone: String? {
        get { registration.zone }
        set { registration.zone = newValue }
    }

    /// Whether any request has no answer yet, including the token's.
    public var hasRequests: Bool { !queue.isEmpty || tokenIsNews }

    /// Whether a link is open, opening, or about to be opened after a delay.
    public var isStarted: Bool { state != .stopped }

    /// Whether a link is open, before or after login.
    public var isOpen: Bool { state == .entering || state == .ready }

    /// Begins to connect; no effect if it has begun.
    public mutating func start() -> [Action] {
        guard state == .stopped else { return [] }
        state = .opening
        return [.open]
    }

    /// Closes the link and stops connecting.
    public mutating func stop() -> [Action] {
        // A refusal is final until the process ends.
        if case .refused = state { return [] }
        defer { state = .stopped }
        queue.linkEnded()
        let last = state == .ready ? actions(acknowledgements.end()) : []
        switch state {
        case .stopped, .waiting, .refused: return []
        case .opening: return [.close]
        case .entering, .ready: return last + [.close, .disconnected("the app closed the link")]
        }
    }

    /// Handles an opened link: registers the device, or logs in.
    public mutating func opened() -> [Action] {
        guard state == .opening else { return [] }
        state = .entering
        return [.connected, .send(greeting)]
    }

    /// Handles a link that could not be opened, or ended.
    public mutating func closed(_ reason: String, using random: inout some RandomNumberGenerator) -> [Action] {
        switch state {
        case .stopped, .waiting, .refused:
            return []
        case .opening:
            state = .waiting
            return [.wait(backoff.next(using: &random))]
        case .entering, .ready:
            state = .waiting
            queue.linkEnded()
            // The next login reports the position reached.
            _ = acknowledgements.end()
            return [.disconnected(reason), .wait(backoff.next(using: &random))]
        }
    }

    /// Handles the end of the delay before the next attempt.
    public mutating func waited() -> [Action] {
        guard state == .waiting else { return [] }
        state = .opening
        return [.open]
    }

    /// Handles a frame; frames that a service does not send, or not in this state, are ignored.
    public mutating func received(_ frame: SDKFrame) -> [Action] {
        switch (state, frame) {
        case (.entering, .registered(let registrationID, let secret, let userID)):
            let identity = Identity(registrationID: registrationID, secret: secret, userID: userID)
            self.identity = identity
            kept = nil
            newest = nil
            return [.registered(identity)]
        case (.entering, .loggedIn):
            guard let identity else { return [] }
            state = .ready
            backoff.reset()
            return [.loggedIn(identity)] + sendAll()
        case (.entering, .refused(let code, let message)):
            return refused(code, message)
        case (.ready, .reply(let number, let reply)):
            if number == tokenNumber { tokenIsNews = false }
            guard let action = queue.replied(number, reply) else { return [] }
            return [action] + queue.next()
        case (.ready, .message(let message)):
            return take(message)
        default:
            return []
        }
    }

    /// Takes a message. One that crosses its acknowledgement is sent again after a login; it is acknowledged again and
    /// dropped.
    private mutating func take(_ message: SDKMessage) -> [Action] {
        if let kept, message.position <= kept { return [.send(.acknowledge(position: kept))] }
        if let newest, message.position <= newest { return [] }
        newest = message.position
        return [.message(message)]
    }

    /// Records that the app has kept all custom messages up to this position.
    public mutating func kept(_ position: Int64) -> [Action] {
        // From an identity that was deleted: its positions mean nothing to the next one.
        guard let newest, position <= newest, position > kept ?? .min else { return [] }
        kept = position
        return state == .ready ? actions(acknowledgements.kept()) : []
    }

    /// Handles the end of the acknowledgement interval.
    public mutating func gathered() -> [Action] { state == .ready ? actions(acknowledgements.waited()) : [] }

    private func actions(_ step: AcknowledgementPace.Step) -> [Action] {
        guard let kept else { return [] }
        return switch step {
        case .nothing: []
        case .send: [.send(.acknowledge(position: kept))]
        case .sendAndWait: [.send(.acknowledge(position: kept)), .gather(AcknowledgementPace.interval)]
        }
    }

    /// Sends a request, now or after the next login, and again after each login until it is answered. If it exceeds the
    /// service's rate limit and its deadline permits, it is sent again after the pause.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - deadline: when the request is given up.
    /// - Returns: the number of the request, which its answer repeats, and the actions to perform.
    public mutating func request(_ request: SDKRequest, deadline: Deadline) -> (number: Int64, actions: [Action]) {
        let number = nextNumber
        nextNumber += 1
        if case .refused(let code) = state { return (number, [.answer(number: number, SDKReply(code: code))]) }
        queue.add(request, as: number, deadline: deadline)
        var actions: [Action] = deadline == .fromNow ? [.watch(number: number, Self.patience)] : []
        if state == .ready { actions += queue.next() }
        return (number, actions)
    }

    /// Handles the end of a rate limit pause: the paused requests may be sent again.
    public mutating func resumed() -> [Action] {
        queue.resume()
        return state == .ready ? queue.next() : []
    }

    /// Sets the app's APNs token, which is sent to the service now and after every login.
    public mutating func setToken(_ token: DeviceToken, environment: APNSEnvironment) -> [Action] {
        let request = SDKRequest.token(token, environment)
        guard self.token != request else { return [] }
        self.token = request
        tokenIsNews = true
        return state == .ready ? [sendToken(request)] : []
    }

    /// Ends a request that was not answered in time.
    public mutating func expired(_ number: Int64) -> [Action] {
        guard queue.giveUp(number) else { return [] }
        let reply = SDKReply(code: Self.timeout, message: "the service did not answer in time")
        return [.answer(number: number, reply)] + (state == .ready ? queue.next() : [])
    }

    private var greeting: SDKFrame {
        guard let identity else { return .register(registration) }
        return .login(
            appKey: registration.appKey,
            registrationID: identity.registrationID,
            secret: identity.secret,
            position: kept,
            takesMessages: takesMessages,
            zone: registration.zone,
            appVersion: registration.appVersion
        )
    }

    private mutating func sendAll() -> [Action] {
        let actions = token.map { [sendToken($0)] } ?? []
        return actions + queue.next()
    }

    /// Sends the token. It is not queued: it is sent after each login anyway, and no caller waits for its reply.
    private mutating func sendToken(_ request: SDKRequest) -> Action {
        defer { nextNumber += 1 }
        tokenNumber = nextNumber
        return .send(.request(number: nextNumber, request))
    }

    private mutating func refused(_ code: Int, _ message: String) -> [Action] {
        // 6016: the identity is not known. The link ends, and the next one registers again.
        if code == 6016, identity != nil {
            identity = nil
            kept = nil
            newest = nil
            return [.forget, .close]
        }
        // 6011: too many devices register from this address. The next link tries again after the normal backoff.
        if code == SDKRequestQueue.tooOften { return [.close] }
        state = .refused(code: code)
        let answers = queue.removeAll().map { Action.answer(number: $0, SDKReply(code: code, message: message)) }
        return [.refused(code: code, message: message), .close] + answers
    }
}
